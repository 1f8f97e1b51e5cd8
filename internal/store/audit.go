package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// auditVersion is the version of the JSON of port.Ended that this program writes.
const auditVersion = 1

// The audit lists so many commands a day that came to nothing and were given by people without write permission: of one
// person, of one installation, and of all. In a public repository that is anybody, and the disk must not be theirs to
// fill. The rest is counted.
const (
	maxListedOfPerson       = 20
	maxListedOfInstallation = 200
	maxListed               = 1000
)

// Describe sets what tells from its record what the run of an event came to, when nobody else can: a program died
// again and again, or the App was uninstalled.
func (s *Store) Describe(describe func(port.Event, port.Run) port.Ended) { s.describe.Store(&describe) }

// Committing implements port.Audit.
func (s *Store) Committing(ctx context.Context, ev port.Event, e port.Ended) error {
	return s.write(ctx, "writing to the audit", func(tx tx) error {
		if err := s.requireLease(ctx, tx, ev); err != nil {
			return err
		}
		var known int
		if err := tx.QueryRowContext(ctx, findCommitting, e.Run).Scan(&known); err != nil || known > 0 {
			return err
		}
		e.At = tx.now.UTC()
		return insertAudit(ctx, tx, insertCommitting, e)
	})
}

// endOf returns what the run of an event came to that ends in a state; ok is false if it is no end of a run.
func (s *Store) endOf(ctx context.Context, tx tx, ev port.Event, to eventState) (e port.Ended, ok bool, err error) {
	if to.state != stateDone && to.state != stateDeadLetter {
		return e, false, nil
	}
	if e, ok = s.ends.get(ev.Lease); ok {
		return e, true, nil
	}
	var by *port.CancelledError
	switch {
	case errors.As(to.cause, &by):
		e, ok, err = s.described(ctx, tx, ev)
		e.Outcome, e.By = port.EndCancelled, by.By
	case to.state == stateDeadLetter:
		e, ok, err = s.described(ctx, tx, ev)
		e.Outcome, e.Reason = port.EndFailed, port.ReasonError
	}
	return e, ok, err
}

// described returns what the record of an event's run tells of its end; ok is false if the event gives no command.
func (s *Store) described(ctx context.Context, tx tx, ev port.Event) (e port.Ended, ok bool, err error) {
	describe := s.describe.Load()
	if describe == nil {
		return e, false, nil
	}
	run, err := findRunOf(ctx, tx, ev.Delivery)
	if err != nil {
		return e, false, err
	}
	e = (*describe)(ev, run)
	return e, e.Command != "" || len(run.Steps) > 0, nil
}

// keepEnd adds the end of a run to the audit, with what its calls took.
func keepEnd(ctx context.Context, tx tx, e *port.Ended) error {
	used, err := usedModels(ctx, tx, e.Run)
	if err != nil {
		return err
	}
	if e.At = tx.now.UTC(); len(used) > 0 {
		e.Models = used
	}
	if e.Permission == "" {
		if err := permissionBefore(ctx, tx, e); err != nil {
			return err
		}
	}
	if err := countFormats(ctx, tx, *e); err != nil {
		return err
	}
	listed, err := isListed(ctx, tx, *e)
	if err != nil || !listed {
		return err
	}
	return insertAudit(ctx, tx, insertEnded, *e)
}

// permissionBefore sets the permission of the end of a run to that of the run's entry before, if there is one.
func permissionBefore(ctx context.Context, tx tx, e *port.Ended) error {
	var body string
	err := tx.QueryRowContext(ctx, findNewestEntry, e.Run).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	var before port.Ended
	if err := json.Unmarshal([]byte(body), &before); err == nil { // else a later program wrote it
		e.Permission = before.Permission
	}
	return nil
}

// isListed reports whether the end of a run is to be in the audit, and counts it if not every one is.
func isListed(ctx context.Context, tx tx, e port.Ended) (bool, error) {
	if len(e.Commits) > 0 || e.Unsure || len(e.Models) > 0 || e.Permission.Allows(port.PermissionWrite) {
		return true, nil
	}
	day := e.At.Format(time.DateOnly)
	sources := []struct {
		key  string
		most int64
	}{
		{"all", maxListed},
		{fmt.Sprintf("installation:%d", e.Installation), maxListedOfInstallation},
		{fmt.Sprintf("person:%d", e.PersonID), maxListedOfPerson},
	}
	listed := true
	for i, s := range sources {
		if i == len(sources)-1 && !listed {
			return false, nil // no row for each of any number of people
		}
		var seen, has int64
		if err := tx.QueryRowContext(ctx, countAudit, day, s.key).Scan(&seen, &has); err != nil {
			return false, err
		}
		listed = listed && has < s.most
	}
	if !listed {
		return false, nil
	}
	for _, s := range sources {
		if _, err := tx.ExecContext(ctx, countListed, day, s.key); err != nil {
			return false, err
		}
	}
	return true, nil
}

func insertAudit(ctx context.Context, tx tx, statement string, e port.Ended) error {
	body, err := json.Marshal(e)
	if err != nil {
		return &recordError{"encoding an entry of the audit: " + err.Error()}
	}
	_, err = tx.ExecContext(ctx, statement, e.Run, e.At.UnixMilli(), e.Installation, key(e.Owner), key(e.Repo),
		key(e.Person), key(e.Command), string(e.Outcome), auditVersion, string(body))
	return err
}

// key returns a name as the audit is searched for it.
func key(name string) string { return strings.ToLower(plainText(name)) }

// usedModels returns what the attempts of a run took, by model.
func usedModels(ctx context.Context, tx tx, run string) (all []port.ModelUse, err error) {
	rows, err := tx.QueryContext(ctx, findUsedModels, run)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var m port.ModelUse
		var unpriced int
		err := rows.Scan(&m.Model, &m.Calls, &m.In, &m.Cached, &m.Out, &m.Nanos, &unpriced, &m.Reserved)
		if err != nil {
			return nil, err
		}
		m.Unpriced = unpriced != 0 || m.Model == ""
		all = append(all, m)
	}
	return all, rows.Err()
}

// keepDropped adds to the audit the events that a cancel ended before anybody worked on them.
func (s *Store) keepDropped(ctx context.Context, tx tx, cancel port.Event) error {
	rows, err := queryRows(ctx, tx, findDropped, cancel.Delivery, tx.after(0), maxQueued)
	if err != nil {
		return err
	}
	for _, r := range rows {
		ev, err := decodeEvent(r)
		if err != nil {
			continue
		}
		e, ok, err := s.described(ctx, tx, ev)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		e.Outcome, e.By = port.EndCancelled, plainText(cancel.Sender.Login)
		if err := keepEnd(ctx, tx, &e); err != nil {
			return err
		}
	}
	return nil
}

// dropUnfinished deletes some events of an uninstalled App that wait and whose runs were started, and adds to the audit
// what these came to.
func (s *Store) dropUnfinished(ctx context.Context, tx tx, installation int64) (deleted int64, err error) {
	rows, err := queryRows(ctx, tx, findUnfinished, installation, deleteBatch)
	if err != nil {
		return 0, err
	}
	for _, r := range rows {
		var e port.Ended
		var command bool
		if ev, err := decodeEvent(r); err == nil {
			if e, command, err = s.described(ctx, tx, ev); err != nil {
				return 0, err
			}
			used, err := usedModels(ctx, tx, e.Run) // which go with the event
			if err != nil {
				return 0, err
			}
			e.Models = used
		}
		n, err := deleteEvents(ctx, tx, deleteUnfinished, r.delivery)
		if err != nil || n == 0 { // it was claimed just now
			return deleted, err
		}
		deleted++
		if !command {
			continue
		}
		e.Outcome, e.Reason = port.EndDropped, ""
		if err := keepEnd(ctx, tx, &e); err != nil {
			return 0, err
		}
	}
	return deleted, nil
}
