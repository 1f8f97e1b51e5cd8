package port

import "context"

type guardKey struct{}

// WithGuard returns a context for the handler of an event, in which Guard calls guard.
func WithGuard(ctx context.Context, guard func(context.Context) error) context.Context {
	return context.WithValue(ctx, guardKey{}, guard)
}

// Guard returns nil if the handler that has this context may act on the world: its process still has the event's lease.
// It returns ErrLeaseLost if another worker has the event, and another error if that cannot be found out. An adapter
// calls it right before each request that changes or costs something, after all waiting, because the process may have
// been paused for any time since the lease was renewed. A context without a guard permits everything.
func Guard(ctx context.Context) error {
	guard, ok := ctx.Value(guardKey{}).(func(context.Context) error)
	if !ok {
		return nil
	}
	return guard(ctx)
}
