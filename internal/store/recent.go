package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// RunFilter selects runs that have ended. An empty field selects all.
type RunFilter struct {
	// Owner, Repo and Person ignore case. Owner is required where Repo is set.
	Owner, Repo, Person string
	Outcome             port.EndOutcome
	// Since is when the runs ended at the earliest.
	Since time.Time
	// Before is the place in the audit before which the runs are.
	Before int64
}

// ListedRun is a run that has ended, as it ended last.
type ListedRun struct {
	port.Ended
	// Seq is its place in the audit.
	Seq int64
}

// conditions returns the conditions of a statement about the audit a, and their arguments. Only those that select
// something are among them, so that the database can use its indexes.
func (f RunFilter) conditions() (text string, args []any) {
	var b strings.Builder
	b.WriteString(lastEnds)
	add := func(condition string, arg any, wanted bool) {
		if wanted {
			args = append(args, arg)
			fmt.Fprintf(&b, condition, len(args))
		}
	}
	add(" AND a.owner = $%d", key(f.Owner), f.Owner != "")
	add(" AND a.repo = $%d", key(f.Repo), f.Repo != "")
	add(" AND a.person = $%d", key(f.Person), f.Person != "")
	add(" AND a.outcome = $%d", string(f.Outcome), f.Outcome != "")
	add(" AND a.at >= $%d", f.Since.UnixMilli(), !f.Since.IsZero())
	add(" AND a.seq < $%d", f.Before, f.Before != 0)
	return b.String(), args
}

// Recent returns the runs that have ended and fit a filter, newest first, at most most.
func (s *Store) Recent(ctx context.Context, f RunFilter, most int) ([]ListedRun, error) {
	where, args := f.conditions()
	args = append(args, most)
	return s.listRuns(ctx, listEnds+where+fmt.Sprintf(" ORDER BY a.seq DESC LIMIT $%d", len(args)), args)
}

// EachRecent calls each with the runs that have ended and fit a filter, in the order of their ends, until it returns an
// error. The server is not held up meanwhile.
func (s *Store) EachRecent(ctx context.Context, f RunFilter, each func(port.Ended) error) error {
	where, args := f.conditions()
	args = append(args, int64(0), auditPage)
	query := listEnds + where + fmt.Sprintf(" AND a.seq > $%d ORDER BY a.seq LIMIT $%d", len(args)-1, len(args))
	for more := true; more; {
		page, err := s.listRuns(ctx, query, args)
		if err != nil {
			return err
		}
		for _, r := range page {
			if err := each(r.Ended); err != nil {
				return err
			}
			args[len(args)-2] = r.Seq
		}
		more = len(page) == auditPage
	}
	return nil
}

// RecentRepositories returns the newest run that has ended and fits a filter of each repository, at most most: those
// of the repositories with the newest runs, newest first. A name is one repository here.
func (s *Store) RecentRepositories(ctx context.Context, f RunFilter, most int) ([]ListedRun, error) {
	where, args := f.conditions()
	args = append(args, most)
	return s.listRuns(ctx, fmt.Sprintf(`SELECT seq, version, body FROM audit
WHERE seq IN (SELECT max(a.seq) FROM audit a%s GROUP BY a.owner, a.repo) ORDER BY seq DESC LIMIT $%d`,
		where, len(args)), args)
}

// listRuns reads the runs that a statement selects. It does so without a transaction, which would keep others from
// writing.
func (s *Store) listRuns(ctx context.Context, query string, args []any) (list []ListedRun, err error) {
	defer func() {
		if err != nil {
			list, err = nil, fmt.Errorf("listing runs: %w", s.database.explain(err))
		}
	}()
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r ListedRun
		var version int
		var body string
		if err := rows.Scan(&r.Seq, &version, &body); err != nil {
			return nil, err
		}
		if r.Ended, err = decodeEnded(r.Seq, version, body); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// decodeEnded reads an entry of the audit.
func decodeEnded(seq int64, version int, body string) (e port.Ended, err error) {
	if version < 1 || version > auditVersion {
		return e, unknownVersion(fmt.Sprintf("entry %d of the audit", seq), version, auditVersion)
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return e, fmt.Errorf("entry %d of the audit is damaged: %w", seq, err)
	}
	return e, nil
}
