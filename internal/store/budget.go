package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// account is the budget of one user, repository or owner in one period.
type account struct {
	key, period string // as in the database
	of          string // the name for people
	limit       int64
	resets      time.Time
	use         int64 // what the call adds
}

// serverAccount returns the budget of the whole server, none if it has no limit. It is not shown to people: it tells of
// others.
func (s *Store) serverAccount(tokens int64, at time.Time) []account {
	if s.serverTokens == 0 {
		return nil
	}
	at = at.UTC()
	tomorrow := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	return []account{{"server-tokens", at.Format(time.DateOnly), "the tokens today on this server", s.serverTokens,
		tomorrow, tokens}}
}

// accounts returns the budgets that an attempt at a call uses, at the time of its reservation. Only the first attempt
// at the first call of a run counts as a command.
func accounts(ev port.Event, limits port.Limits, isCommand bool, tokens int64, at time.Time) []account {
	limits = limits.WithDefaults()
	at = at.UTC()
	day, month := at.Format(time.DateOnly), at.Format("2006-01")
	tomorrow := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	nextMonth := time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	command := int64(toInt(isCommand))
	return []account{
		{fmt.Sprintf("user-commands:%d", ev.Sender.ID), day,
			"your commands today", limits.UserCommands, tomorrow, command},
		{fmt.Sprintf("repository-commands:%d", ev.Repo.ID), day,
			"this repository's commands today", limits.RepositoryCommands, tomorrow, command},
		{fmt.Sprintf("repository-tokens:%d", ev.Repo.ID), day,
			"this repository's tokens today", limits.RepositoryTokens, tomorrow, tokens},
		{fmt.Sprintf("owner-tokens:%d", ev.Repo.Installation), month,
			"this owner's tokens of the month", limits.OwnerTokens, nextMonth, tokens},
	}
}

// Reserve books the tokens of an attempt at a call of a run, if no limit is exceeded by that, beside the earlier
// attempts at the call. It returns *port.OverBudget or *port.OverCommand if one would be exceeded, and
// port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Reserve(ctx context.Context, b port.Reservation) (port.Booking, error) {
	var booked port.Booking
	err := s.write(ctx, "reserving a call", func(tx tx) error {
		booked = port.Booking{Run: b.Run, Call: b.Call}
		if err := s.requireLease(ctx, tx, b.Event); err != nil {
			return err
		}
		err := tx.QueryRowContext(ctx, reserve, b.Run, b.Call, b.Tokens, tx.after(0)).Scan(&booked.Attempt)
		if err != nil {
			return err
		}
		var sum int64
		if err := tx.QueryRowContext(ctx, sumBookings, b.Run).Scan(&sum); err != nil {
			return err
		}
		if b.RunTokens > 0 && sum > b.RunTokens {
			return &port.OverCommand{Needs: sum, Limit: b.RunTokens}
		}
		isCommand := booked.Call == 1 && booked.Attempt == 1
		all := accounts(b.Event, b.Limits, isCommand, b.Tokens, tx.now)
		booked.Use, err = addUses(ctx, tx, append(all, s.serverAccount(b.Tokens, tx.now)...))
		return err
	})
	return booked, err
}

// addUses adds to budgets, and returns the one with the largest share that is used then. It returns *port.OverBudget if
// one would be exceeded.
func addUses(ctx context.Context, tx tx, list []account) (largest port.BudgetUse, err error) {
	for _, a := range list {
		used, err := addUse(ctx, tx, a)
		if err != nil {
			return port.BudgetUse{}, err
		}
		if used > a.limit && a.use > 0 {
			kind, _, _ := strings.Cut(a.key, ":")
			return port.BudgetUse{}, &port.OverBudget{Of: a.of, Limit: a.limit, Kind: kind, Resets: a.resets}
		}
		if percent := int(used * 100 / a.limit); percent > largest.Percent {
			largest = port.BudgetUse{Of: a.of, Percent: percent}
		}
	}
	return largest, nil
}

// addUse adds to a budget and returns what is used of it then. It writes the row also to add 0, which makes other
// reservations wait for the transaction.
func addUse(ctx context.Context, tx tx, a account) (used int64, err error) {
	err = tx.QueryRowContext(ctx, addToBudget, a.key, a.period, a.use).Scan(&used)
	return used, err
}

// Charge charges the tokens that an attempt took instead of those reserved for it, in the period of its reservation. It
// does nothing the second time, or without a reservation. It returns port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Charge(ctx context.Context, ev port.Event, b port.Booking, tokens int64,
	used port.ModelUse) error {
	return s.write(ctx, "charging a call", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		var reserved, at int64
		err := tx.QueryRowContext(ctx, findReservation, b.Run, b.Call, b.Attempt).Scan(&reserved, &at)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, chargeReservation, b.Run, b.Call, b.Attempt, tokens, plainText(used.Model), used.In,
			used.Cached, used.Out, used.Nanos, toInt(used.Unpriced)); err != nil {
			return err
		}
		// The command remains counted.
		all := accounts(ev, port.Limits{}, false, tokens-reserved, time.UnixMilli(at))
		for _, a := range append(all, s.serverAccount(tokens-reserved, time.UnixMilli(at))...) {
			if _, err := addUse(ctx, tx, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// Usage returns what is used now of each budget that a command like the event's would use. It needs no lease.
func (s *Store) Usage(ctx context.Context, ev port.Event, limits port.Limits) ([]port.BudgetState, error) {
	var all []port.BudgetState
	err := s.write(ctx, "reading the budgets", func(tx tx) error {
		all = nil
		for _, a := range accounts(ev, limits, true, 0, tx.now) {
			spent := port.BudgetState{Of: a.of, Limit: a.limit, Resets: a.resets}
			if err := tx.QueryRowContext(ctx, readBudget, a.key, a.period).Scan(&spent.Used); err != nil {
				return err
			}
			all = append(all, spent)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}
