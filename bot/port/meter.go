package port

import "context"

// Meter books the attempts at a call of a model. An attempt is one request to a provider: a call has several if it is
// retried, or if other models are asked in place of one that fails. The attempts of a call are made one after another.
type Meter interface {
	// Begin is called before each attempt. After an error, the attempt is not made, and the call fails with the error.
	Begin(ctx context.Context) error
	// End is called after each attempt that Begin allowed, with the name of the model in the server's settings and what
	// the attempt took, if the provider said so: a request that it refused took nothing. It is nil if the provider did not
	// say, as when the connection broke.
	End(ctx context.Context, model string, took *Usage)
}

type meterKey struct{}

// WithMeter returns a context for one call of a model, whose attempts the meter books.
func WithMeter(ctx context.Context, m Meter) context.Context {
	return context.WithValue(ctx, meterKey{}, m)
}

// MeterOf returns the meter of a call; without one, a meter that allows everything and books nothing.
func MeterOf(ctx context.Context) Meter {
	if m, ok := ctx.Value(meterKey{}).(Meter); ok {
		return m
	}
	return noMeter{}
}

type noMeter struct{}

func (noMeter) Begin(context.Context) error { return nil }

func (noMeter) End(context.Context, string, *Usage) {}
