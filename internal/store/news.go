package store

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// A news is what a process tells the others that use the database: where to look for something new. Losing one costs
// the time until the next poll only.
type news string

const (
	newsReady     news = "ready"     // an event may have become ready
	newsImmediate news = "immediate" // an immediate event may have
	newsFollowing news = "following" // an event that follows a commit may have
	newsCancelled news = "cancelled" // a leased event was cancelled

	newsRepositories news = "repositories" // an installation got or lost repositories
	newsRun          news = "run "         // what is followed by the id of a run: something happened in it
)

// wakeWorkers wakes the workers of a lane, those of other processes too, without blocking.
func (s *Store) wakeWorkers(l lane) {
	s.wakeOwn(l)
	s.database.tell(l.news())
}

// wakeOwn wakes the workers of a lane in this process, without blocking.
func (s *Store) wakeOwn(l lane) {
	select {
	case s.wake[l] <- struct{}{}:
	default:
	}
}

// RepositoriesChanged tells the other processes that an installation got or lost repositories. It does not wait for
// that, and one that does not listen just now is not told.
func (s *Store) RepositoriesChanged() { s.database.tell(newsRepositories) }

// OnRepositoriesChanged has fn called each time another process calls RepositoriesChanged. fn must not block.
func (s *Store) OnRepositoriesChanged(fn func()) { s.repositoriesChanged.Store(&fn) }

// OnRunChanged has fn called with the id of a run each time another process has started it, has recorded a step of it
// or has ended an attempt at it, and when an attempt has ended here. fn must not block. A process that does not listen
// just now is not told by others. Only processes that have called OnRunChanged tell others.
func (s *Store) OnRunChanged(fn func(run string)) { s.runChanged.Store(&fn) }

// tellRun tells the other processes, soon, that something has happened in a run.
func (s *Store) tellRun(run string) {
	if s.runChanged.Load() != nil {
		s.database.tell(newsRun + news(run))
	}
}

// attemptEnded tells those who follow the run of an event that its lease has ended.
func (s *Store) attemptEnded(ev port.Event) {
	if changed := s.runChanged.Load(); changed != nil && ev.Kind != port.Following {
		(*changed)(port.RunID(ev.Delivery))
		s.tellRun(port.RunID(ev.Delivery))
	}
}

// told does what the news of another process ask for.
func (s *Store) told(ctx context.Context, n news) {
	if run, ok := strings.CutPrefix(string(n), string(newsRun)); ok {
		if changed := s.runChanged.Load(); changed != nil {
			(*changed)(run)
		}
		return
	}
	switch n {
	case newsReady:
		s.wakeOwn(threadLane)
	case newsImmediate:
		s.wakeOwn(immediateLane)
	case newsFollowing:
		s.wakeOwn(followingLane)
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

// news returns what is told to the workers of a lane.
func (l lane) news() news {
	return [lanes]news{newsReady, newsImmediate, newsFollowing}[l]
}
