package port

import "context"

// Slot is what a run needs to use a processor: many runs are in progress, and few of them have a slot. A run has its
// slot while at least one of its goroutines works. Safe for concurrent use.
type Slot interface {
	// Enter is called by each goroutine of the run that begins to work. It returns when the run has its slot.
	Enter()
	// Leave is called by each goroutine that has ended, or waits for something else than a processor.
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

func (freeSlot) Enter() {}

func (freeSlot) Leave() {}

// Waiting calls wait, which waits for something else than a processor, and gives up the slot of the run meanwhile. Code
// that waits for another run must do so within Waiting, because that run may need the slot.
func Waiting(ctx context.Context, wait func()) {
	s := SlotOf(ctx)
	s.Leave()
	defer s.Enter()
	wait()
}

// Working calls work in a goroutine that mostly waits: it needs the slot of the run for this only.
func Working(ctx context.Context, work func()) {
	s := SlotOf(ctx)
	s.Enter()
	defer s.Leave()
	work()
}

// Go calls work in another goroutine of the run. The channel is closed when that has ended.
func Go(ctx context.Context, work func()) <-chan struct{} {
	ended, s := make(chan struct{}), SlotOf(ctx)
	s.Enter()
	go func() {
		defer close(ended)
		defer s.Leave()
		work()
	}()
	return ended
}

// Together calls functions concurrently and returns the first error, in the order of the functions.
func Together(ctx context.Context, do ...func() error) error {
	errs := make([]error, len(do))
	ended := make([]<-chan struct{}, len(do))
	for i, f := range do {
		ended[i] = Go(ctx, func() { errs[i] = f() })
	}
	Waiting(ctx, func() {
		for _, one := range ended {
			<-one
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

type busyKey struct{}

// WithBusy returns a context for a call of a model. busy is called when the call has to wait because its model has as
// many calls as it may have, and what it returns when the call begins.
func WithBusy(ctx context.Context, busy func() (begins func())) context.Context {
	return context.WithValue(ctx, busyKey{}, busy)
}

// Busy calls what WithBusy was given.
func Busy(ctx context.Context) (begins func()) {
	if busy, ok := ctx.Value(busyKey{}).(func() func()); ok {
		return busy()
	}
	return func() {}
}
