package bottest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Budget counts what commands cost. It implements port.Budget. Safe for concurrent use.
type Budget struct {
	faults *faults
	clock  *Clock
	queue  *Queue // which knows the leases

	mu       sync.Mutex
	used     map[string]int64 // by budget and period
	reserved map[string]*reservation
}

var _ port.Budget = (*Budget)(nil)

// NewBudget returns a budget of which nothing is used, for the events of a queue.
func NewBudget(clock *Clock, queue *Queue) *Budget {
	return &Budget{clock: clock, queue: queue, used: map[string]int64{}, reserved: map[string]*reservation{}}
}

type reservation struct {
	tokens  int64
	at      time.Time
	charged bool
}

// account is the budget of one user, repository or owner in one period.
type budgetAccount struct {
	key, of    string
	limit, use int64
	resets     time.Time
}

// accounts returns the budgets that a call uses; only the first of a run counts as a command.
func accounts(ev port.Event, limits port.Limits, call int, tokens int64, at time.Time) []budgetAccount {
	limits, at = limits.WithDefaults(), at.UTC()
	day, month := at.Format(time.DateOnly), at.Format("2006-01")
	tomorrow := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	nextMonth := time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	var command int64
	if call == 1 {
		command = 1
	}
	return []budgetAccount{
		{fmt.Sprintf("user %d %s", ev.Sender.ID, day), "your commands of today", limits.UserCommands, command, tomorrow},
		{fmt.Sprintf("repository %d %s", ev.Repo.ID, day), "this repository's commands of today", limits.RepositoryCommands,
			command, tomorrow},
		{fmt.Sprintf("tokens %d %s", ev.Repo.ID, day), "this repository's tokens of today", limits.RepositoryTokens, tokens,
			tomorrow},
		{fmt.Sprintf("owner %d %s", ev.Repo.Installation, month), "this owner's tokens of the month", limits.OwnerTokens,
			tokens, nextMonth},
	}
}

// leased checks that an event is still the caller's.
func (b *Budget) leased(ev port.Event) error {
	b.queue.mu.Lock()
	defer b.queue.mu.Unlock()
	_, err := b.queue.held(ev)
	return err
}

// Reserve reserves a call, once.
func (b *Budget) Reserve(ctx context.Context, r port.Reservation) (port.BudgetUse, error) {
	return do(ctx, b.faults, Call{Op: "Reserve", Text: fmt.Sprint(r.Call), Write: true},
		func() (use port.BudgetUse, err error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if err := b.leased(r.Event); err != nil {
				return use, err
			}
			key := fmt.Sprintf("%s %d", r.Run, r.Call)
			_, before := b.reserved[key]
			list := accounts(r.Event, r.Limits, r.Call, r.Tokens, b.clock.Now())
			for i := range list {
				if before {
					list[i].use = 0
				}
				a := list[i]
				used := b.used[a.key] + a.use
				if used > a.limit && a.use > 0 {
					return port.BudgetUse{}, &port.OverBudget{Of: a.of, Limit: a.limit, Resets: a.resets}
				}
				if percent := int(used * 100 / a.limit); percent > use.Percent {
					use = port.BudgetUse{Of: a.of, Percent: percent}
				}
			}
			for _, a := range list {
				b.used[a.key] += a.use
			}
			if !before {
				b.reserved[key] = &reservation{tokens: r.Tokens, at: b.clock.Now()}
			}
			return use, nil
		})
}

// Charge replaces what was reserved for a call with what it used, once.
func (b *Budget) Charge(ctx context.Context, ev port.Event, run string, call int, tokens int64) error {
	_, err := do(ctx, b.faults, Call{Op: "Charge", Text: fmt.Sprint(call), Write: true},
		func() (none struct{}, err error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if err := b.leased(ev); err != nil {
				return none, err
			}
			r := b.reserved[fmt.Sprintf("%s %d", run, call)]
			if r == nil || r.charged {
				return none, nil
			}
			for _, a := range accounts(ev, port.Limits{}, 0, tokens-r.tokens, r.at) {
				b.used[a.key] += a.use
			}
			r.tokens, r.charged = tokens, true
			return none, nil
		})
	return err
}

// CountReply counts a reply to a user in the present hour.
func (b *Budget) CountReply(ctx context.Context, user, most int64) (bool, error) {
	return do(ctx, b.faults, Call{Op: "CountReply", Text: fmt.Sprint(user), Write: true}, func() (bool, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		key := fmt.Sprintf("replies %d %s", user, b.clock.Now().UTC().Format("2006-01-02T15"))
		if b.used[key] >= most {
			return false, nil
		}
		b.used[key]++
		return true, nil
	})
}

// Usage returns what is used of each budget that a command like the event's would use.
func (b *Budget) Usage(ctx context.Context, ev port.Event, limits port.Limits) ([]port.BudgetState, error) {
	return do(ctx, b.faults, Call{Op: "Usage", Text: ev.Repo.String()}, func() (list []port.BudgetState, err error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, a := range accounts(ev, limits, 1, 0, b.clock.Now()) {
			list = append(list, port.BudgetState{Of: a.of, Used: b.used[a.key], Limit: a.limit, Resets: a.resets})
		}
		return list, nil
	})
}
