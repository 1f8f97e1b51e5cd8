package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

var _ port.Budget = (*Store)(nil)

// account is the budget of one user, repository or owner in one period.
type account struct {
	key, period string // as in the database
	of          string // the name for people
	limit       int64
	resets      time.Time
	use         int64 // what the call adds
}

// accounts returns the budgets that a call uses, at the time of its reservation. Only the first call of a run counts as
// a command.
func accounts(ev port.Event, limits port.Limits, call int, tokens int64, at time.Time) []account {
	limits = limits.WithDefaults()
	at = at.UTC()
	day, month := at.Format(time.DateOnly), at.Format("2006-01")
	tomorrow := time.Date(at.Year(), at.Month(), at.Day()+1, 0, 0, 0, 0, time.UTC)
	nextMonth := time.Date(at.Year(), at.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	var command int64
	if call == 1 {
		command = 1
	}
	return []account{
		{fmt.Sprintf("user-commands:%d", ev.Sender.ID), day,
			"your commands of today", limits.UserCommands, tomorrow, command},
		{fmt.Sprintf("repository-commands:%d", ev.Repo.ID), day,
			"this repository's commands of today", limits.RepositoryCommands, tomorrow, command},
		{fmt.Sprintf("repository-tokens:%d", ev.Repo.ID), day,
			"this repository's tokens of today", limits.RepositoryTokens, tomorrow, tokens},
		{fmt.Sprintf("owner-tokens:%d", ev.Repo.Installation), month,
			"this owner's tokens of the month", limits.OwnerTokens, nextMonth, tokens},
	}
}

// Reserve reserves the tokens of a call of a run, once, if no budget is exceeded by that. It returns the budget with
// the largest used share, *port.OverBudget if one would be exceeded, and port.ErrLeaseLost if the lease is no longer
// valid.
func (s *Store) Reserve(ctx context.Context, b port.Reservation) (port.BudgetUse, error) {
	var fill port.BudgetUse
	err := s.write(ctx, "reserving a call", func(tx tx) error {
		fill = port.BudgetUse{}
		if err := s.requireLease(ctx, tx, b.Event); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, reserve, b.Run, b.Call, b.Tokens, tx.after(0))
		if err != nil {
			return err
		}
		isNew, err := res.RowsAffected()
		if err != nil {
			return err
		}
		for _, a := range accounts(b.Event, b.Limits, b.Call, b.Tokens, tx.now) {
			if isNew == 0 {
				a.use = 0 // a previous attempt reserved it
			}
			used, err := addUse(ctx, tx, a)
			if err != nil {
				return err
			}
			if used > a.limit && a.use > 0 {
				return &port.OverBudget{Of: a.of, Limit: a.limit, Resets: a.resets}
			}
			if percent := int(used * 100 / a.limit); percent > fill.Percent {
				fill = port.BudgetUse{Of: a.of, Percent: percent}
			}
		}
		return nil
	})
	return fill, err
}

// addUse adds to a budget and returns what is used of it then. It writes the row also to add 0, which makes other
// reservations wait for the transaction.
func addUse(ctx context.Context, tx tx, a account) (used int64, err error) {
	err = tx.QueryRowContext(ctx, addToBudget, a.key, a.period, a.use).Scan(&used)
	return used, err
}

// Charge charges the tokens that a call used instead of those reserved for it, in the period of its reservation. It
// does nothing the second time, or without a reservation. It returns port.ErrLeaseLost if the lease is no longer valid.
func (s *Store) Charge(ctx context.Context, ev port.Event, run string, call int, tokens int64) error {
	return s.write(ctx, "charging a call", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		var reserved, at int64
		err := tx.QueryRowContext(ctx, findReservation, run, call).Scan(&reserved, &at)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, chargeReservation, run, call, tokens); err != nil {
			return err
		}
		// Call 0 is not the first one: the command remains counted.
		for _, a := range accounts(ev, port.Limits{}, 0, tokens-reserved, time.UnixMilli(at)) {
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
		for _, a := range accounts(ev, limits, 1, 0, tx.now) {
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
