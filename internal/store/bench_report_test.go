package store

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// benchCommands is how many commands are accepted one after another during a flood of reports of CI.
const benchCommands = 1000

// BenchmarkReports accepts commands in a flood of reports of CI about commits that nobody follows, from 200 clients,
// and without one. The ratio is that of the times that 99 of 100 commands took at most, in the same run.
func BenchmarkReports(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		benchReports(b, "sqlite", func() Options { return Options{Dir: b.TempDir()} })
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		server := pgtest.New(b, "fsync=on", "shared_buffers=128MB")
		benchReports(b, "postgresql", func() Options { return Options{DatabaseURL: server.URL(b)} })
	})
}

func benchReports(b *testing.B, engine string, database func() Options) {
	b.Helper()
	for b.Loop() {
		quiet := benchQuiet(b, openBench(b, database()))
		s := openBench(b, database())
		var reports atomic.Int64
		ctx, stop := context.WithCancel(b.Context())
		var clients sync.WaitGroup
		for c := range 200 {
			clients.Go(func() {
				for i := 0; ctx.Err() == nil; i++ {
					repo := port.RepoRef{Installation: int64(c % 20), ID: int64(c)}
					if _, err := s.Reported(ctx, repo, fmt.Sprintf("%040x", i)); err == nil {
						reports.Add(1)
					}
				}
			})
		}
		begun := time.Now()
		flooded := benchQuiet(b, s)
		perSecond := float64(reports.Load()) / time.Since(begun).Seconds()
		stop()
		clients.Wait()
		_, _ = fmt.Fprintf(os.Stdout, "engine=%s accept_p99_in_a_flood_x=%.1f reports_per_s=%.0f accept_p99_ms=%.1f\n",
			engine, float64(flooded)/float64(quiet), perSecond, float64(flooded.Microseconds())/1000)
	}
}

// benchQuiet accepts commands one after another, and returns the time that 99 of 100 took at most.
func benchQuiet(b *testing.B, s *Store) time.Duration {
	b.Helper()
	took := make([]time.Duration, benchCommands)
	for i := range took {
		at := time.Now()
		err := s.Submit(b.Context(), port.Event{Delivery: fmt.Sprintf("delivery-%06d", i),
			Repo: port.RepoRef{Installation: 1, ID: 1}, Thread: port.Thread{Number: i}})
		if err != nil {
			b.Errorf("submitting: %v", err)
		}
		took[i] = time.Since(at)
		time.Sleep(time.Millisecond)
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}
