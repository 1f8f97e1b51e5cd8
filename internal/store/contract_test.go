package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

func TestQueueContract(t *testing.T) {
	t.Parallel()
	require.Equal(t, bottest.Lease, store.DefaultLease)
	require.Equal(t, bottest.MaxAttempts, store.MaxAttempts)
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bottest.QueueContract(t, func(t *testing.T) bottest.QueueStage {
				s := &stage{now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
				s.Store = open(t, store.Options{Now: s.Now})
				return s
			})
		})
	}
}

func TestWatchContract(t *testing.T) {
	t.Parallel()
	require.Equal(t, bottest.Patience, store.DefaultPatience)
	for name, open := range engines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bottest.WatchContract(t, func(t *testing.T) bottest.WatchStage {
				s := &stage{now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)}
				s.Store = open(t, store.Options{Now: s.Now})
				return s
			})
		})
	}
}

// stage is a bottest.WatchStage.
type stage struct {
	*store.Store
	mu  sync.Mutex
	now time.Time
}

func (s *stage) Now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *stage) Pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *stage) Sleep(ctx context.Context, ev port.Event, wait *port.WaitError, cause error, patience time.Duration,
	gaveUp port.WaitReason) (bool, error) {
	return s.Store.Sleep(ctx, ev, store.Sleep{Wait: wait, Cause: cause, Patience: patience, GaveUp: gaveUp})
}

func (s *stage) Claim(ctx context.Context, immediate bool) (bottest.Claim, bool, error) {
	claim := s.Store.Claim
	if immediate {
		claim = s.ClaimImmediate
	}
	c, ok, err := claim(ctx)
	return claimOf(c, ok, err)
}

func (s *stage) ClaimFollowing(ctx context.Context) (bottest.Claim, bool, error) {
	return claimOf(s.Store.ClaimFollowing(ctx))
}

func (s *stage) Reported(ctx context.Context, repo port.RepoRef, sha string) error {
	_, err := s.Store.Reported(ctx, repo, sha)
	return err
}

func claimOf(c store.Claim, ok bool, err error) (bottest.Claim, bool, error) {
	out := bottest.Claim{Event: c.Event, GaveUp: c.GaveUp, Cancelled: c.Cancelled}
	if c.LastError != "" {
		out.LastError = errors.New(c.LastError)
	}
	return out, ok, err
}
