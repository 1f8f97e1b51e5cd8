package single_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/single"
)

// handler fails with each of its errors, then succeeds.
type handler struct {
	errs []error
	dead error
}

func (h *handler) Handle(context.Context, port.Event) error {
	if len(h.errs) == 0 {
		return nil
	}
	err := h.errs[0]
	h.errs = h.errs[1:]
	return err
}

func (h *handler) DeadLetter(_ context.Context, _ port.Event, cause error) error {
	h.dead = cause
	return nil
}

func handled(t *testing.T, h *handler, patience time.Duration) (slept time.Duration, err error) {
	t.Helper()
	sleep := func(_ context.Context, d time.Duration) error { slept += d; return nil }
	err = single.Runner{Handler: h, Patience: patience, Sleep: sleep}.Handle(t.Context(), port.Event{Delivery: "one"})
	return slept, err
}

var errBroken = errors.New("broken")

func TestAnErrorThatPassesIsWaitedOut(t *testing.T) {
	t.Parallel()
	limit := &port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errBroken}
	h := &handler{errs: []error{limit, limit, limit, limit}}
	slept, err := handled(t, h, 10*time.Minute)
	require.NoError(t, err)
	require.NoError(t, h.dead)
	require.GreaterOrEqual(t, slept, 4*time.Minute)
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	limit := &port.WaitError{For: port.GitHubLimit, After: time.Hour, Err: errBroken}
	h := &handler{errs: []error{limit}}
	slept, err := handled(t, h, time.Minute)
	require.ErrorIs(t, err, errBroken)
	require.ErrorIs(t, h.dead, errBroken)
	require.Zero(t, slept)
}

func TestAnErrorThatStaysIsToldAfterThreeAttempts(t *testing.T) {
	t.Parallel()
	h := &handler{errs: []error{errBroken, errBroken, errBroken, nil}}
	_, err := handled(t, h, time.Hour)
	require.ErrorIs(t, err, errBroken)
	require.ErrorIs(t, h.dead, errBroken)
	require.Len(t, h.errs, 1)
}

func TestAStepIsRecordedOnce(t *testing.T) {
	t.Parallel()
	m, ev := single.NewMemory(time.Now), port.Event{Delivery: "one"}
	run, err := m.Start(t.Context(), ev)
	require.NoError(t, err)
	require.False(t, run.Resumed)
	require.NoError(t, m.Record(t.Context(), ev, run.ID, "target", port.Step{Version: 1, Data: []byte("{}")}))
	require.Error(t, m.Record(t.Context(), ev, run.ID, "target", port.Step{Version: 1, Data: []byte("{}")}))
	require.Error(t, m.Record(t.Context(), ev, "another", "prompt", port.Step{}))
	run, err = m.Start(t.Context(), ev)
	require.NoError(t, err)
	require.True(t, run.Resumed)
	require.Contains(t, run.Steps, "target")
}

func TestWhatAnEarlierProcessBeganIsResumed(t *testing.T) {
	t.Parallel()
	m, ev := single.NewMemory(time.Now), port.Event{Delivery: "one"}
	m.Begun("one")
	run, err := m.Start(t.Context(), ev)
	require.NoError(t, err)
	require.True(t, run.Resumed)
	require.Equal(t, port.RunID("one"), run.ID)
}

func TestACommandTakesNoMoreTokensThanItMay(t *testing.T) {
	t.Parallel()
	m, ev := single.NewMemory(time.Now), port.Event{Delivery: "one"}
	r := port.Reservation{Event: ev, Run: "run", Call: 1, Tokens: 60, RunTokens: 100}
	booked, err := m.Reserve(t.Context(), r)
	require.NoError(t, err)
	var over *port.OverCommand
	_, err = m.Reserve(t.Context(), r)
	require.ErrorAs(t, err, &over)
	require.NoError(t, m.Charge(t.Context(), ev, booked, 10, port.ModelUse{}))
	again, err := m.Reserve(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, 2, again.Attempt)
}
