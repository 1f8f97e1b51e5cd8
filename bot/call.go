package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// callMeter books the attempts at one call of a model. What is charged for an attempt is what the provider says that it
// took. If it does not say, what was reserved remains booked: also when the process dies, or the budget cannot be
// written.
type callMeter struct {
	budget port.Budget
	log    *slog.Logger
	bounds policy.Bounds
	// price returns the price of a model, zero if it is not known.
	price func(model string) port.Price
	// attempt is what is reserved for each attempt.
	attempt port.Reservation

	booking port.Booking // of the last attempt
}

// Begin implements port.Meter. Nothing is booked before an attempt: others could not spend what is reserved for a call
// that waits for its turn. The error says which limit the attempt would exceed.
func (m *callMeter) Begin(ctx context.Context) error {
	booking, err := m.budget.Reserve(ctx, m.attempt)
	var budget *port.OverBudget
	var command *port.OverCommand
	switch {
	case errors.As(err, &budget):
		return sentence.OverBudget(budget)
	case errors.As(err, &command):
		return m.bounds.Unaffordable(command.Needs)
	case err != nil:
		return fmt.Errorf("reserving the cost: %w", err)
	}
	m.booking = booking
	return nil
}

// End implements port.Meter.
func (m *callMeter) End(ctx context.Context, model string, took *port.Usage) {
	if took != nil {
		m.charge(ctx, int64(took.In+took.Out), m.used(model, *took))
	}
}

// used is what one attempt took of a model.
func (m *callMeter) used(model string, took port.Usage) (out port.ModelUse) {
	out.Model = model
	out.Add(took, m.price(model))
	return out
}

// charge replaces what is reserved by what was taken. The command's time may be over; its cost is charged anyway.
func (m *callMeter) charge(ctx context.Context, tokens int64, used port.ModelUse) {
	err := m.budget.Charge(context.WithoutCancel(ctx), m.attempt.Event, m.booking, tokens, used)
	if err != nil {
		m.log.WarnContext(ctx, "cannot book what a call used; its reservation remains booked",
			"call", m.booking.Call, "attempt", m.booking.Attempt, "tokens", tokens, "error", err)
	}
}

// budgetWarning is a remark in the footer when a budget is nearly used up; the thresholds are 75 % and 90 %.
func budgetWarning(use port.BudgetUse) string {
	for _, threshold := range []int{90, 75} {
		if use.Percent >= threshold {
			return sentence.NearBudget(threshold, use.Of)
		}
	}
	return ""
}
