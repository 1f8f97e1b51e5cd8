package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/killtest"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

var killFull = flag.Bool("killtest.full", false, "run the tests of kills and outages in full, which takes an hour")

// killOptions are those of the small version of `make kill-test`, or of the full one.
func killOptions(t *testing.T) killtest.Options {
	opts := killtest.Options{
		Program: []string{os.Args[0]}, Env: []string{"TENON_TEST_MAIN=1", "GORACE=halt_on_error=1"}, Dir: t.TempDir(),
		Pulls: 3, Commands: 6, Kills: 4, Between: 100, Longest: time.Second,
		Calls: 200 * time.Millisecond, GitHub: simhttp.Options{Key: sharedKey()},
	}
	if *killFull {
		opts.Pulls, opts.Commands, opts.Kills, opts.Progress = 20, 200, 100, t.Logf
		opts.Between, opts.Longest = 320, 3*time.Second
	}
	return opts
}

func killAtRandomMoments(t *testing.T, engine string, opts killtest.Options, opened store.Options) {
	processes.count(t)
	limit := 2 * patience
	if *killFull {
		limit = 40 * time.Minute
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	figures, err := killtest.Run(ctx, opts)
	require.NoError(t, err)
	t.Logf("engine=%s replicas=%d %v", engine, max(opts.Replicas, 1), figures)
	require.NoError(t, figures.Check())
	require.Equal(t, opts.Kills, figures.Kills)
	require.Equal(t, opts.Commands, figures.Commits)
	require.Equal(t, opts.Commands, figures.Comments)
	entries := map[string]int{}
	for _, e := range audited(t, opened) {
		require.Contains(t, []port.EndOutcome{port.EndCommitted, port.EndCommitting}, e.Outcome)
		entries[e.Run]++
		require.Equal(t, 1, entries[e.Run], "an end is in the audit once")
	}
	require.Len(t, entries, opts.Commands, "each commit is in the audit")
}

func TestNothingIsLostOrDoneTwiceWhenTheProcessIsKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	opts := killOptions(t)
	killAtRandomMoments(t, "sqlite", opts, store.Options{Dir: killtest.DataDir(opts.Dir)})
}

// Eight commands at a time are interrupted after 54 requests on average, which none of them may get through, and during
// calls of up to two seconds. None of them is the cause, and so none may become a dead letter.
func TestNothingIsLostWhenTheProcessIsKilledAtRandomMomentsAllTheTime(t *testing.T) {
	t.Parallel()
	opts := killOptions(t)
	opts.Env, opts.Calls, opts.Between = append(opts.Env, "TENON_RUNS=8"), 2*time.Second, 108
	killAtRandomMoments(t, "sqlite", opts, store.Options{Dir: killtest.DataDir(opts.Dir)})
}

// Commands with long calls of the model are interrupted by four kills, and then carried out together. The time is only
// printed.
func TestACrashLoopWithKillsAtRandomMoments(t *testing.T) {
	t.Parallel()
	if !*killFull {
		t.Skip("its calls take 20 seconds; -killtest.full runs this")
	}
	processes.count(t)
	s := newCommands(t, 16)
	s.env = append(s.env, "TENON_MODEL_CONCURRENCY=16") // a local model has two calls at a time otherwise
	s.model.before = func() { time.Sleep(20 * time.Second) }
	s.startProcess()
	s.give()
	for range 4 {
		time.Sleep(6*time.Second + rand.N(9*time.Second)) //nolint:gosec // no secret
		k := newKiller(s.stage)
		k.strike()
		s.startProcess()
	}
	begun := time.Now()
	for number := range s.pulls {
		s.pull = number
		s.until("the end of a command", func() bool {
			return strings.Contains(strings.Join(s.answers(), ""), " · 1 edit committed")
		})
	}
	t.Logf("crash loop: engine=sqlite commands=16 kills=4 call_s=20 all_done_s=%.0f", time.Since(begun).Seconds())
}

// Three replicas share a PostgreSQL database, which crashes once too.
func TestNothingIsLostOrDoneTwiceWhenReplicasAreKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	if !*killFull {
		t.Skip("a lease runs out after 25 s; -killtest.full runs this")
	}
	server := pgtest.New(t)
	database := server.URL(t)
	opts := killOptions(t)
	opts.Replicas, opts.Env = 3, append(opts.Env, "TENON_DATABASE_URL="+database)
	opts.Halfway = func(context.Context) error {
		server.Stop()
		time.Sleep(2 * time.Second)
		server.Start(t)
		return nil
	}
	killAtRandomMoments(t, "postgres", opts, store.Options{DatabaseURL: database})
}

// BenchmarkIngress prints a line for each engine.
func BenchmarkIngress(b *testing.B) {
	for b.Loop() {
		dir := b.TempDir()
		benchIngress(b, "sqlite", dir, nil, store.Options{Dir: killtest.DataDir(dir)})
	}
}

// BenchmarkIngressPostgres is BenchmarkIngress on PostgreSQL, if it is installed.
func BenchmarkIngressPostgres(b *testing.B) {
	url := pgtest.New(b).URL(b)
	for b.Loop() {
		benchIngress(b, "postgres", b.TempDir(), []string{"TENON_DATABASE_URL=" + url}, store.Options{DatabaseURL: url})
	}
}

func benchIngress(b *testing.B, engine, dir string, env []string, opened store.Options) {
	b.Helper()
	figures, err := killtest.Accept(b.Context(), killtest.IngressOptions{
		Program: []string{os.Args[0]}, Env: append(env, "TENON_TEST_MAIN=1"), Dir: dir,
		Burst: 10_000, Clients: 50, Payload: 20_000,
		Stored: func(ctx context.Context) (int, error) {
			s, err := store.Open(ctx, opened)
			if err != nil {
				return 0, err
			}
			defer func() { _ = s.Close() }()
			st, err := s.Stats(ctx)
			return st.Ready + st.Leased + st.DeadLetters, err
		},
	})
	require.NoError(b, err)
	require.Zero(b, figures.Lost)
	_, _ = fmt.Fprintf(os.Stdout, "engine=%s %v\n", engine, figures)
}
