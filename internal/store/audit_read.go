package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// AuditFilter selects entries of the audit. An empty field selects all.
type AuditFilter struct {
	// Since and Until bound when a run ended: from Since on, before Until.
	Since, Until time.Time
	// Owner, Repo and Person ignore case.
	Owner, Repo, Person, Command string
	Outcome                      port.EndOutcome
	Run                          string
	// Latest leaves out the earlier ends of runs that ended again.
	Latest bool
}

// Unlisted counts commands that came to nothing and are not in the audit, because there were too many.
type Unlisted struct {
	// Day is as in "2026-11-20", in UTC.
	Day          string
	Installation int64
	Count        int64
}

// auditPage is how many entries are read at a time.
const auditPage = 500

// Audit calls each with the entries that fit a filter, in the order in which they were made, until it returns an error.
// The server is not held up meanwhile.
func (s *Store) Audit(ctx context.Context, f AuditFilter, each func(port.Ended) error) error {
	var after int64
	for more := true; more; {
		page, last, err := s.auditPage(ctx, f, after)
		if err != nil {
			return fmt.Errorf("reading the audit: %w", s.database.explain(err))
		}
		for _, e := range page {
			if err := each(e); err != nil {
				return err
			}
		}
		after, more = last, len(page) == auditPage
	}
	return nil
}

// auditPage reads the next entries after one, and returns the last of them. It does so without a transaction, which
// would keep others from writing.
func (s *Store) auditPage(ctx context.Context, f AuditFilter, after int64) (page []port.Ended, last int64,
	err error) {
	until := int64(math.MaxInt64)
	if !f.Until.IsZero() {
		until = f.Until.UnixMilli()
	}
	since := int64(0)
	if !f.Since.IsZero() {
		since = f.Since.UnixMilli()
	}
	rows, err := s.db.QueryContext(ctx, listAudit, after, since, until, key(f.Owner), key(f.Repo), key(f.Person),
		key(f.Command), string(f.Outcome), f.Run, toInt(f.Latest), auditPage)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var version int
		var body string
		if err := rows.Scan(&last, &version, &body); err != nil {
			return nil, 0, err
		}
		e, err := decodeEnded(last, version, body)
		if err != nil {
			return nil, 0, err
		}
		page = append(page, e)
	}
	return page, last, rows.Err()
}

// Unlisted returns how many commands the audit leaves out, by day and installation, in the days of a filter.
func (s *Store) Unlisted(ctx context.Context, f AuditFilter) (all []Unlisted, err error) {
	until := "9999-12-31"
	if !f.Until.IsZero() {
		until = f.Until.Add(-time.Millisecond).UTC().Format(time.DateOnly)
	}
	rows, err := s.db.QueryContext(ctx, listUnlisted, f.Since.UTC().Format(time.DateOnly), until)
	if err != nil {
		return nil, fmt.Errorf("reading the audit: %w", s.database.explain(err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var u Unlisted
		var source string
		if err := rows.Scan(&u.Day, &source, &u.Count); err != nil {
			return nil, err
		}
		u.Installation, _ = strconv.ParseInt(strings.TrimPrefix(source, "installation:"), 10, 64)
		all = append(all, u)
	}
	return all, rows.Err()
}

// Audit is Store.Audit.
func (o *Operator) Audit(ctx context.Context, f AuditFilter, each func(port.Ended) error) error {
	return o.s.Audit(ctx, f, each)
}

// Unlisted is Store.Unlisted.
func (o *Operator) Unlisted(ctx context.Context, f AuditFilter) ([]Unlisted, error) {
	return o.s.Unlisted(ctx, f)
}
