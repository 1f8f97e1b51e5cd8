package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxPendingReports bounds the commits whose reports wait to be written, and maxReportBatch those of one transaction:
	// few, as commands wait for it.
	maxPendingReports = 10_000
	maxReportBatch    = 200
	// reportRest is how many times as long as one of these transactions took others have the database before the next.
	// The reports that come meanwhile are written together.
	reportRest = 4
	// mostReports bounds the commits with noted reports, and mostReportsOf those of one installation. What is beyond is
	// forgotten, oldest first: a commit is followed seconds after it was made.
	mostReports, mostReportsOf = 20_000, 2_000
	// trimEvery is how many reports are noted before the older ones are looked at.
	trimEvery = 500
	// maxMissed bounds the commits of one repository that are looked at as reports may be missing.
	maxMissed = 1000
)

// errTooManyReports means that reports of CI come faster than they can be written.
var errTooManyReports = errors.New("too many reports of CI wait to be written")

// commit is a commit of a repository.
type commit struct {
	installation, repository int64
	sha                      string
}

// compare orders commits as their reports are locked.
func (c commit) compare(other commit) int {
	return cmp.Or(cmp.Compare(c.repository, other.repository), cmp.Compare(c.sha, other.sha))
}

// reports are the reports of CI that the next transactions will write. The zero value is ready.
type reports struct {
	mu      sync.Mutex
	pending map[commit]*report
	writing bool
	closed  bool
	writers sync.WaitGroup
	// stop is closed when the store is.
	stop chan struct{}
	// noted counts the reports that were noted since older ones were looked at.
	noted int
}

// report is the news that CI reported about a commit. followed and err are set when done is closed.
type report struct {
	done     chan struct{}
	followed bool
	err      error
}

// Reported wakes the events that wait for what CI says of a commit, and notes the report for those that begin to within
// an hour. followed reports whether there are any. A burst of reports costs little more than one, and none of them
// takes the database from commands for long. It returns an error if far too many come.
func (s *Store) Reported(ctx context.Context, repo port.RepoRef, sha string) (followed bool, err error) {
	if !isName(sha) {
		return false, &recordError{fmt.Sprintf("noting a report of CI: %.50q is no commit", sha)}
	}
	r, err := s.reportSoon(commit{repo.Installation, repo.ID, sha})
	if err != nil {
		s.tellOfReports(ctx, err)
		return false, fmt.Errorf("noting a report of CI: %w", err)
	}
	select {
	case <-r.done:
		return r.followed, r.err
	case <-ctx.Done():
		return false, fmt.Errorf("noting a report of CI: %w", context.Cause(ctx))
	}
}

// reportSoon adds a report to the pending ones, and starts a goroutine to write them if none runs.
func (s *Store) reportSoon(reported commit) (*report, error) {
	q := &s.reports
	q.mu.Lock()
	defer q.mu.Unlock()
	switch r := q.pending[reported]; {
	case q.closed:
		return nil, ErrClosed
	case r != nil:
		return r, nil
	case len(q.pending) >= maxPendingReports:
		return nil, errTooManyReports
	}
	if q.pending == nil {
		q.pending = map[commit]*report{}
	}
	r := &report{done: make(chan struct{})}
	q.pending[reported] = r
	if !q.writing {
		q.writing = true
		q.writers.Go(s.writeReports)
	}
	return r, nil
}

// writeReports writes the pending reports, a batch at a time, until none came during a rest.
func (s *Store) writeReports() {
	for batch := s.reports.take(); batch != nil; batch = s.reports.take() {
		begun := time.Now()
		s.writeBatch(batch)
		rest := time.NewTimer(reportRest * time.Since(begun))
		select {
		case <-s.reports.stop: // the others are written at once
		case <-rest.C:
		}
		rest.Stop()
	}
}

// tellOfReports logs that reports cannot be noted, once an hour: floods of them come, and none has to.
func (s *Store) tellOfReports(ctx context.Context, err error) {
	if s.limitsTold.once("reports", time.Now()) {
		s.log.ErrorContext(ctx, "cannot record CI reports; not logged again for an hour", "error", err)
	}
}

// writeBatch writes reports, and tells those who wait for that.
func (s *Store) writeBatch(batch map[commit]*report) {
	ctx := context.Background() // they are of several deliveries
	commits := slices.SortedFunc(maps.Keys(batch), commit.compare)
	followed, err := s.noteReports(ctx, commits, true)
	for i, of := range commits {
		r := batch[of]
		if r.err = err; err == nil {
			r.followed = followed[i]
		}
		close(r.done)
	}
	if err != nil {
		s.tellOfReports(ctx, err)
		return
	}
	if s.reports.noted += len(commits); s.reports.noted < trimEvery {
		return
	}
	s.reports.noted = 0
	if err := s.trimReports(ctx, commits); err != nil {
		s.log.WarnContext(ctx, "cannot delete old CI reports", "error", err)
	}
}

// noteReports wakes the events that wait for the reports of some commits, which are in order, and reports which of them
// are followed. If the reports are new, it notes them for others.
func (s *Store) noteReports(ctx context.Context, commits []commit, areNew bool) (followed []bool, err error) {
	err = s.write(ctx, "noting reports of CI", func(tx tx) error {
		followed = make([]bool, len(commits))
		var notes, wakes, pending calls
		for _, c := range commits {
			notes.add(noteReport, c.repository, c.sha, c.installation, tx.after(0), tx.after(-reportsLast))
			wakes.add(wakeFollowers, c.repository, c.sha, tx.after(burst), tx.after(longBurst), manyReports,
				tx.after(-s.follow), tx.after(0))
		}
		if areNew {
			if _, err := tx.execAll(ctx, notes); err != nil {
				return err
			}
		}
		woken, err := tx.execAll(ctx, wakes)
		if err != nil {
			return err
		}
		for i, n := range woken {
			if followed[i] = n > 0; followed[i] {
				pending.add(markPending, commits[i].repository, commits[i].sha)
			}
		}
		if len(pending) > 0 {
			_, err = tx.execAll(ctx, pending)
		}
		return err
	})
	return followed, err
}

// Missed has the commits of a repository looked at that events wait for, as if CI had reported about them: its reports
// may not have arrived.
func (s *Store) Missed(ctx context.Context, repository int64) error {
	var commits []commit
	err := s.write(ctx, "looking for commits without reports", func(tx tx) error {
		commits = nil
		shas, err := collect(ctx, tx, scanOne[string], findWatched, repository, tx.after(-s.follow), maxMissed)
		for _, sha := range shas {
			commits = append(commits, commit{repository: repository, sha: sha})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(commits, commit.compare)
	for some := range slices.Chunk(commits, maxReportBatch) {
		if _, err := s.noteReports(ctx, some, false); err != nil {
			return err
		}
	}
	return nil
}

// trimReports deletes the noted reports that are too old or too many, of all and of the installations of some commits.
func (s *Store) trimReports(ctx context.Context, commits []commit) error {
	of := map[int64]bool{}
	for _, c := range commits {
		of[c.installation] = true
	}
	return s.write(ctx, "deleting old reports of CI", func(tx tx) error {
		if _, err := tx.ExecContext(ctx, deleteReports, tx.after(-reportsLast)); err != nil {
			return err
		}
		for _, installation := range slices.Sorted(maps.Keys(of)) {
			if _, err := tx.ExecContext(ctx, trimReportsOf, installation, mostReportsOf); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, trimReports, mostReports)
		return err
	})
}

// take removes the next batch from the pending reports; nil if there is none, and then the writing goroutine has to
// end.
func (q *reports) take() map[commit]*report {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.pending) == 0 {
		q.pending, q.writing = nil, false
		return nil
	}
	if len(q.pending) <= maxReportBatch {
		batch := q.pending
		q.pending = nil
		return batch
	}
	batch := map[commit]*report{}
	for c, r := range q.pending {
		if len(batch) == maxReportBatch {
			break
		}
		batch[c] = r
		delete(q.pending, c)
	}
	return batch
}

// close refuses new reports and waits until the pending ones are written.
func (q *reports) close() {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.stop)
	}
	q.mu.Unlock()
	q.writers.Wait()
}
