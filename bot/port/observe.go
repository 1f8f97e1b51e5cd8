package port

import "context"

// Observer is told what runs do, for metrics and traces. Its methods return at once, and are safe for concurrent use.
type Observer interface {
	// Step is called when a run begins a step that no earlier attempt recorded. The context that it returns is that of the
	// step; done is called with the step's error when the step is recorded or has failed. name is one of a few, such as
	// "ask" for each call of the model.
	Step(ctx context.Context, name string) (in context.Context, done func(error))
}

type observerKey struct{}

// WithObserver returns a context whose runs are observed.
func WithObserver(ctx context.Context, o Observer) context.Context {
	return context.WithValue(ctx, observerKey{}, o)
}

// ObserverOf returns the observer of a context; without one, an observer that does nothing.
func ObserverOf(ctx context.Context) Observer {
	if o, ok := ctx.Value(observerKey{}).(Observer); ok {
		return o
	}
	return unobserved{}
}

type unobserved struct{}

func (unobserved) Step(ctx context.Context, _ string) (context.Context, func(error)) {
	return ctx, func(error) {}
}
