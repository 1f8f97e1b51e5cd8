package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/bottest/contract"
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
			contract.Queue(t, func(t *testing.T) contract.QueueStage {
				return contractStage{newStage(t, open, store.Options{})}
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
			contract.Watches(t, func(t *testing.T) contract.WatchStage {
				return contractStage{newStage(t, open, store.Options{})}
			})
		})
	}
}

// contractStage is a contract.WatchStage.
type contractStage struct{ *stage }

func (s contractStage) Now() time.Time { return s.clock.Now() }

func (s contractStage) Pass(d time.Duration) { s.clock.move(d) }

func (s contractStage) Sleep(ctx context.Context, ev port.Event, wait *port.WaitError, cause error,
	patience time.Duration, gaveUp port.WaitReason) (bool, error) {
	return s.Store.Sleep(ctx, ev, store.Sleep{Wait: wait, Cause: cause, Patience: patience, GaveUp: gaveUp})
}

func (s contractStage) Claim(ctx context.Context, immediate bool) (bottest.Claim, bool, error) {
	claim := s.Store.Claim
	if immediate {
		claim = s.ClaimImmediate
	}
	c, ok, err := claim(ctx)
	return claimOf(c, ok, err)
}

func (s contractStage) ClaimFollowing(ctx context.Context) (bottest.Claim, bool, error) {
	return claimOf(s.Store.ClaimFollowing(ctx))
}

func (s contractStage) Reported(ctx context.Context, repo port.RepoRef, sha string) error {
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
