package port

import (
	"context"
	"fmt"
	"time"
)

// Limits bound the cost of commands. A field of 0 means the default. Days and months are those of UTC.
type Limits struct {
	// UserCommands and RepositoryCommands are commands a day that ask a model; 20 and 60 by default.
	UserCommands, RepositoryCommands int64
	// RepositoryTokens are tokens a day, in and out; 3 million by default.
	RepositoryTokens int64
	// OwnerTokens are tokens a month of all repositories of an owner; 40 million by default.
	OwnerTokens int64
}

// WithDefaults returns the limits with defaults for fields of 0.
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

// Budget limits the cost of commands: it is reserved before each attempt at a call of a model. Safe for concurrent use,
// also by several processes.
type Budget interface {
	// Reserve books the tokens that an attempt at a call may take. Earlier attempts at the call remain booked, at what
	// they took or else at what was reserved for them. If that would exceed a limit, it returns an *OverBudget or an
	// *OverCommand and books nothing.
	Reserve(ctx context.Context, b Reservation) (Booking, error)
	// Charge replaces the tokens that were reserved by those that the attempt took, once. used is what it took of which
	// model; zero if that is not known.
	Charge(ctx context.Context, ev Event, b Booking, tokens int64, used ModelUse) error
	// CountReply counts a reply to a user in the present hour. within is false, and nothing is counted, if the user has
	// had most of them.
	CountReply(ctx context.Context, user, most int64) (within bool, err error)
	// Usage returns the state of each budget that a command of the event counts toward.
	Usage(ctx context.Context, ev Event, limits Limits) ([]BudgetState, error)
}

// Reservation is an attempt at a call of a run before it is made.
type Reservation struct {
	Event Event
	Run   string
	// Call is its number in the run, from 1. The first attempt at call 1 counts as a command.
	Call int
	// Tokens is how many it may take, in and out.
	Tokens int64
	// RunTokens is how many all attempts of the run may take; 0 means any number.
	RunTokens int64
	// Limits are those of the repository.
	Limits Limits
}

// Booking is an attempt at a call of a run for which tokens are reserved.
type Booking struct {
	Run string
	// Call is its number in the run, Attempt its number among the attempts at the call; both from 1.
	Call, Attempt int
	// Use is the share of a budget that is reserved with it: of the budget with the largest share.
	Use BudgetUse
}

// BudgetState is how much of a budget is used.
type BudgetState struct {
	// Of names the budget, as in BudgetUse.
	Of          string
	Used, Limit int64
	// Resets is when the next period begins.
	Resets time.Time
}

// BudgetUse is the share of a budget that is reserved.
type BudgetUse struct {
	// Of names the budget, as in "commands today in this repository".
	Of      string
	Percent int
}

// OverBudget is the error for a budget that is used up.
type OverBudget struct {
	// Of names the budget, as in BudgetUse; Limit is its size.
	Of    string
	Limit int64
	// Kind is the kind of budget, for programs, such as "repository-tokens".
	Kind string
	// Resets is when the next period begins.
	Resets time.Time
}

func (e *OverBudget) Error() string {
	return fmt.Sprintf("%s: the limit of %d is reached until %s", e.Of, e.Limit, e.Resets.Format(time.RFC3339))
}

// OverCommand is the error for an attempt with which a run would take more than one command may.
type OverCommand struct {
	// Needs is how many tokens the run would have taken in all, Limit how many it may take.
	Needs, Limit int64
}

func (e *OverCommand) Error() string {
	return fmt.Sprintf("the command would take %d tokens, more than its limit of %d", e.Needs, e.Limit)
}
