package bot

import (
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// userError is the refusal that a person reads.
func overBudget(e *port.OverBudget) *port.UserError {
	return &port.UserError{Text: fmt.Sprintf("The budget for %s is used up (%d), so the model was not asked. It begins anew on %s. Whoever runs this app can raise it.",
		e.Of, e.Limit, e.Resets.UTC().Format("2 January 2006 at 15:04 UTC"))}
}

// warning is a remark for the footer when a budget is nearly used up; the thresholds are 75 % and 90 %.
func budgetWarning(f port.BudgetUse) string {
	for _, threshold := range []int{90, 75} {
		if f.Percent >= threshold {
			return fmt.Sprintf("over %d %% of %s used", threshold, f.Of)
		}
	}
	return ""
}

// permanent says that trying again is no use.
func permanent(err error) bool {
	var p interface{ Permanent() bool }
	return errors.As(err, &p) && p.Permanent()
}
