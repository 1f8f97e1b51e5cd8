package bottest

import (
	"context"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Budget counts what the commands of a queue cost. It implements port.Budget. Safe for concurrent use.
type Budget struct {
	queue *Queue // its mutex guards what follows, too

	used     map[string]int64 // by budget and period
	reserved map[string]*reservation
	attempts map[string]int // by run and call
}

var _ port.Budget = (*Budget)(nil)

// NewBudget returns a budget of which nothing is used, for the events of a queue.
func NewBudget(queue *Queue) *Budget {
	return &Budget{queue: queue, used: map[string]int64{}, reserved: map[string]*reservation{},
		attempts: map[string]int{}}
}

type reservation struct {
	run     string
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

// accounts returns the budgets that an attempt at a call uses.
func accounts(ev port.Event, limits port.Limits, isCommand bool, tokens int64, at time.Time) []budgetAccount {
	limits, at = limits.WithDefaults(), at.UTC()
	day, month := at.Format(time.DateOnly), at.Format("2006-01")
	tomorrow := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	nextMonth := time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	var command int64
	if isCommand {
		command = 1
	}
	return []budgetAccount{
		{fmt.Sprintf("user %d %s", ev.Sender.ID, day), "your commands today", limits.UserCommands, command, tomorrow},
		{fmt.Sprintf("repository %d %s", ev.Repo.ID, day), "this repository's commands today", limits.RepositoryCommands,
			command, tomorrow},
		{fmt.Sprintf("tokens %d %s", ev.Repo.ID, day), "this repository's tokens today", limits.RepositoryTokens, tokens,
			tomorrow},
		{fmt.Sprintf("owner %d %s", ev.Repo.Installation, month), "this owner's tokens of the month", limits.OwnerTokens,
			tokens, nextMonth},
	}
}

// Reserve books an attempt at a call.
func (b *Budget) Reserve(ctx context.Context, r port.Reservation) (port.Booking, error) {
	return locked(ctx, b.queue, Call{Op: "Reserve", Text: fmt.Sprint(r.Call), Write: true},
		func() (port.Booking, error) {
			if _, err := b.queue.held(r.Event); err != nil {
				return port.Booking{}, err
			}
			if all := b.booked(r.Run) + r.Tokens; r.RunTokens > 0 && all > r.RunTokens {
				return port.Booking{}, &port.OverCommand{Needs: all, Limit: r.RunTokens}
			}
			call := fmt.Sprintf("%s %d", r.Run, r.Call)
			booking := port.Booking{Run: r.Run, Call: r.Call, Attempt: b.attempts[call] + 1}
			isCommand := booking.Call == 1 && booking.Attempt == 1
			list := accounts(r.Event, r.Limits, isCommand, r.Tokens, b.queue.clock.Now())
			for _, a := range list {
				used := b.used[a.key] + a.use
				if used > a.limit && a.use > 0 {
					return port.Booking{}, &port.OverBudget{Of: a.of, Limit: a.limit, Resets: a.resets}
				}
				if percent := int(used * 100 / a.limit); percent > booking.Use.Percent {
					booking.Use = port.BudgetUse{Of: a.of, Percent: percent}
				}
			}
			for _, a := range list {
				b.used[a.key] += a.use
			}
			b.attempts[call]++
			b.reserved[keyOf(booking)] = &reservation{run: r.Run, tokens: r.Tokens, at: b.queue.clock.Now()}
			return booking, nil
		})
}

// booked returns what the attempts of a run took, or may take.
func (b *Budget) booked(run string) (all int64) {
	for _, r := range b.reserved {
		if r.run == run {
			all += r.tokens
		}
	}
	return all
}

func keyOf(b port.Booking) string { return fmt.Sprintf("%s %d %d", b.Run, b.Call, b.Attempt) }

// Charge replaces what was reserved for an attempt by what it took, once.
func (b *Budget) Charge(ctx context.Context, ev port.Event, booking port.Booking, tokens int64,
	_ port.ModelUse) error {
	return changeLocked(ctx, b.queue, Call{Op: "Charge", Text: fmt.Sprint(booking.Call), Write: true}, func() error {
		if _, err := b.queue.held(ev); err != nil {
			return err
		}
		r := b.reserved[keyOf(booking)]
		if r == nil || r.charged {
			return nil
		}
		for _, a := range accounts(ev, port.Limits{}, false, tokens-r.tokens, r.at) {
			b.used[a.key] += a.use
		}
		r.tokens, r.charged = tokens, true
		return nil
	})
}

// CountReply counts a reply to a user in the present hour.
func (b *Budget) CountReply(ctx context.Context, user, most int64) (bool, error) {
	return locked(ctx, b.queue, Call{Op: "CountReply", Text: fmt.Sprint(user), Write: true}, func() (bool, error) {
		key := fmt.Sprintf("replies %d %s", user, b.queue.clock.Now().UTC().Format("2006-01-02T15"))
		if b.used[key] >= most {
			return false, nil
		}
		b.used[key]++
		return true, nil
	})
}

// Usage returns what is used of each budget that a command like the event's would use.
func (b *Budget) Usage(ctx context.Context, ev port.Event, limits port.Limits) ([]port.BudgetState, error) {
	return locked(ctx, b.queue, Call{Op: "Usage", Text: ev.Repo.String()}, func() (list []port.BudgetState, err error) {
		for _, a := range accounts(ev, limits, true, 0, b.queue.clock.Now()) {
			list = append(list, port.BudgetState{Of: a.of, Used: b.used[a.key], Limit: a.limit, Resets: a.resets})
		}
		return list, nil
	})
}
