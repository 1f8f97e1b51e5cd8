package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Model returns a model that measures the calls of another. info has its name in the settings, and its price.
func (m *Metrics) Model(info port.ModelInfo, next port.Model) port.Model {
	for _, result := range expected {
		m.modelCalls.WithLabelValues(info.Name, result)
	}
	return &model{metrics: m, info: info, next: next}
}

// expected are results of calls of a model that are counted from 0: an alert does not see a counter begin at 1.
var expected = []string{
	"ok", "cut", "rate_limited", "unavailable", "unreachable", "timed_out", "unauthorized", "forbidden", "not_found",
	"bad_request", "out_of_quota",
}

type model struct {
	metrics *Metrics
	info    port.ModelInfo
	next    port.Model
}

// Complete implements port.Model.
func (o *model) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	begun, meter := time.Now(), &attempts{Meter: port.MeterOf(ctx), model: o}
	answer, err := o.next.Complete(port.WithMeter(ctx, meter), req, onText)
	o.metrics.modelSeconds.WithLabelValues(o.info.Name).Observe(time.Since(begun).Seconds())
	o.metrics.modelCalls.WithLabelValues(o.info.Name, modelResult(answer, err)).Inc()
	if !meter.begun { // a model that has no meter
		o.took(answer.Usage)
	}
	return answer, err
}

func (o *model) took(u port.Usage) {
	for kind, n := range map[string]int{"input": u.In - u.Cached, "cached": u.Cached, "output": u.Out} {
		o.metrics.modelTokens.WithLabelValues(o.info.Name, kind).Add(float64(max(n, 0)))
	}
	if o.info.Price != (port.Price{}) {
		o.metrics.modelCost.WithLabelValues(o.info.Name).Add(max(o.info.Price.Of(u), 0))
	}
}

// attempts is the meter of a call, which also measures.
type attempts struct {
	port.Meter
	model *model
	begun bool
}

// Begin implements port.Meter.
func (a *attempts) Begin(ctx context.Context) error {
	err := a.Meter.Begin(ctx)
	if err == nil {
		a.begun = true
		a.model.metrics.modelAttempts.WithLabelValues(a.model.info.Name).Inc()
	}
	return err
}

// End implements port.Meter.
func (a *attempts) End(ctx context.Context, model string, took *port.Usage) {
	a.Meter.End(ctx, model, took)
	if took != nil {
		a.model.took(*took)
	}
}

// Budget returns a budget that counts the reservations of another.
func (m *Metrics) Budget(next port.Budget) port.Budget {
	for _, kind := range append([]string{"granted", "command"}, budgets...) {
		m.reservations.WithLabelValues(kind)
	}
	return &budget{next, m}
}

// budgets are the kinds of budgets, as port.OverBudget has them.
var budgets = []string{"user-commands", "repository-commands", "repository-tokens", "owner-tokens", "server-tokens"}

type budget struct {
	port.Budget
	metrics *Metrics
}

// Reserve implements port.Budget.
func (b *budget) Reserve(ctx context.Context, r port.Reservation) (port.Booking, error) {
	booking, err := b.Budget.Reserve(ctx, r)
	b.metrics.reservations.WithLabelValues(reservationResult(err)).Inc()
	return booking, err
}

func reservationResult(err error) string {
	var over *port.OverBudget
	var command *port.OverCommand
	switch {
	case err == nil:
		return "granted"
	case errors.As(err, &over) && over.Kind != "":
		return over.Kind
	case errors.As(err, &command):
		return "command"
	}
	return "error"
}
