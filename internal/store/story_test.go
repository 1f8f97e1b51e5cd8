package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// opener opens a store on a new database, with all options but the folder from opts, and closes it when the test ends.
type opener func(t *testing.T, opts store.Options) *store.Store

// playStories plays what every database behind the store has to do: accept, claim, record and handle events.
func playStories(t *testing.T, open opener) {
	for _, story := range slices.Concat(
		auditStories, budgetStories, cancelStories, clockStories, deathsStories, figuresStories, forgetStories,
		formatsStories, immediateStories, leaseStories, limitsStories, lookupStories, noticeStories, noticeOutageStories,
		originStories, paceStories, queueStories, recentStories, retentionStories, retriesStories, sweepStories,
		threadStories, waitStories, watchStories, watchWorkStories, workersStories,
	) {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			story.run(t, open)
		})
	}
}

// story is what a database does in one situation.
type story struct {
	name string
	run  func(*testing.T, opener)
}

// on returns a story that is played on a store with these options.
func on(name string, opts store.Options, play func(*stage)) story {
	return story{name, func(t *testing.T, open opener) { play(newStage(t, open, opts)) }}
}

// inBubble returns a story that is played in a synctest bubble, with its clock.
func inBubble(name string, play func(*stage)) story {
	return story{name, func(t *testing.T, open opener) {
		synctest.Test(t, func(t *testing.T) { play(newStage(t, open, store.Options{Now: time.Now})) })
	}}
}

// bubble plays a part of a story in a bubble of its own.
func bubble(t *testing.T, open opener, play func(*stage)) {
	synctest.Test(t, func(t *testing.T) { play(newStage(t, open, store.Options{Now: time.Now})) })
}

// stage is what a story is played on: a test, and a store with a clock that the story moves. A failure shows the line
// of the story, because testify prints all callers.
type stage struct {
	*testing.T
	*store.Store
	clock *clock
}

// newStage opens a store, with the clock of the stage unless opts has another one.
func newStage(t *testing.T, open opener, opts store.Options) *stage {
	c := &clock{now: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)}
	if opts.Now == nil {
		opts.Now = c.Now
	}
	return &stage{t, open(t, opts), c}
}

// must returns a value, and fails a test that gets an error instead.
func must[T any](value T, err error) func(t require.TestingT, why ...any) T {
	return func(t require.TestingT, why ...any) T {
		require.NoError(t, err, why...)
		return value
	}
}

// errorOf returns the error of a call that returns a value, too.
func errorOf[T any](_ T, err error) error { return err }

// clock is a clock that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// event makes an event of a thread of installation 1.
func event(delivery string, thread int) port.Event { return eventOf(1, delivery, thread) }

func eventOf(installation int64, delivery string, thread int) port.Event {
	return port.Event{
		Delivery: delivery,
		Kind:     port.IssueComment,
		Action:   "created",
		Repo:     port.RepoRef{Installation: installation, ID: 100 + installation, Owner: "octo", Name: "hello"},
		Thread:   port.Thread{Number: thread, Pull: true, Title: "Mind <the> gap & \u00e9\u0000"},
		Comment: port.Comment{Kind: port.IssueComment, ID: 7, Body: "/tenon fix\r\n",
			Author: port.User{ID: 3, Login: "ada"}},
		Sender:   port.User{ID: 3, Login: "ada"},
		Received: time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC),
	}
}

func (s *stage) submit(events ...port.Event) {
	for _, ev := range events {
		require.NoError(s, s.Submit(s.Context(), ev))
	}
}

// claims is a way to claim the next event of some kind.
type claims func(context.Context) (store.Claim, bool, error)

// any takes the next event, whichever it is.
func (s *stage) any(from claims) store.Claim {
	c, ok, err := from(s.Context())
	require.NoError(s, err)
	require.True(s, ok, "nothing to claim")
	return c
}

// next takes the event that the story expects.
func (s *stage) next(from claims, delivery string) store.Claim {
	c := s.any(from)
	require.Equal(s, delivery, c.Event.Delivery)
	return c
}

// none requires that there is nothing to claim.
func (s *stage) none(from claims) {
	c, ok, err := from(s.Context())
	require.NoError(s, err)
	require.False(s, ok, "%s was claimed", c.Event.Delivery)
}

func (s *stage) claim(delivery string) store.Claim { return s.next(s.Claim, delivery) }

func (s *stage) noClaim() { s.none(s.Claim) }

// complete claims what is expected, and completes it.
func (s *stage) complete(deliveries ...string) {
	for _, d := range deliveries {
		require.NoError(s, s.Complete(s.Context(), s.claim(d).Event))
	}
}

func name(i int) string { return fmt.Sprintf("delivery-%03d", i) }
