package port

import (
	"context"
	"fmt"
	"time"
)

// Limits bound what commands cost. A zero field is the default; days and months are UTC's.
type Limits struct {
	// UserCommands and RepositoryCommands are commands a day that ask a model: 20 and 60.
	UserCommands, RepositoryCommands int64
	// RepositoryTokens are tokens a day, in and out: 3 million.
	RepositoryTokens int64
	// OwnerTokens are tokens a month of all repositories of an owner: 40 million.
	OwnerTokens int64
}

// WithDefaults fills the zero fields.
func (l Limits) WithDefaults() Limits {
	for _, f := range []struct {
		field *int64
		value int64
	}{{&l.UserCommands, 20}, {&l.RepositoryCommands, 60}, {&l.RepositoryTokens, 3_000_000}, {&l.OwnerTokens, 40_000_000}} {
		if *f.field == 0 {
			*f.field = f.value
		}
	}
	return l
}

// Budget books what commands cost, before they do. Safe for concurrent use, by many processes too.
type Budget interface {
	// Reserve books a call. One that is booked already is not booked twice. *OverBudget when a limit would be passed:
	// nothing is booked then.
	Reserve(ctx context.Context, b Reservation) (BudgetUse, error)
	// Settle puts what a call took in the place of what was reserved, once.
	Charge(ctx context.Context, ev Event, run string, call int, tokens int64) error
	// Left returns what is used of each budget that a command like the event's would count in.
	Usage(ctx context.Context, ev Event, limits Limits) ([]BudgetState, error)
}

// Booking is a call of a run, before it is made.
type Reservation struct {
	Event Event
	Run   string
	// Call is its number in the run, from 1.
	Call int
	// Tokens is what it may take, in and out.
	Tokens int64
	// Limits are those that hold in the repository.
	Limits Limits
}

// Spent is what is used of a budget.
type BudgetState struct {
	// Of names the budget, as in Fill.
	Of          string
	Used, Limit int64
	// Resets is when it begins anew.
	Resets time.Time
}

// Fill is how much of a budget is booked: that of which the largest share is.
type BudgetUse struct {
	// Of names the budget, as in "commands of today in this repository".
	Of      string
	Percent int
}

// OverBudget says that a budget is used up.
type OverBudget struct {
	// Of names the budget, as in Fill; Limit is its size.
	Of    string
	Limit int64
	// Resets is when it begins anew.
	Resets time.Time
}

func (e *OverBudget) Error() string {
	return fmt.Sprintf("%s: the limit of %d is reached until %s", e.Of, e.Limit, e.Resets.Format(time.RFC3339))
}
