package bot_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// audience remembers what it is shown.
type audience struct {
	watches bool

	mu    sync.Mutex
	said  map[int]string
	tried map[int][]record.Result
	steps []string
	ended []string
}

func newAudience(watches bool) *audience {
	return &audience{watches: watches, said: map[int]string{}, tried: map[int][]record.Result{}}
}

func (a *audience) note(do func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	do()
}

func (a *audience) Watched(string) bool { return a.watches }

func (a *audience) Said(_ string, call int, lines string) { a.note(func() { a.said[call] += lines }) }

func (a *audience) Tried(_ string, call int, results []record.Result) {
	a.note(func() { a.tried[call] = results })
}

func (a *audience) Recorded(_, step string) { a.note(func() { a.steps = append(a.steps, step) }) }

func (a *audience) Ended(run string) { a.note(func() { a.ended = append(a.ended, run) }) }

// lingering passes the text of an answer on and waits, before it ends, until the audience has seen it. It is used in a
// bubble of testing/synctest.
type lingering struct{ port.Model }

func (m lingering) Complete(ctx context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	answer, err := m.Model.Complete(ctx, r, onText)
	onText("\n") // what is shown next waits for more
	time.Sleep(time.Minute)
	return answer, err
}

func TestWatchersSeeTheReplyAndWhatWouldComeOfItsBlocksWhileItArrives(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, halfReplies()...)
		a := newAudience(true)
		s.bot.Audience = a
		s.bot.Model = lingering{s.Model}
		got := s.say("/tenon fix `main.go`")
		require.Contains(t, a.said[1], "<<<<<<< SEARCH\n")
		require.True(t, a.tried[1][0].Status.Applied())
		require.Contains(t, a.tried[1][0].Diff, "+\tprintln(\"goodbye\")")
		require.True(t, a.tried[1][1].Status.Failed())
		require.Equal(t, "", a.steps[0], "the attempt begins")
		require.Subset(t, a.steps, []string{"open", "context", "ask.1", "committing", "commit", "report"})
		require.Equal(t, []string{got.run}, a.ended)
	})
}

func TestWatchersSeeWhatWouldComeOfAllBlocksWhenAReplyIsWhole(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies()...)
	a := newAudience(true)
	s.bot.Audience = a
	s.say("/tenon fix `main.go`")
	require.Len(t, a.tried[1], 2)
	require.Greater(t, len(a.tried), 1, "after each reply")
}

func TestWithoutWatchersNothingOfAReplyIsShownOrTried(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	a := newAudience(false)
	s.bot.Audience = a
	s.say("/tenon fix `main.go`")
	require.Empty(t, a.said)
	require.Empty(t, a.tried)
	require.Contains(t, a.steps, "ask.1", "a page that is opened later reads the record")
}

func TestWatchersSeeNoSecretsAndNoKeysOfThePrompt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		value := strings.Repeat("q7Rb9T"+"zK2mWx", 4)[:40]
		s := newStory(t)
		a := newAudience(true)
		s.bot.Audience = a
		s.bot.Keys = func() string { return "k3yk3yk3yk3yk3yk" }
		s.Model.Says("k3yk3yk3yk3yk3yk AWS_SECRET_ACCESS_KE" + "Y=" + value + " there.\n\n" + goodbye)
		s.bot.Model = lingering{s.Model}
		s.say("/tenon fix `main.go`")
		require.Contains(t, a.said[1], "there.")
		require.NotContains(t, a.said[1], value)
		require.NotContains(t, a.said[1], "k3yk3y")
	})
}

func TestADeadLetterIsAnEndForWatchers(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	a := newAudience(true)
	s.bot.Audience = a
	s.Before("Permission").Times(3).Fail(errors.New("boom"))
	got := s.say("/tenon fix `main.go`")
	require.Len(t, s.Queue.DeadLetters(), 1)
	require.Equal(t, got.run, a.ended[len(a.ended)-1])
}

// broken is an audience that panics.
type broken struct {
	*audience
	panicked atomic.Bool
}

func (b *broken) Said(string, int, string) {
	b.panicked.Store(true)
	panic("nobody sees this")
}

func TestARunGoesOnWhenShowingItPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newStory(t, goodbye)
		a := &broken{audience: newAudience(true)}
		s.bot.Audience = a
		s.bot.Model = lingering{s.Model}
		require.Equal(t, "rocket", s.say("/tenon fix `main.go`").verdict)
		require.True(t, a.panicked.Load())
		require.Contains(t, s.Logged(), "showing a reply panicked")
	})
}

// laterRuns are records of runs that a later version of the program has begun.
type laterRuns struct{ port.Runs }

func (r laterRuns) Start(ctx context.Context, ev port.Event) (port.Run, error) {
	run, err := r.Runs.Start(ctx, ev)
	run.Steps = map[string]port.Step{"open": {Version: 99, Data: []byte("[]")}}
	return run, err
}

func TestAnAttemptAtARunThatCannotBeReadEndsForWatchers(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	a := newAudience(true)
	s.bot.Audience, s.bot.Runs = a, laterRuns{s.bot.Runs}
	s.say("/tenon fix `main.go`")
	require.Greater(t, len(a.ended), 1, "not by the dead letter alone")
}
