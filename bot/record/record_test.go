package record

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// storedRuns keeps the steps of one run.
type storedRuns struct {
	steps map[string]port.Step
	err   error
}

func (s *storedRuns) Start(context.Context, port.Event) (port.Run, error) {
	return port.Run{ID: "k3v9x1p7q2m4", Steps: s.steps, Resumed: len(s.steps) > 0}, nil
}

func (s *storedRuns) Record(_ context.Context, _ port.Event, _, name string, step port.Step) error {
	if _, ok := s.steps[name]; ok || s.err != nil {
		return errors.Join(s.err, errors.New("refused"))
	}
	if s.steps == nil {
		s.steps = map[string]port.Step{}
	}
	s.steps[name] = step
	return nil
}

func newTestJournal(t *testing.T, runs *storedRuns) *Journal {
	t.Helper()
	run, err := runs.Start(t.Context(), port.Event{})
	require.NoError(t, err)
	j, err := NewJournal(runs, port.Event{}, run)
	require.NoError(t, err)
	return j
}

func TestARecordedStepIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	runs := &storedRuns{}
	calls := 0
	open := func(context.Context) (Target, error) { calls++; return Target{Branch: "speed", SHA: "1"}, nil }
	for range 2 {
		got, err := Do(t.Context(), newTestJournal(t, runs), Opened, open)
		require.NoError(t, err)
		require.Equal(t, "speed", got.Branch)
	}
	require.Equal(t, 1, calls)
	j := newTestJournal(t, runs)
	require.True(t, j.Record().Resumed)
	require.Equal(t, &Target{Branch: "speed", SHA: "1"}, j.Record().Target)
	require.Equal(t, 2, runs.steps["open"].Version)
}

func TestAStepThatFailsIsNotRecorded(t *testing.T) {
	t.Parallel()
	runs := &storedRuns{}
	j := newTestJournal(t, runs)
	broken := errors.New("no connection")
	_, err := Do(t.Context(), j, CheckOpened, func(context.Context) (int64, error) { return 3, broken })
	require.ErrorIs(t, err, broken)
	_, ok := Get(j, CheckOpened)
	require.False(t, ok)

	runs.err = port.ErrLeaseLost
	_, err = Do(t.Context(), j, CheckOpened, func(context.Context) (int64, error) { return 3, nil })
	require.ErrorIs(t, err, port.ErrLeaseLost)
	require.Nil(t, j.Record().Check)
}

func TestStepsOfWhichARunHasSeveralAreReadInOrder(t *testing.T) {
	t.Parallel()
	runs := &storedRuns{}
	j := newTestJournal(t, runs)
	for n := 1; n <= 12; n++ {
		require.NoError(t, Put(t.Context(), j, Asked(n), Turn{Ask: string(rune('a' + n))}))
		require.NoError(t, Put(t.Context(), j, Applied(n), Application{Base: string(rune('a' + n))}))
	}
	before := j.Record()
	require.NoError(t, Put(t.Context(), j, AnsweredThread(7), AnswerComment{Comment: 70}))
	require.NoError(t, Put(t.Context(), j, AnsweredThread(8), AnswerComment{Comment: 80}))
	require.Empty(t, before.ThreadAnswers, "a record that was taken before stays as it was")
	require.NoError(t, Put(t.Context(), j, Committing, true))
	require.NoError(t, Put(t.Context(), j, SumsTaken, map[string]string{"a.go": "1"}))

	again := newTestJournal(t, runs).Record()
	require.Equal(t, j.Record().Turns, again.Turns)
	require.Equal(t, "m", again.LastApplication().Base)
	require.Equal(t, map[int64]AnswerComment{7: {Comment: 70}, 8: {Comment: 80}}, again.ThreadAnswers)
	require.True(t, again.Committing)
	require.Equal(t, map[string]string{"a.go": "1"}, again.Sums)
	got, ok := Get(j, Asked(12))
	require.True(t, ok)
	require.Equal(t, again.Turns[11], got)
	_, ok = Get(j, Applied(13))
	require.False(t, ok)
	thread, ok := Get(j, AnsweredThread(8))
	require.True(t, ok)
	require.Equal(t, int64(80), thread.Comment)
	require.Zero(t, Record{}.LastApplication())
}

func TestARunThatThisProgramCannotReadSaysWhichStep(t *testing.T) {
	t.Parallel()
	for step, stored := range map[string]port.Step{
		"open":        {Version: 3, Data: []byte(`{}`)},
		"context":     {Version: 0, Data: []byte(`{}`)},
		"commit":      {Version: 1, Data: []byte(`{"sha":`)},
		"ask.2":       {Version: 1, Data: []byte(`{}`)}, // and no ask.1
		"apply.0":     {Version: 1, Data: []byte(`{}`)},
		"thread.x":    {Version: 1, Data: []byte(`{}`)},
		"thread.9":    {Version: 1, Data: []byte(`[]`)},
		"thread.007":  {Version: 1, Data: []byte(`{}`)},
		"check.ended": {Version: 1, Data: []byte(`1`)},
		"new":         {Version: 1, Data: []byte(`1`)},
	} {
		_, err := Load(port.Run{ID: "k3v9x1p7q2m4", Steps: map[string]port.Step{step: stored}})
		var unreadable *UnreadableError
		require.ErrorAs(t, err, &unreadable, step)
		require.Equal(t, step, unreadable.Step)
		require.Equal(t, "k3v9x1p7q2m4", unreadable.Run)
		require.Error(t, errors.Unwrap(err))
		require.True(t, unreadable.Permanent())
		_, err = NewJournal(&storedRuns{}, port.Event{}, port.Run{Steps: map[string]port.Step{step: stored}})
		require.ErrorAs(t, err, &unreadable)
	}
	_, err := Load(port.Run{Steps: map[string]port.Step{"open": {Version: 9, Data: []byte(`{}`)}}})
	require.ErrorContains(t, err,
		"it has version 9, and this program knows 1 to 2: run the version of tenon that wrote it, or a later one")
}

func TestTheFirstFormOfAPatchWasItsText(t *testing.T) {
	t.Parallel()
	rec, err := Load(port.Run{Steps: map[string]port.Step{"commit": {Version: 1,
		Data: []byte(`{"base":"1","patch":"--- a\n"}`)}}})
	require.NoError(t, err)
	require.Equal(t, "--- a\n", rec.Committed.Patch.Text)
	rec, err = Load(port.Run{Steps: map[string]port.Step{"commit": {Version: 1,
		Data: []byte(`{"patch":{"text":"x","left_out":[{"path":"a","why":"b"}]}}`)}}})
	require.NoError(t, err)
	require.Equal(t, "x", rec.Committed.Patch.Text)
	require.Equal(t, "a", rec.Committed.Patch.LeftOut[0].Path)
}

func TestARunHasACommitIfItMadeOne(t *testing.T) {
	t.Parallel()
	_, ok := Record{}.Commit()
	require.False(t, ok)
	_, ok = Record{Committed: &Committed{Held: true}}.Commit()
	require.False(t, ok)
	c, ok := Record{
		ID: "r", Target: &Target{Branch: "speed"}, Undo: &Commit{Run: "before"},
		Committed: &Committed{SHA: "2", Subject: "fix: it", Application: Application{Base: "1", Changed: []string{"a.go"}}},
	}.Commit()
	require.True(t, ok)
	require.Equal(t, Commit{Run: "r", SHA: "2", Base: "1", Branch: "speed", Subject: "fix: it", Changed: []string{"a.go"},
		Undoes: "before"}, c)
}

func TestAnAnswerIsAfterAnEventByItsFinalForm(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	a := AnswerOf(port.Comment{Kind: port.Review, ID: 7, URL: "https://github.example/x"})
	require.Equal(t, port.Comment{Kind: port.Review, ID: 7, URL: "https://github.example/x"}, a.Ref())
	require.False(t, a.After(port.Event{Received: at}), "an old record does not know")
	a.At = at.Add(time.Second)
	require.True(t, a.After(port.Event{Received: at}))
	require.False(t, a.After(port.Event{Received: at.Add(time.Second)}))
}

func TestATargetWithoutAnotherRefIsItsBranch(t *testing.T) {
	t.Parallel()
	require.Equal(t, "refs/heads/speed", Target{Branch: "speed"}.Ref())
	require.Equal(t, "refs/pull/3/head", Target{Branch: "speed", From: "refs/pull/3/head"}.Ref())
}

// Whether a run may still be cancelled is asked of runs that this program cannot read, too.
func TestTheHeaderOfARunNeedsNoStepThatCanBeRead(t *testing.T) {
	t.Parallel()
	run := port.Run{ID: "k3v9x1p7q2m4", Started: time.Unix(1, 0), Resumed: true,
		Steps: map[string]port.Step{"open": {Version: 99, Data: []byte("[]")}}}
	_, err := Load(run)
	require.Error(t, err)
	require.Equal(t, Record{ID: "k3v9x1p7q2m4", Started: time.Unix(1, 0), Resumed: true}, Header(run))
	require.True(t, Opened.In(run))
	require.False(t, Committing.In(run))
	run.Steps[Committing.name] = port.Step{Version: 99}
	require.True(t, Header(run).Committing)
}

func TestAStepIsReadUnderTheNameThatEarlierVersionsGaveIt(t *testing.T) {
	t.Parallel()
	stored := port.Step{Version: 1, Data: []byte("true")}
	run := port.Run{ID: "k3v9x1p7q2m4", Steps: map[string]port.Step{"deliver": stored}}
	rec, err := Load(run)
	require.NoError(t, err)
	require.True(t, rec.Committing)
	require.True(t, Header(run).Committing)
	require.Equal(t, stored, Forget("deliver", stored))
	require.Equal(t, "committing", Name("deliver"))

	runs := &storedRuns{}
	j, err := NewJournal(runs, port.Event{}, run)
	require.NoError(t, err)
	done, err := Do(t.Context(), j, Committing, func(context.Context) (bool, error) {
		return false, errors.New("it is recorded")
	})
	require.NoError(t, err)
	require.True(t, done)
	require.Empty(t, runs.steps)
}

// seenSteps observes a journal.
type seenSteps struct{ begun, done []string }

type stepKey struct{}

func (s *seenSteps) Step(ctx context.Context, name string) (context.Context, func(error)) {
	s.begun = append(s.begun, name)
	return context.WithValue(ctx, stepKey{}, name), func(err error) {
		s.done = append(s.done, fmt.Sprint(name, " ", err))
	}
}

func TestAStepIsObservedWhenItIsDoneAndNotWhenItIsReadFromTheRecord(t *testing.T) {
	t.Parallel()
	seen := &seenSteps{}
	ctx := port.WithObserver(t.Context(), seen)
	j := newTestJournal(t, &storedRuns{})
	refused := errors.New("refused")
	ask := func(ctx context.Context) (Turn, error) {
		require.Equal(t, "ask", ctx.Value(stepKey{}), "the work has the context of its step")
		return Turn{Kind: TurnFix}, nil
	}
	for range 2 {
		_, err := Do(ctx, j, Asked(1), ask)
		require.NoError(t, err)
	}
	_, err := Do(ctx, j, Asked(2), ask)
	require.NoError(t, err)
	_, err = Do(ctx, j, CheckClosed, func(context.Context) (int64, error) { return 0, refused })
	require.ErrorIs(t, err, refused)
	require.Equal(t, []string{"ask", "ask", "check.closed"}, seen.begun)
	require.Equal(t, []string{"ask <nil>", "ask <nil>", "check.closed refused"}, seen.done)
}
