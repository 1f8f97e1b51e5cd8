package store

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

const (
	benchClients = 50
	benchEvents  = 3000
	// benchThreads is how many threads the events belong to, in ten installations.
	benchThreads = 500
)

// BenchmarkSubmitClaim accepts events of 2 KB from 50 clients, with one transaction for each and with one for all
// pending ones, and claims and completes them. It prints one line for each engine; the ratio is of two figures of the
// same run. PostgreSQL is on this machine, and syncs its commits.
func BenchmarkSubmitClaim(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		submitClaim(b, "sqlite", func() Options { return Options{Dir: b.TempDir()} })
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		server := pgtest.New(b, "fsync=on", "shared_buffers=128MB")
		submitClaim(b, "postgresql", func() Options { return Options{DatabaseURL: server.URL(b)} })
	})
}

func submitClaim(b *testing.B, engine string, database func() Options) {
	b.Helper()
	for b.Loop() {
		single, _ := benchSubmit(b, openBench(b, database()), 1, benchEvents/5)
		s := openBench(b, database())
		group, p99 := benchSubmit(b, s, maxBatch, benchEvents)
		claims := benchClaims(b, s, benchEvents)
		b.ReportMetric(group/single, "group/single")
		_, _ = fmt.Fprintf(os.Stdout, "engine=%s accept_group_vs_single_x=%.1f accepts_per_s=%.0f accept_p99_ms=%.1f "+
			"single_accepts_per_s=%.0f claims_per_s=%.0f\n",
			engine, group/single, group, float64(p99.Microseconds())/1000, single, claims)
	}
}

func openBench(b *testing.B, opts Options) *Store {
	b.Helper()
	s, err := Open(b.Context(), opts)
	require.NoError(b, err)
	b.Cleanup(func() { _ = s.Close() })
	return s
}

// benchSubmit returns accepted events per second, and the time that 99 of 100 of them took at most.
func benchSubmit(b *testing.B, s *Store, batch, events int) (perSecond float64, p99 time.Duration) {
	b.Helper()
	s.submissions.maxBatch = batch
	body := make([]byte, 2000)
	for i := range body {
		body[i] = 'a' + byte(i%26)
	}
	var clients sync.WaitGroup
	took := make([]time.Duration, events)
	begun := time.Now()
	for c := range benchClients {
		clients.Go(func() {
			for i := c; i < events; i += benchClients {
				n := i % benchThreads
				ev := port.Event{
					Delivery: fmt.Sprintf("delivery-%06d", i),
					Repo:     port.RepoRef{Installation: int64(n % 10), ID: int64(n % 10)},
					Thread:   port.Thread{Number: n},
					Comment:  port.Comment{Body: string(body)},
				}
				at := time.Now()
				if err := s.Submit(b.Context(), ev); err != nil {
					b.Errorf("submitting: %v", err)
				}
				took[i] = time.Since(at)
			}
		})
	}
	clients.Wait()
	perSecond = float64(events) / time.Since(begun).Seconds()
	slices.Sort(took)
	return perSecond, took[events*99/100]
}

// benchClaims returns events per second that were claimed and completed by workers that do nothing.
func benchClaims(b *testing.B, s *Store, events int) float64 {
	b.Helper()
	ctx, cancel := context.WithCancel(b.Context())
	h := &benchHandler{left: events, done: cancel}
	begun := time.Now()
	require.NoError(b, (&Workers{Store: s, Handler: h}).Run(ctx))
	return float64(events) / time.Since(begun).Seconds()
}

type benchHandler struct {
	mu   sync.Mutex
	left int
	done func()
}

func (h *benchHandler) Handle(context.Context, port.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.left--; h.left == 0 {
		h.done()
	}
	return nil
}

func (h *benchHandler) DeadLetter(_ context.Context, _ port.Event, cause error) error { return cause }
