package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot"
)

var _ bot.Budget = (*Store)(nil)

// account is a budget of one user, repository or owner, in the period that it counts in.
type account struct {
	key, period, of string
	limit           int64
	resets          time.Time
	// use is what a call adds.
	use int64
}

// accounts are the budgets that a call counts in, at the time of the booking. Only the first call of a run is a command.
func accounts(ev bot.Event, limits bot.Limits, call int, tokens int64, at time.Time) []account {
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
		{fmt.Sprintf("user-commands:%d", ev.Sender.ID), day, "your commands of today", limits.UserCommands, tomorrow, command},
		{fmt.Sprintf("repository-commands:%d", ev.Repo.ID), day, "this repository's commands of today", limits.RepositoryCommands, tomorrow, command},
		{fmt.Sprintf("repository-tokens:%d", ev.Repo.ID), day, "this repository's tokens of today", limits.RepositoryTokens, tomorrow, tokens},
		{fmt.Sprintf("owner-tokens:%d", ev.Repo.Installation), month, "this owner's tokens of the month", limits.OwnerTokens, nextMonth, tokens},
	}
}

// Reserve books a call of a run, in one transaction with the check of all its budgets. *bot.OverBudget when one would be
// passed; bot.ErrLeaseLost when the event is no longer ours.
func (s *Store) Reserve(ctx context.Context, b bot.Booking) (bot.Fill, error) {
	var fill bot.Fill
	err := s.write(ctx, "booking a call", func(tx *sql.Tx) error {
		if err := s.hold(ctx, tx, b.Event); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, book, b.Run, b.Call, b.Tokens, s.millis(0))
		if err != nil {
			return err
		}
		isNew, err := res.RowsAffected()
		if err != nil {
			return err
		}
		for _, a := range accounts(b.Event, b.Limits, b.Call, b.Tokens, s.now()) {
			if isNew == 0 {
				a.use = 0 // booked by an attempt that died
			}
			used, err := s.use(ctx, tx, a)
			if err != nil {
				return err
			}
			if used > a.limit && a.use > 0 {
				return &bot.OverBudget{Of: a.of, Limit: a.limit, Resets: a.resets}
			}
			if percent := int(used * 100 / a.limit); percent > fill.Percent {
				fill = bot.Fill{Of: a.of, Percent: percent}
			}
		}
		return nil
	})
	return fill, err
}

// use adds to a budget and returns what is used of it then. The row is written even for nothing, so that others wait.
func (s *Store) use(ctx context.Context, tx *sql.Tx, a account) (used int64, err error) {
	err = tx.QueryRowContext(ctx, useBudget, a.key, a.period, a.use).Scan(&used)
	return used, err
}

// Settle puts what a call took in the place of what was reserved, in the period of its booking; the second time is nothing.
func (s *Store) Settle(ctx context.Context, ev bot.Event, run string, call int, tokens int64) error {
	return s.write(ctx, "settling a call", func(tx *sql.Tx) error {
		if err := s.hold(ctx, tx, ev); err != nil {
			return err
		}
		var reserved, booked int64
		err := tx.QueryRowContext(ctx, findBooking, run, call).Scan(&reserved, &booked)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, settleBooking, run, call, tokens); err != nil {
			return err
		}
		// Call 0 is no first call: commands stay counted.
		for _, a := range accounts(ev, bot.Limits{}, 0, tokens-reserved, time.UnixMilli(booked)) {
			if _, err := s.use(ctx, tx, a); err != nil {
				return err
			}
		}
		return nil
	})
}

// Left returns what is used of each budget that a command like the event's would count in, now. It wants no lease.
func (s *Store) Left(ctx context.Context, ev bot.Event, limits bot.Limits) ([]bot.Spent, error) {
	var all []bot.Spent
	for _, a := range accounts(ev, limits, 1, 0, s.now()) {
		spent := bot.Spent{Of: a.of, Limit: a.limit, Resets: a.resets}
		if err := s.db.QueryRowContext(ctx, readBudget, a.key, a.period).Scan(&spent.Used); err != nil {
			return nil, fmt.Errorf("reading a budget: %w", s.explain(err))
		}
		all = append(all, spent)
	}
	return all, nil
}
