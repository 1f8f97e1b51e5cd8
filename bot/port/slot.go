package port

import "context"

// Slot is what a run needs to work: many runs are in progress, and few of them work at a time. A run has its slot while
// at least one of its goroutines works. Safe for concurrent use.
type Slot interface {
	// Enter is called when one more goroutine of the run works. It returns when the run has its slot, or without one when
	// ctx has ended: little is left to do then.
	Enter(ctx context.Context)
	// Leave is called when one goroutine less works: it has ended, or it waits for something else than a processor.
	Leave()
}

type slotKey struct{}

// WithSlot returns a context for the work of a run that has a slot.
func WithSlot(ctx context.Context, s Slot) context.Context {
	return context.WithValue(ctx, slotKey{}, s)
}

// SlotOf returns the slot of the run that has a context; without one, a slot that is always free.
func SlotOf(ctx context.Context) Slot {
	if s, ok := ctx.Value(slotKey{}).(Slot); ok {
		return s
	}
	return freeSlot{}
}

type freeSlot struct{}

func (freeSlot) Enter(context.Context) {}

func (freeSlot) Leave() {}

// Away calls wait without the slot of the run: wait waits for something else than a processor. Whoever waits for
// another run has to be away, as that may wait for a slot.
func Away(ctx context.Context, wait func()) {
	s := SlotOf(ctx)
	s.Leave()
	defer s.Enter(ctx)
	wait()
}

type lineKey struct{}

// WithLine returns a context for a call of a model. stand is called when the call has to wait until the model has
// answered others, and what it returns when the call's turn has come.
func WithLine(ctx context.Context, stand func() (turn func())) context.Context {
	return context.WithValue(ctx, lineKey{}, stand)
}

// StandInLine calls what WithLine was given.
func StandInLine(ctx context.Context) (turn func()) {
	if stand, ok := ctx.Value(lineKey{}).(func() func()); ok {
		return stand()
	}
	return func() {}
}
