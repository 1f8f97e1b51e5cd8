package trace

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/tenon-bot/tenon/bot/port"
)

// Handle begins the span of an attempt at handling an event, and returns its context, and what ends it. doing names it,
// such as "handle". Its parent is the span of the delivery, which another process may have made; an event that GitHub
// did not deliver has a trace of its own.
func (t *Tracer) Handle(ctx context.Context, doing string, ev port.Event) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	if ev.Kind != port.Following && ev.Kind != port.Autofix && ev.Kind != port.OnPage {
		ctx = trace.ContextWithRemoteSpanContext(ctx, t.ofDelivery(ctx, ev.Delivery))
	}
	about := []attribute.KeyValue{
		attribute.String("tenon.delivery", ev.Delivery), attribute.String("tenon.run", port.RunID(ev.Delivery)),
		attribute.String("tenon.event", string(ev.Kind)), attribute.String("tenon.repository", ev.Repo.String()),
		attribute.Int("tenon.thread", ev.Thread.Number), attribute.Int("tenon.attempt", ev.Attempt),
	}
	if ev.Followed != nil {
		about = append(about, attribute.String("tenon.first_run", ev.Followed.First))
	}
	ctx, span := t.tracer.Start(ctx, doing, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(about...))
	return ctx, func(err error) { end(span, err) }
}

// ofDelivery returns the span of a delivery. Whether that is sampled, the sampler says of a span with the same ids,
// which is never ended, and so never sent.
func (t *Tracer) ofDelivery(ctx context.Context, delivery string) trace.SpanContext {
	_, same := t.tracer.Start(withDelivery(ctx, delivery), deliverySpan, trace.WithNewRoot())
	return same.SpanContext().WithRemote(true)
}

// Step implements port.Observer: the span of a step of a run.
func (t *Tracer) Step(ctx context.Context, name string) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	ctx, span := t.tracer.Start(ctx, "step "+name)
	return ctx, func(err error) { end(span, err) }
}

// Model returns a model that makes a span of each call of another.
func (t *Tracer) Model(name string, next port.Model) port.Model {
	if t == nil {
		return next
	}
	return model{t, name, next}
}

type model struct {
	tracer *Tracer
	name   string
	next   port.Model
}

// Complete implements port.Model.
func (m model) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	ctx, span := m.tracer.tracer.Start(ctx, "model "+m.name, trace.WithAttributes(
		attribute.String("gen_ai.request.model", m.name), attribute.Int("tenon.messages", len(req.Messages))))
	answer, err := m.next.Complete(ctx, req, onText)
	span.SetAttributes(attribute.Int("gen_ai.usage.input_tokens", answer.Usage.In),
		attribute.Int("gen_ai.usage.output_tokens", answer.Usage.Out), attribute.Bool("tenon.cut", answer.Cut))
	end(span, err)
	return answer, err
}

// end ends a span. What an error says may quote what others wrote, so that only its kind is told.
func end(span trace.Span, err error) {
	if err != nil {
		span.SetAttributes(attribute.String("error.type", kindOf(err)))
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// kindOf returns what kind of error an error is, in fixed words.
func kindOf(err error) string {
	var wait *port.WaitError
	var user *port.UserError
	var by *port.CancelledError
	var fault interface{ Fault() string }
	switch {
	case errors.As(err, &fault):
		return fault.Fault()
	case errors.As(err, &wait):
		return "waits: " + string(wait.For)
	case errors.As(err, &by), errors.Is(err, context.Canceled):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	case errors.As(err, &user):
		return "refused"
	case errors.Is(err, port.ErrLeaseLost):
		return "lease lost"
	case errors.Is(err, port.ErrMoved):
		return "branch moved"
	case errors.Is(err, port.ErrNotFound):
		return "not found"
	case errors.Is(err, port.ErrDenied):
		return "denied"
	}
	return "failed"
}
