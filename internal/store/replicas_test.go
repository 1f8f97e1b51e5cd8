package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// replica opens a store whose leases outlast the test.
func replica(t *testing.T, url string) *store.Store {
	t.Helper()
	return open(t, store.Options{DatabaseURL: url, Lease: time.Hour})
}

// handling runs workers of a replica that handle events with fn until the test ends. They do not poll.
func handling(t *testing.T, s *store.Store, fn func(context.Context, port.Event) error) {
	t.Helper()
	polling(t, s, time.Hour, fn)
}

// polling is handling with a time after which the queue is read though nothing wakes the workers.
func polling(t *testing.T, s *store.Store, poll time.Duration, fn func(context.Context, port.Event) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- (&store.Workers{Store: s, Handler: &handler{handle: fn}, Poll: poll, Grace: time.Minute}).Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-ended)
	})
}

// receive returns what arrives.
func receive[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case got := <-from:
		return got
	case <-time.After(store.Within):
		require.Fail(t, "nothing happened")
		panic("unreachable")
	}
}

func TestAReplicaIsWokenByAnother(t *testing.T) {
	t.Parallel()
	url := store.Schema.URL(t)
	accepting, working := replica(t, url), replica(t, url)
	handled := make(chan string, 2)
	handling(t, working, func(_ context.Context, ev port.Event) error {
		handled <- ev.Delivery
		return nil
	})
	for i := range 10 { // the first ones may be found because the workers begin, or because others ended
		require.Eventually(t, func() bool {
			st, err := accepting.Stats(t.Context())
			return err == nil && st.Ready+st.Leased == 0
		}, store.Within, time.Millisecond)
		ev := event(fmt.Sprintf("a%d", i), 1)
		require.NoError(t, accepting.Submit(t.Context(), ev))
		require.Equal(t, ev.Delivery, receive(t, handled))
		ev = event(fmt.Sprintf("x%d", i), 1)
		ev.Immediate = true
		require.NoError(t, accepting.Submit(t.Context(), ev))
		require.Equal(t, ev.Delivery, receive(t, handled))
	}
}

func TestAReplicaIsToldOfChangedRepositories(t *testing.T) {
	t.Parallel()
	url := store.Schema.URL(t)
	told, other := replica(t, url), replica(t, url)
	told.OnRepositoriesChanged(func() { t.Error("a replica is not told by itself") })
	requireTold(t, told, other)
}

// requireTold requires that a replica is told of changed repositories by another, and so of all other news too.
func requireTold(t *testing.T, from, told *store.Store) {
	t.Helper()
	heard := make(chan bool, 1)
	told.OnRepositoriesChanged(func() {
		select {
		case heard <- true:
		default:
		}
	})
	require.Eventually(t, func() bool { // it is not told before it listens
		from.RepositoriesChanged()
		return len(heard) > 0
	}, store.Within, 10*time.Millisecond)
}

func TestAReplicaIsToldOfTheRunsOfAnother(t *testing.T) {
	t.Parallel()
	url := store.Schema.URL(t)
	working, other := replica(t, url), replica(t, url)
	requireTold(t, working, other)
	heard, ended := make(chan string, 100), make(chan string, 100)
	other.OnRunChanged(func(run string) { heard <- run })
	working.OnRunChanged(func(run string) { ended <- run })
	goOn := make(chan bool)
	handling(t, working, func(ctx context.Context, ev port.Event) error {
		run, err := working.Start(ctx, ev)
		require.NoError(t, err)
		<-goOn
		err = working.Record(ctx, ev, run.ID, "open", port.Step{Version: 1, Data: []byte("{}")})
		<-goOn
		return err
	})
	id := port.RunID("seen")
	require.NoError(t, other.Submit(t.Context(), event("seen", 2)))
	for range 2 { // it starts, and records a step
		require.Equal(t, id, receive(t, heard))
		goOn <- true
	}
	require.Equal(t, id, receive(t, ended), "an end is told in the process of the run too")
	require.Equal(t, id, receive(t, heard))
	require.Empty(t, ended, "a replica is not told by itself")
}

func TestAnEventIsCancelledInAnotherReplica(t *testing.T) {
	t.Parallel()
	url := store.Schema.URL(t)
	working, other := replica(t, url), replica(t, url)
	stop := event("stop", 1)
	stop.Immediate, stop.Sender = true, port.User{Login: "maria"}
	require.NoError(t, working.Submit(t.Context(), event("a", 1)))
	require.NoError(t, other.Submit(t.Context(), stop))
	c, ok, err := other.ClaimImmediate(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	begun := make(chan context.Context, 1)
	handling(t, working, func(ctx context.Context, _ port.Event) error {
		begun <- ctx
		select {
		case <-ctx.Done():
		case <-t.Context().Done():
		}
		return ctx.Err()
	})
	handled := receive(t, begun)
	_, err = other.Cancel(t.Context(), c.Event)
	require.NoError(t, err)
	for range 2 { // what was told before is heard before the second
		requireTold(t, other, working)
	}
	require.Equal(t, &port.CancelledError{By: "maria"}, context.Cause(handled), "long before the lease is renewed")
}

// The order within a thread, its exclusivity and one handling for each event do not depend on who handles.
func TestReplicasShareTheWork(t *testing.T) {
	t.Parallel()
	const threads, each = 12, 10
	url := store.Schema.URL(t)
	var mu sync.Mutex
	busy, handled, left := map[string]bool{}, map[string][]string{}, threads*each
	all := make(chan bool)
	var replicas []*store.Store
	var idle sync.WaitGroup // the replicas that have handled nothing yet
	for range 3 {
		s := replica(t, url)
		replicas = append(replicas, s)
		idle.Add(1)
		first := sync.OnceFunc(idle.Done)
		handling(t, s, func(ctx context.Context, ev port.Event) error {
			mu.Lock()
			if busy[ev.ThreadKey()] {
				t.Errorf("two events of %s at a time", ev.ThreadKey())
			}
			busy[ev.ThreadKey()] = true
			mu.Unlock()
			first()
			idle.Wait() // each has its part
			_, err := s.Start(ctx, ev)
			mu.Lock()
			defer mu.Unlock()
			busy[ev.ThreadKey()] = false
			handled[ev.ThreadKey()] = append(handled[ev.ThreadKey()], ev.Delivery)
			if left--; left == 0 {
				close(all)
			}
			return err
		})
	}
	var want []string
	for i := range each {
		want = append(want, fmt.Sprint(i))
		for n := range threads {
			ev := event(fmt.Sprintf("%d-of-%d", i, n), n)
			require.NoError(t, replicas[i%3].Submit(t.Context(), ev))
		}
	}
	receive(t, all)
	mu.Lock()
	defer mu.Unlock()
	for key, deliveries := range handled {
		for i, delivery := range deliveries {
			deliveries[i] = delivery[:1]
		}
		require.Equal(t, want, deliveries, key)
	}
}

func TestReplicasThatStartTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	var starting sync.WaitGroup
	errs := make(chan error, 5)
	for range cap(errs) {
		starting.Go(func() {
			s, err := store.Open(t.Context(), store.Options{DatabaseURL: url})
			if err == nil {
				err = s.Close()
			}
			errs <- err
		})
	}
	starting.Wait()
	for range cap(errs) {
		require.NoError(t, <-errs)
	}
}

// In a bubble it is the year 2000.
func TestTheQueuesTimeIsTheServers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const lease = time.Hour
		s := open(t, store.Deaf(store.Options{DatabaseURL: store.Schema.URL(t), Lease: lease}))
		require.NoError(t, s.Submit(t.Context(), event("a", 1)))
		c, ok, err := s.Claim(t.Context())
		require.NoError(t, err)
		require.True(t, ok)
		time.Sleep(2 * lease) // on this machine
		_, err = s.Renew(t.Context(), c.Event)
		require.NoError(t, err)
		_, ok, err = s.Claim(t.Context())
		require.NoError(t, err)
		require.False(t, ok, "the lease is valid, on the server")
		run, err := s.Start(t.Context(), c.Event)
		require.NoError(t, err)
		require.Greater(t, run.Started.Year(), time.Now().Year())
	})
}

func TestTheServerRestarts(t *testing.T) {
	t.Parallel()
	server := pgtest.New(t)
	url := server.URL(t)
	opts := store.Patient(store.Options{DatabaseURL: url, Lease: time.Hour})
	accepting, working := open(t, opts), open(t, opts)
	handled := make(chan string, 2)
	// What is told while the server is away may be lost.
	polling(t, working, time.Second, func(_ context.Context, ev port.Event) error {
		handled <- ev.Delivery
		return nil
	})
	require.NoError(t, accepting.Submit(t.Context(), event("before", 1)))
	require.Equal(t, "before", receive(t, handled))
	for left := 1; left > 0; { // else the crash may undo the end of its lease, for which the thread then waits
		st, err := accepting.Stats(t.Context())
		require.NoError(t, err)
		left = st.Ready + st.Leased
	}
	server.Stop()
	require.Error(t, accepting.Ping(t.Context()))
	accepted := make(chan error, 1)
	go func() { accepted <- accepting.Submit(t.Context(), event("meanwhile", 1)) }()
	server.Start(t)
	require.NoError(t, receive(t, accepted))
	require.Equal(t, "meanwhile", receive(t, handled))
	requireTold(t, accepting, working)
	require.NoError(t, accepting.Ping(t.Context()))
}
