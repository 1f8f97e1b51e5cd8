//go:build linux

package store

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

var claimsFull = flag.Bool("claims.full", false, "measure claims with 100,000 waiting events, as make bench-load does")

const (
	// benchFew is how many events wait where few do, beside those that are claimed.
	benchFew = 100
	// benchRounds is how many rounds are measured, after benchWarm others: in each, two workers claim an event.
	benchWarm, benchRounds = 20, 100
)

// BenchmarkClaims prints one line for each engine: for queues of a thread, of an installation and of 10,000
// installations, how the processor time of a claim with many waiting events compares with that with 100, and how long
// it is, that of the server included; and how many claims come before that of an installation whose event comes last.
func BenchmarkClaims(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		benchGrowth(b, "sqlite", func() Options { return Options{Dir: b.TempDir()} })
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		server := pgtest.New(b, "fsync=on", "shared_buffers=128MB", "autovacuum=on")
		benchGrowth(b, "postgresql", func() Options { return Options{DatabaseURL: server.URL(b)} })
	})
}

func benchGrowth(b *testing.B, engine string, database func() Options) {
	b.Helper()
	many := 5000
	if *claimsFull {
		many = 100_000
	}
	const text = 2000
	for b.Loop() {
		line := fmt.Sprintf("claims engine=%s waiting=%d", engine, many)
		for _, name := range []string{"one_thread", "one_installation", "many_installations"} {
			const claimed = 2 * (benchWarm + benchRounds)
			few := benchClaim(b, database(), queuesOf(benchFew+claimed, text)[name])
			cost := benchClaim(b, database(), queuesOf(many+claimed, text)[name])
			line += fmt.Sprintf(" %[1]s_growth_x=%.1[2]f %[1]s_cpu_ms=%.2[3]f", name, float64(cost)/float64(few),
				float64(cost.Microseconds())/1000)
		}
		_, _ = fmt.Fprintf(os.Stdout, "%s another_installation_waits_for=%d\n", line, benchAnother(b, database()))
	}
}

// benchClaim returns the processor time of a claim, what finds nothing because the thread has a leased event included.
func benchClaim(b *testing.B, opts Options, q queue) (cost time.Duration) {
	b.Helper()
	s := openBench(b, opts)
	fill(b, s, q)
	if _, err := s.db.ExecContext(b.Context(), "ANALYZE"); err != nil { // the server does that within minutes
		b.Fatal(err)
	}
	var server []int
	for round := range benchWarm + benchRounds {
		if round == benchWarm {
			cost, server = 0, backends(b, s)
		}
		begun := processorTime(b, server)
		one, other := next(b, s), next(b, s)
		cost += processorTime(b, server) - begun
		require.NoError(b, s.Complete(b.Context(), *one))
		if other != nil {
			require.NoError(b, s.Complete(b.Context(), *other))
		}
	}
	require.NoError(b, s.Close())
	return cost / (2 * benchRounds)
}

// benchAnother returns how many claims come until that of an installation whose event comes last, behind 10,000 of
// another one, which has eight workers.
func benchAnother(b *testing.B, opts Options) (claims int) {
	b.Helper()
	s := openBench(b, opts)
	fill(b, s, queue{waiting: 10_000, installations: 1, threads: 10_000, text: 10})
	for range 8 {
		next(b, s)
	}
	require.NoError(b, s.Submit(b.Context(), commandIn(2, -1, "another")))
	for claims = 1; next(b, s).Repo.Installation == 1; {
		claims++
	}
	require.NoError(b, s.Close())
	return claims
}

// backends returns the processes of the server that work for a store; none if there is no server.
func backends(b *testing.B, s *Store) (pids []int) {
	b.Helper()
	pg, ok := s.database.(*postgresDatabase)
	if !ok {
		return nil
	}
	rows, err := pg.db.QueryContext(b.Context(),
		"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'")
	require.NoError(b, err)
	defer func() { require.NoError(b, rows.Close()) }()
	for rows.Next() {
		var pid int
		require.NoError(b, rows.Scan(&pid))
		pids = append(pids, pid)
	}
	require.NoError(b, rows.Err())
	return pids
}

// processorTime returns that of this process and of others.
func processorTime(b *testing.B, others []int) time.Duration {
	b.Helper()
	var used syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	sum := used.Utime.Nano() + used.Stime.Nano()
	for _, pid := range others {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
		require.NoError(b, err)
		first, _, _ := strings.Cut(string(stat), " ")
		ns, err := strconv.ParseInt(first, 10, 64)
		require.NoError(b, err)
		sum += ns
	}
	return time.Duration(sum)
}
