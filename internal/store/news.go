package store

import (
	"context"

	"github.com/tenon-bot/tenon/bot/port"
)

// A news is what a process tells the others that use the database: where to look for something new. Losing one costs
// the time until the next poll only.
type news string

const (
	newsReady     news = "ready"     // an event may have become ready
	newsImmediate news = "immediate" // an immediate event may have
	newsCancelled news = "cancelled" // a leased event was cancelled

	newsRepositories news = "repositories" // an installation got or lost repositories
)

// wakeWorkers wakes the workers of the immediate events or of the others, those of other processes too, without
// blocking.
func (s *Store) wakeWorkers(immediate bool) {
	n := newsReady
	if immediate {
		n = newsImmediate
	}
	s.wakeOwn(n)
	s.database.tell(n)
}

// wakeAll wakes all workers of this process, without blocking.
func (s *Store) wakeAll() {
	s.wakeOwn(newsReady)
	s.wakeOwn(newsImmediate)
}

// wakeOwn wakes the workers of this process, without blocking.
func (s *Store) wakeOwn(n news) {
	wake := s.wake
	if n == newsImmediate {
		wake = s.wakeImmediate
	}
	select {
	case wake <- struct{}{}:
	default:
	}
}

// RepositoriesChanged tells the other processes that an installation got or lost repositories. It does not wait for
// that, and one that does not listen just now is not told.
func (s *Store) RepositoriesChanged() { s.database.tell(newsRepositories) }

// OnRepositoriesChanged has fn called each time another process calls RepositoriesChanged. fn must not block.
func (s *Store) OnRepositoriesChanged(fn func()) { s.repositoriesChanged.Store(&fn) }

// told does what the news of another process ask for.
func (s *Store) told(ctx context.Context, n news) {
	switch n {
	case newsReady, newsImmediate:
		s.wakeOwn(n)
	case newsCancelled:
		if err := s.endCancelled(ctx); err != nil {
			s.log.WarnContext(ctx, "a cancelled event ends when its lease is renewed", "error", err)
		}
	case newsRepositories:
		if changed := s.repositoriesChanged.Load(); changed != nil {
			(*changed)()
		}
	}
}

// endCancelled ends the handlers of this process whose event was cancelled.
func (s *Store) endCancelled(ctx context.Context) error {
	if s.leases.none() {
		return nil
	}
	var rows []row
	err := s.write(ctx, "looking for cancelled events", func(tx tx) (err error) {
		rows, err = queryRows(ctx, tx, findCancelledLeases)
		return err
	})
	for _, r := range rows {
		s.leases.end(r.lease, &port.CancelledError{By: r.cancelledBy})
	}
	return err
}
