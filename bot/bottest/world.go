package bottest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/testdata"
	"github.com/tenon-bot/tenon/webhook"
)

// Handler handles the events of a world: a bot.Bot.
type Handler interface {
	Handle(ctx context.Context, ev port.Event) error
	DeadLetter(ctx context.Context, ev port.Event, cause error) error
	NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error)
}

// World is everything that the bot needs of the world, in memory: a GitHub on which the app is installed for the
// organisation acme, whose owner is maria, with the repository acme/lathe; a model; the queue and the budgets. There is
// a stranger, too.
type World struct {
	t testing.TB
	// Handler is set by the story.
	Handler Handler

	Clock  *Clock
	GitHub *GitHub
	Repos  *Repos
	Model  *Model
	Queue  *Queue
	Budget *Budget
	Log    *slog.Logger
	// Repo is acme/lathe.
	Repo *Repo

	faults     *faults
	log        logBuffer
	running    []port.Event
	mu         sync.Mutex // guards what follows: GitHub delivers what the bot does there, too
	deliveries int
	accepted   []port.Event
}

// LatheFiles are the files of acme/lathe.
var LatheFiles = testdata.Project("lathe")

// New returns a world. At the end of the test it fails if a planted fault was never reached.
func New(t testing.TB) *World {
	clock := NewClock()
	w := &World{t: t, Clock: clock, GitHub: NewGitHub(t, clock), Model: NewModel(), Queue: NewQueue(clock),
		faults: &faults{clock: clock}}
	w.Repos, w.Budget = &Repos{github: w.GitHub}, NewBudget(w.Queue)
	w.GitHub.faults, w.Model.faults, w.Queue.faults = w.faults, w.faults, w.faults
	w.GitHub.report = w.Queue.reported
	w.listen()
	w.Log = slog.New(slog.NewTextHandler(&w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.GitHub.AddOrg("acme", "maria")
	w.GitHub.AddUser("stranger")
	w.Repo = w.GitHub.AddRepo("acme/lathe", LatheFiles)
	w.GitHub.Install("acme")
	t.Cleanup(func() {
		w.faults.checkReached(t)
		w.Queue.checkAudit(t)
		if t.Failed() {
			t.Log(w.Logged())
		}
	})
	return w
}

// logBuffer collects what is logged. Safe for concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

// Logged is all that was logged.
func (w *World) Logged() string {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	return w.log.text.String()
}

// Before is the moment before the next call of an operation, the name of a port's method, takes effect.
func (w *World) Before(op string) *Moment { return &Moment{f: w.faults, op: op, left: 1} }

// After is the moment after it took effect, when its answer is on the way.
func (w *World) After(op string) *Moment { return &Moment{f: w.faults, op: op, after: true, left: 1} }

// Calls returns the calls so far of an operation; all with an empty name.
func (w *World) Calls(op string) []Call { return w.faults.log(op) }

// Writes returns the number of calls that changed something outside of the process.
func (w *World) Writes() int {
	w.faults.mu.Lock()
	defer w.faults.mu.Unlock()
	return w.faults.count
}

// KillAt kills the process when the nth of the calls that Writes counts from now on took effect, before its answer.
func (w *World) KillAt(n int) {
	w.faults.mu.Lock()
	defer w.faults.mu.Unlock()
	w.faults.killAt = w.faults.count + n
}

// OutageAt takes GitHub and its git away for a time when the nth of the calls that Writes counts from now on took
// effect, before its answer.
func (w *World) OutageAt(n int, d time.Duration) {
	w.faults.mu.Lock()
	defer w.faults.mu.Unlock()
	w.faults.outageAt, w.faults.outage = w.faults.count+n, d
}

// Pull opens a pull request of maria from a branch, which is made with files.
func (w *World) Pull(branch string, files map[string]string) *Thread {
	w.Repo.Push(branch, files)
	return w.Repo.OpenPull("maria", "Be fast", branch, "main")
}

// File returns a file at the tip of a branch; it has to be there.
func (w *World) File(branch, name string) string {
	data, ok := w.Repo.File(branch, name)
	require.True(w.t, ok, "there is no %s on %s", name, branch)
	return data
}

// Commits returns the messages of the app's commits on a branch, newest first.
func (w *World) Commits(branch string) (list []string) {
	for _, c := range w.Repo.Commits(branch) {
		if strings.Contains(c.Message, "Tenon-Run: ") {
			list = append(list, c.Message)
		}
	}
	return list
}

// listen has GitHub deliver to the webhook.
func (w *World) listen() {
	hook, err := webhook.New(webhook.Options{Secret: []byte(w.GitHub.server.WebhookSecret()), Queue: deliveries{w},
		Slug: func() string { return Slug }, Now: w.Clock.Now,
		Reported: func(_ context.Context, repo port.RepoRef, sha string) (bool, error) {
			w.GitHub.reported(repo.ID, sha)
			return true, nil
		}})
	require.NoError(w.t, err)
	w.GitHub.server.SetHook(hook, func(event, action string) bool {
		return webhook.Needs(event, action) || webhook.Reports(event, action)
	})
}

// deliveries are the queue of a webhook. What it accepts has ids in sequence.
type deliveries struct{ w *World }

// Submit accepts the event of a delivery.
func (d deliveries) Submit(_ context.Context, ev port.Event) error {
	d.w.mu.Lock()
	d.w.deliveries++
	ev.Delivery = fmt.Sprintf("delivery-%04d", d.w.deliveries)
	d.w.mu.Unlock()
	d.w.Accept(ev)
	return nil
}

// Accept accepts an event that no delivery of GitHub made, such as a command on a page.
func (w *World) Accept(ev port.Event) {
	w.mu.Lock()
	w.accepted = append(w.accepted, ev)
	w.mu.Unlock()
	w.submit(ev)
}

func (w *World) submit(ev port.Event) {
	require.NoError(w.t, w.Queue.Submit(context.Background(), ev), "accepting %s", ev.Delivery)
}

// Accepted are the events that were accepted, in order.
func (w *World) Accepted() []port.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.accepted)
}

// LastEvent is the newest of Accepted.
func (w *World) LastEvent() port.Event {
	all := w.Accepted()
	require.NotEmpty(w.t, all, "no event was accepted")
	return all[len(all)-1]
}

// Redeliver delivers an event once more.
func (w *World) Redeliver(ev port.Event) { w.submit(ev) }

// Run handles events until none is left, as the queue's workers do: an error is handled again later, a killed process
// is started again. The clock moves to when the next event is due. What CI is to do happens when nothing is ready. Run
// does not wait for commits that are followed and about which CI does not report: RunFor does.
func (w *World) Run() {
	w.runUntil(w.Clock.Now().AddDate(1, 0, 0), w.Queue.dueBut)
}

// RunFor is Run, but handles only the events that are due within a time, which it lets pass.
func (w *World) RunFor(d time.Duration) {
	end := w.Clock.Now().Add(d)
	w.runUntil(end, w.Queue.due)
	w.Clock.Advance(max(end.Sub(w.Clock.Now()), 0))
}

func (w *World) runUntil(end time.Time, due func() (time.Time, bool)) {
	for rounds := 0; ; rounds++ {
		require.LessOrEqual(w.t, rounds, 1000, "the queue does not come to rest")
		if w.handleNext(w.immediate) || w.handleNext(w.queued) || w.handleNext(w.Queue.ClaimFollowing) ||
			w.GitHub.playNext() {
			continue
		}
		at, ok := due()
		if !ok || at.After(end) {
			return
		}
		w.Clock.Advance(max(at.Sub(w.Clock.Now()), time.Millisecond))
	}
}

// RunImmediate handles the immediate events that are ready: for use while a run is at work.
func (w *World) RunImmediate() {
	for w.handleNext(w.immediate) {
	}
}

// NotifyQueued tells people that their events wait, as the queue's workers do after a while: for use while a run is at
// work.
func (w *World) NotifyQueued() {
	w.Queue.notices(func(ev, ahead port.Event) (told, again bool) {
		told, err := w.Handler.NotifyQueued(w.t.Context(), ev, ahead)
		if err != nil {
			w.Log.Warn("people were not told that an event waits", "error", err)
		}
		again = errors.As(err, new(*port.WaitError))
		return told || err != nil && !again, again
	})
}

func (w *World) immediate(ctx context.Context) (Claim, bool, error) { return w.Queue.Claim(ctx, true) }

func (w *World) queued(ctx context.Context) (Claim, bool, error) { return w.Queue.Claim(ctx, false) }

// handleNext claims an event and handles it; it returns false when there is none.
func (w *World) handleNext(claim func(context.Context) (Claim, bool, error)) bool {
	for _, ev := range w.running { // the process renews its leases
		_, _ = w.Queue.Renew(context.Background(), ev)
	}
	c, ok, err := claim(context.Background())
	require.NoError(w.t, err)
	if !ok {
		return false
	}
	w.running = append(w.running, c.Event)
	defer func() { w.running = w.running[:len(w.running)-1] }()
	w.work(c)
	return true
}
