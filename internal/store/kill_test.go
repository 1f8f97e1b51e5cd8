package store_test

import (
	"bufio"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/internal/testchild"
)

// The test binary runs itself as the process that is killed: with childDir set it handles the events in that folder.
const (
	childDir = "TENON_TEST_STORE_DIR"
	// childRound makes it submit events of that round too, unless it is "".
	childRound = "TENON_TEST_STORE_ROUND"
	// workLog is the file to which handlers write what they do, a line at a time.
	workLog = "work.log"
	// deadly is the title of an event that kills the process that handles it.
	deadly = "deadly"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		testchild.Watch()
		if err := child(context.Background(), dir, os.Getenv(childRound)); err != nil {
			_, _ = fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	flag.Parse()
	if atATime := flag.Lookup("test.parallel"); atATime.Value.String() == atATime.DefValue {
		_ = atATime.Value.Set("6") // much of what these tests do is to wait for processes and databases
	}
	os.Exit(m.Run())
}

// child handles events until the queue is empty or, if it has a round, submits events too until it is killed.
func child(ctx context.Context, dir, round string) error {
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(dir, workLog), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if round != "" {
		for i := range 4 {
			go submitUntilKilled(ctx, s, round, i)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	go cancelWhenEmpty(ctx, s, cancel, round != "")
	w := store.Workers{Store: s, Handler: &killed{store: s, log: log, busy: map[string]bool{}}}
	if err := w.Run(ctx); err != nil {
		return err
	}
	return s.Close()
}

// submitUntilKilled prints what was accepted, after it was.
func submitUntilKilled(ctx context.Context, s *store.Store, round string, part int) {
	for i := 0; ; i++ {
		ev := port.Event{Delivery: fmt.Sprintf("r%s-p%d-%d", round, part, i), Thread: port.Thread{Number: (part + i) % 7}}
		ev.Immediate = i%10 == 9 // it cancels the others of its thread
		if err := s.Submit(ctx, ev); err != nil {
			fmt.Println("error", err)
			return
		}
		fmt.Println("accepted", ev.Delivery)
		time.Sleep(3 * time.Millisecond)
	}
}

func cancelWhenEmpty(ctx context.Context, s *store.Store, cancel func(), stay bool) {
	for ctx.Err() == nil {
		time.Sleep(10 * time.Millisecond)
		if st, err := s.Stats(ctx); err == nil && !stay && st.Ready+st.Leased == 0 {
			cancel()
		}
	}
}

// killed is a handler that records steps, and logs what it did.
type killed struct {
	store *store.Store
	log   io.Writer
	mu    sync.Mutex
	busy  map[string]bool
}

func (h *killed) Handle(ctx context.Context, ev port.Event) error {
	if ev.Immediate {
		_, err := h.store.Cancel(ctx, ev)
		return err
	}
	defer h.enter(ev)()
	h.write("begin", ev.Delivery, "")
	if ctx.Err() != nil {
		h.write("cancelled", ev.Delivery, "")
		return ctx.Err()
	}
	if ev.Thread.Title == deadly {
		self, err := os.FindProcess(os.Getpid())
		if err != nil {
			return err
		}
		_ = self.Kill()
		select {}
	}
	run, err := h.store.Start(ctx, ev)
	if err != nil {
		return err
	}
	for _, step := range []string{"open", "ask", "commit"} {
		if _, ok := run.Steps[step]; ok {
			continue
		}
		time.Sleep(time.Millisecond)
		if err := h.store.Record(ctx, ev, run.ID, step, port.Step{Version: 1, Data: []byte(`{}`)}); err != nil {
			return err
		}
		h.write("step", ev.Delivery, step)
	}
	h.write("end", ev.Delivery, run.ID)
	return nil
}

func (h *killed) DeadLetter(_ context.Context, ev port.Event, cause error) error {
	h.write("failed", ev.Delivery, cause.Error())
	return nil
}

// enter notes that an event of the thread is being handled, and logs if another one is already.
func (h *killed) enter(ev port.Event) (leave func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.busy[ev.ThreadKey()] {
		h.write("overlap", ev.Delivery, ev.ThreadKey())
	}
	h.busy[ev.ThreadKey()] = true
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.busy[ev.ThreadKey()] = false
	}
}

func (h *killed) write(step, delivery, more string) {
	_, _ = fmt.Fprintf(h.log, "%s %s %s\n", step, delivery, more)
}

// start runs the test binary as a child. The lines are what it prints.
func start(t *testing.T, dir, round string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childDir+"="+dir, childRound+"="+round)
	require.NoError(t, testchild.Bind(cmd))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd, bufio.NewScanner(out)
}

func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	accepted := map[string]bool{}
	for round := range rounds {
		cmd, lines := start(t, dir, fmt.Sprint(round))
		require.True(t, lines.Scan(), "the process did not begin")
		if round == 0 {
			_, err := store.Open(t.Context(), store.Options{Dir: dir})
			require.ErrorContains(t, err, fmt.Sprintf("in use by another tenon (process %d)", cmd.Process.Pid))
		}
		left := rand.IntN(100) // accepted events before the kill, in the middle of what follows them
		for more := true; more; more = lines.Scan() {
			if left--; left < 0 {
				_ = cmd.Process.Kill()
			}
			delivery, ok := strings.CutPrefix(lines.Text(), "accepted ")
			require.True(t, ok, lines.Text())
			accepted[delivery] = true
		}
		require.Error(t, cmd.Wait())
	}
	cmd, _ := start(t, dir, "")
	require.NoError(t, cmd.Wait())
	t.Logf("%d kills, %d accepted", rounds, len(accepted))
	checkKilled(t, dir, accepted)
}

// checkKilled checks the outcome of all accepted events in the database itself and in the handlers' log.
func checkKilled(t *testing.T, dir string, accepted map[string]bool) {
	t.Helper()
	log := readLog(t, dir)
	require.Empty(t, log["overlap"])
	steps := map[string]int{}
	for _, line := range log["step"] {
		steps[line]++
		require.Equal(t, 1, steps[line], "step recorded twice: %s", line)
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "tenon.db"))
	require.NoError(t, err)
	defer func() { _ = db.Close() }()
	rows, err := db.Query(`SELECT e.delivery, e.state, e.attempts, e.aside = 1 OR e.cancelled_in <> '',
		(SELECT count(*) FROM runs r JOIN run_steps p ON p.run = r.id WHERE r.delivery = e.delivery) FROM events e`)
	require.NoError(t, err)
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var delivery, state string
		var attempts, recorded int
		var unfinished bool // and rightly so
		require.NoError(t, rows.Scan(&delivery, &state, &attempts, &unfinished, &recorded))
		delete(accepted, delivery)
		if state == "parked" { // a kill may meet the same event each time
			require.Greater(t, attempts, store.MaxAttempts)
			continue
		}
		require.Equal(t, "done", state, delivery)
		if !unfinished {
			require.Equal(t, 3, recorded, delivery)
		}
	}
	require.NoError(t, rows.Err())
	require.Empty(t, accepted, "accepted and lost")
	checkOrder(t, db, log["begin"])
}

// checkOrder compares the order in which the events of a thread were first handled with the order of acceptance.
func checkOrder(t *testing.T, db *sql.DB, begun []string) {
	t.Helper()
	seen, last := map[string]bool{}, map[string]int{}
	for _, delivery := range begun {
		if seen[delivery] {
			continue
		}
		seen[delivery] = true
		var thread string
		var seq int
		require.NoError(t, db.QueryRow("SELECT thread, seq FROM events WHERE delivery = $1", delivery).Scan(&thread, &seq))
		require.Greater(t, seq, last[thread], "out of order in %s: %s", thread, delivery)
		last[thread] = seq
	}
	require.NotEmpty(t, seen)
}

// readLog returns what handlers wrote, by the kind of line.
func readLog(t *testing.T, dir string) map[string][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, workLog))
	require.NoError(t, err)
	log := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		what, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		log[what] = append(log[what], rest)
	}
	return log
}

func TestAnEventThatKillsTheProcessBecomesADeadLetter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	bad := port.Event{Delivery: "bad", Thread: port.Thread{Number: 1, Title: deadly}}
	require.NoError(t, s.Submit(t.Context(), bad))
	require.NoError(t, s.Submit(t.Context(), port.Event{Delivery: "good", Thread: port.Thread{Number: 1}}))
	require.NoError(t, s.Close())
	for range 3 {
		cmd, _ := start(t, dir, "")
		require.Error(t, cmd.Wait())
	}
	storetest.MakeGuilty(t, dir)
	cmd, _ := start(t, dir, "")
	require.NoError(t, cmd.Wait())
	log := readLog(t, dir)
	require.Equal(t, []string{"bad", "bad", "bad", "good"}, log["begin"])
	require.Equal(t, []string{"bad the program ended 6 times while it worked on this"}, log["failed"])
	require.Len(t, log["end"], 1)
}
