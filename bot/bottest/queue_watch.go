package bottest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// reportsLast is how long a report of CI counts for those who follow the commit only then, and how long a commit is
	// followed before it is looked at without one.
	reportsLast = time.Hour
	// Burst is how long after a report of CI an event becomes ready, so that many reports are looked at once.
	Burst = 2 * time.Second
)

// watch is the commit whose reports an event waits for.
type watch struct {
	commit string    // as commitKey names it; empty for none
	at     time.Time // when it began
	// stopped means that the commands of the thread were cancelled since.
	stopped bool
	// reported means that CI reported since the event was claimed.
	reported bool
}

func commitKey(repo int64, sha string) string { return fmt.Sprintf("%d@%s", repo, sha) }

// Follow accepts an event that follows a commit.
func (q *Queue) Follow(ctx context.Context, ev port.Event) error {
	return change(ctx, q.faults, Call{Op: "Follow", Text: ev.Delivery, Write: true}, func() error {
		if ev.Kind != port.Following || ev.Followed == nil {
			return &recordError{"an event that follows a commit says which"}
		}
		if err := q.Submit(ctx, ev); err != nil {
			return err
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		i, now := q.find(ev.Delivery), q.clock.Now()
		if i.watch.commit != "" {
			return nil
		}
		if ev.Followed.Check != nil {
			i.notBefore = now.Add(port.CheckLater)
			return nil
		}
		i.watch = watch{commit: commitKey(ev.Repo.ID, ev.Followed.Commit), at: now}
		i.waitsFor, i.notBefore = port.CIReport, now.Add(reportsLast)
		if q.hasReported(i.watch.commit) {
			i.look(now)
		}
		return nil
	})
}

// Await has an event that is handled wait for the reports about a commit.
func (q *Queue) Await(ctx context.Context, ev port.Event, sha string) error {
	return changeLocked(ctx, q, Call{Op: "Await", Text: sha, Write: true}, func() error {
		i, err := q.held(ev)
		if err != nil {
			return fmt.Errorf("awaiting what CI says of %s: %w", sha, err)
		}
		if key := commitKey(ev.Repo.ID, sha); i.watch.commit != key {
			i.watch = watch{commit: key, at: q.clock.Now()}
		}
		return nil
	})
}

// Stopped reports whether a thread's commands were cancelled since an event of it was accepted, or the run that it
// follows was when it was too late.
func (q *Queue) Stopped(ctx context.Context, ev port.Event) (bool, error) {
	return do(ctx, q.faults, Call{Op: "Stopped", Text: ev.Delivery}, func() (bool, error) {
		if ev.Followed == nil {
			return false, &recordError{"an event that follows a commit says which"}
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, i := range q.items {
			if i.event.Delivery == ev.Delivery && i.watch.stopped ||
				i.cancelledIn != "" && port.RunID(i.event.Delivery) == ev.Followed.Run {
				return true, nil
			}
		}
		return false, nil
	})
}

// Autofix accepts an event that fixes what CI found, unless somebody cancelled that.
func (q *Queue) Autofix(ctx context.Context, ev port.Event) error {
	return change(ctx, q.faults, Call{Op: "Autofix", Text: ev.Delivery, Write: true}, func() error {
		if ev.Kind != port.Autofix || ev.Followed == nil {
			return &recordError{"an event that fixes what CI found says in which commit"}
		}
		q.mu.Lock()
		known, commit := q.find(ev.Delivery) != nil, commitKey(ev.Repo.ID, ev.Followed.Commit)
		stopped := slices.ContainsFunc(q.items, func(i *item) bool {
			return i.watch.stopped && i.watch.commit == commit && threadOf(i.event) == threadOf(ev)
		})
		q.mu.Unlock()
		switch {
		case stopped:
			return &port.CancelledError{By: "somebody in the thread"}
		case known:
			return nil
		}
		return q.Submit(ctx, ev)
	})
}

// threadOf is the key of an event's thread, also of one that follows a commit.
func threadOf(ev port.Event) string { return port.Event{Repo: ev.Repo, Thread: ev.Thread}.ThreadKey() }

// Reported notes that CI reported about a commit, as the webhook does.
func (q *Queue) Reported(_ context.Context, repo port.RepoRef, sha string) error {
	q.reported(repo.ID, sha)
	return nil
}

func (q *Queue) reported(repo int64, sha string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	key, now := commitKey(repo, sha), q.clock.Now()
	q.reports[key] = now
	for _, i := range q.items {
		switch {
		case i.watch.commit != key:
		case i.state == leased:
			i.watch.reported = true
		case i.state == ready && i.waitsForCI(),
			i.state == finished && i.event.Kind == port.Following && now.Sub(i.watch.at) < Patience:
			i.look(now)
		}
	}
}

func (q *Queue) hasReported(key string) bool {
	at, ok := q.reports[key]
	return ok && q.clock.Now().Sub(at) < reportsLast
}

// waitsForCI reports whether a report of CI is what an event sleeps for.
func (i *item) waitsForCI() bool {
	return i.waitsFor == port.CIReport || i.waitsFor == port.VerifyReport
}

// look makes an event ready soon after a report of CI. More reports until then do not delay it.
func (i *item) look(now time.Time) {
	soon := now.Add(Burst)
	if i.state == ready && i.watch.reported && i.notBefore.Before(soon) {
		return
	}
	if i.state == finished {
		i.state, i.attempts, i.waitsFor = ready, 0, port.CIReport
	}
	i.notBefore, i.watch.reported = soon, true
}

// followsInVain reports whether an event follows a commit about which CI has not reported.
func (i *item) followsInVain() bool {
	return i.state == ready && i.event.Kind == port.Following && i.waitsFor == port.CIReport && !i.watch.reported
}

// ClaimFollowing leases the next event that follows a commit.
func (q *Queue) ClaimFollowing(context.Context) (Claim, bool, error) {
	return q.claim(func(ev port.Event) bool { return ev.Kind == port.Following })
}
