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

// stage is a bottest.QueueStage.
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
	out := bottest.Claim{Event: c.Event, GaveUp: c.GaveUp, Cancelled: c.Cancelled}
	if c.LastError != "" {
		out.LastError = errors.New(c.LastError)
	}
	return out, ok, err
}
