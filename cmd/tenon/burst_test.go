package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/schedule"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// burst is how many commands come at once. With more than 41, GitHub's limit of an hour is met too.
var (
	burst     = flag.Int("burst", 36, "how many commands come at once")
	burstOver = flag.Duration("burst.over", 21*time.Second, "in what time that many commands come one after another")
)

// How many installations give how many commands each, and how many of these are in progress at most.
var (
	loadInstallations = flag.Int("load.installations", 9, "how many installations give commands at once")
	loadEach          = flag.Int("load.each", 7, "how many commands each of them gives")
	loadRuns          = flag.Int("load.runs", 17, "how many commands are in progress at most")
	loadThread        = flag.Int("load.thread", 10, "how many commands are given in one thread")
)

// direct serves requests without a network, which a bubble with a clock of its own cannot wait for. Each takes latency.
type direct struct {
	handler http.Handler
	latency time.Duration
}

func (d direct) RoundTrip(req *http.Request) (*http.Response, error) {
	time.Sleep(d.latency)
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	in := req.Clone(req.Context())
	in.RequestURI = req.URL.RequestURI()
	if in.Body == nil {
		in.Body = http.NoBody
	}
	out := httptest.NewRecorder()
	d.handler.ServeHTTP(out, in)
	resp := out.Result()
	resp.Request = req
	return resp, nil
}

// thinkingModel answers every question in the same way, after a while. It notes when it was first asked for what has a
// word.
type thinkingModel struct {
	takes time.Duration
	word  string

	mu      sync.Mutex
	heard   time.Time
	waiting int // for the answer
}

func (m *thinkingModel) Complete(ctx context.Context, req port.Request, _ func(string)) (port.Answer, error) {
	m.mu.Lock()
	if m.word != "" && strings.Contains(req.Messages[0].Text, m.word) {
		m.heard = time.Now()
	}
	m.waiting++
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.waiting--
		m.mu.Unlock()
	}()
	select {
	case <-ctx.Done():
		return port.Answer{}, ctx.Err()
	case <-time.After(m.takes):
		return port.Answer{Text: goodReply, Model: "model-1", Usage: port.Usage{In: 1000, Out: 100}}, nil
	}
}

// burstStage is a GitHub with its real limits, and repositories with a pull request for each command.
type burstStage struct {
	t      *testing.T
	github *simhttp.Server
	store  *store.Store
	model  *thinkingModel
	events []port.Event
	// every is the time between two commands; 0 if all come at once. The first one is given at given.
	every time.Duration
	given time.Time
	// schedule is that of the workers.
	schedule *schedule.Schedule
}

const burstRepo = "acme/lathe"

// newBurstStage returns a stage with commands in the repository of one installation.
func newBurstStage(t *testing.T, commands int) *burstStage {
	github, err := simhttp.New(simhttp.Options{Dir: t.TempDir(), Key: sharedKey(), Now: time.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, github.Close()) })
	s := &burstStage{t: t, github: github, model: &thinkingModel{takes: 5 * time.Second}}
	s.store, err = store.Open(t.Context(), store.Options{Dir: storetest.Folder(t), Now: time.Now})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.store.Close()) })
	s.events = s.install("acme", commands, "/tenon fix `main.go`")
	return s
}

// install adds an installation with a repository, and returns the events of commands in it.
func (s *burstStage) install(owner string, commands int, text string) (events []port.Event) {
	full := owner + "/lathe"
	require.NoError(s.t, s.github.AddOrg(owner, "maria"))
	require.NoError(s.t, s.github.AddRepo(sim.Repo{Name: full, Files: stageFiles, Public: true}))
	installation, err := s.github.Install(sim.Installation{Owner: owner})
	require.NoError(s.t, err)
	other := port.RepoRef{Installation: installation, ID: 1, Owner: owner, Name: "x"}
	repo, err := s.client().Sibling(s.t.Context(), other, "lathe")
	require.NoError(s.t, err)
	for i := range commands {
		head := fmt.Sprintf("speed-%d", i)
		_, err = s.github.Push(full, head, map[string]string{"speed.txt": "fast\n"}, "Be fast\n")
		require.NoError(s.t, err)
		number, err := s.github.OpenPull(sim.Pull{As: "maria", Repo: full, Title: "Be fast", Head: head})
		require.NoError(s.t, err)
		id, err := s.github.Comment("maria", full, number, text)
		require.NoError(s.t, err)
		events = append(events, port.Event{Delivery: fmt.Sprintf("delivery-%s-%d", owner, i), Kind: port.IssueComment,
			Action: "created", Repo: repo, Thread: port.Thread{Number: number, Pull: true, State: "open"},
			Comment: port.Comment{Kind: port.IssueComment, ID: id, Body: text, Author: port.User{ID: 7, Login: "maria"}},
			Sender:  port.User{ID: 7, Login: "maria"}, Received: time.Now()})
	}
	return events
}

func (s *burstStage) client() *gh.Client {
	client, err := gh.New(gh.Options{AppID: s.github.AppID(), PrivateKey: s.github.PrivateKeyPEM(),
		APIURL: s.github.APIURL(), Slug: s.github.Slug(), Pace: s.store.Pace(),
		Transport: schedule.Transport(direct{s.github.Handler(), 100 * time.Millisecond})})
	require.NoError(s.t, err)
	return client
}

// workers returns the workers of one process, with so many runs and one processor.
func (s *burstStage) workers(runs int) *store.Workers {
	client := s.client()
	obs := newObservation()
	obs.schedule = schedule.New(runs, 1)
	s.schedule = obs.schedule
	git := &http.Client{Transport: schedule.Transport(direct{s.github.Handler(), 50 * time.Millisecond})}
	b := &bot.Bot{GitHub: client, Model: obs.schedule.Model("model-1", 0, s.model), Runs: s.store, Queue: s.store,
		Budget: s.store, Repos: gitrepo.New(gitrepo.Options{BaseURL: s.github.GitURL(), Token: client.Token, HTTP: git}),
		Policy: policy.DefaultPolicy(), Slug: s.github.Slug(), Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	b.Policy.Budget = port.Limits{UserCommands: 1e6, RepositoryCommands: 1e6, RepositoryTokens: 1e9, OwnerTokens: 1e9}
	return &store.Workers{Store: s.store, Handler: observedBot{b, obs}, Count: runs, Kept: runs / keptPart}
}

// play accepts the commands, and has them handled; it returns when the last is done.
func (s *burstStage) play(workers *store.Workers) time.Duration {
	s.given = time.Now()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan error, 1)
	if s.every == 0 {
		s.submit()
	}
	go func() { ended <- workers.Run(ctx) }()
	go s.requireNoSlots(ctx)
	if s.every > 0 {
		s.submit()
	}
	for {
		st, err := s.store.Stats(ctx)
		require.NoError(s.t, err)
		require.Zero(s.t, st.DeadLetters)
		if st.Ready+st.Leased == 0 {
			break
		}
		time.Sleep(time.Second)
	}
	took := time.Since(s.given)
	stop()
	require.NoError(s.t, <-ended)
	time.Sleep(2 * time.Minute) // timers of requests end
	return took
}

func (s *burstStage) submit() {
	for i, ev := range s.events {
		time.Sleep(time.Until(s.givenAt(i)))
		require.NoError(s.t, s.store.Submit(s.t.Context(), ev))
	}
}

// givenAt returns when the i-th command is given.
func (s *burstStage) givenAt(i int) time.Time { return s.given.Add(time.Duration(i) * s.every) }

// requireNoSlots fails the test if time passes while a run has a slot: to work takes none by the bubble's clock, so the
// run would wait for something else than a processor.
func (s *burstStage) requireNoSlots(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(31*time.Millisecond + time.Microsecond) // nothing else happens at such a moment
		if s.schedule.Load().Working > 0 {
			s.t.Errorf("after %s, a run waits with a slot", time.Since(s.given))
			return
		}
	}
}

// requireDoneOnce fails the test unless the i-th command in burstRepo has one commit and one answer.
func (s *burstStage) requireDoneOnce(i int, ev port.Event) {
	s.t.Helper()
	commits, err := s.github.Commits(burstRepo, fmt.Sprintf("speed-%d", i))
	require.NoError(s.t, err)
	require.Contains(s.t, commits[0].Message, "Tenon-Run: ")
	require.NotContains(s.t, commits[1].Message, "Tenon-Run: ")
	reviews, err := s.github.Reviews(burstRepo, ev.Thread.Number)
	require.NoError(s.t, err)
	require.Len(s.t, reviews, 1)
	require.Contains(s.t, reviews[0].Body, " · 1 edit committed")
}

// acknowledgedAfter returns how long after the start of the play each command got its first reaction, its eyes.
func (s *burstStage) acknowledgedAfter() (after []time.Duration) {
	first := map[string]time.Duration{}
	for _, r := range s.github.Requests() {
		_, path, _ := strings.Cut(r.Path, "/comments/")
		if _, again := first[path]; r.Method == http.MethodPost && !again {
			first[path] = r.End.Sub(s.given)
		}
	}
	for _, ev := range s.events {
		at, ok := first[fmt.Sprintf("%d/reactions", ev.Comment.ID)]
		require.True(s.t, ok)
		after = append(after, at)
	}
	return after
}

func (s *burstStage) requireEyes(ev port.Event) {
	s.t.Helper()
	reactions, err := s.github.Reactions(sim.IssueComment, ev.Comment.ID)
	require.NoError(s.t, err)
	require.Equal(s.t, "eyes", reactions[0].Content)
}

// refusals counts the requests that GitHub refused because of its limits.
func (s *burstStage) refusals() (n int) {
	for _, r := range s.github.Requests() {
		if r.Status == http.StatusForbidden || r.Status == http.StatusTooManyRequests {
			n++
		}
	}
	return n
}

// Many commands on pull requests of one installation at once: each is acknowledged within seconds, and carried out as
// fast as GitHub's limits of 80 writes a minute and 500 an hour allow. The clock is the bubble's.
func TestABurstOfCommandsIsCarriedOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, *burst)
		s.github.ForgetRequests()
		took := s.play(s.workers(9))
		slowest := slices.Max(s.acknowledgedAfter())
		for i, ev := range s.events {
			s.requireDoneOnce(i, ev)
			s.requireEyes(ev)
		}
		writes := 0
		for _, r := range s.github.Requests() {
			if r.Installation != 0 && r.Method != http.MethodGet && !strings.HasPrefix(r.Route, "git-") {
				writes++
			}
		}
		t.Logf("commands=%d took=%s slowest_eyes=%s requests=%d writes=%d refusals=%d", len(s.events), took, slowest,
			len(s.github.Requests()), writes, s.refusals())
		require.Zero(t, s.refusals(), "GitHub never has to refuse")
		switch writes := 3 * len(s.events); {
		case len(s.events) <= 36:
			require.LessOrEqual(t, slowest, 3*time.Second)
			require.LessOrEqual(t, took, 3*time.Minute)
		case writes > 500: // 80 eyes a minute at most, so that those of the last come after minutes
			own := time.Duration(writes/500)*time.Hour + time.Duration(writes%500/80)*time.Minute
			require.LessOrEqual(t, took, own+own/10, "the limits' own time is %s", own)
		}
	})
}

// Many commands of many installations, of which few are in progress: all are done in the time that so many runs need,
// and the command of a newcomer in the middle of it asks the model at once.
func TestManyInstallationsAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, 1)
		s.model.takes, s.model.word = 30*time.Second, "greet nobody"
		alone := s.play(s.workers(*loadRuns))
		s.events = nil
		for i := range *loadInstallations {
			s.events = append(s.events, s.install(fmt.Sprintf("acme-%d", i), *loadEach, "/tenon fix `main.go`")...)
		}
		newcomer := s.install("newcomers", 1, "/tenon fix `main.go`, greet nobody")[0]
		s.github.ForgetRequests()
		rounds := (len(s.events) + *loadRuns - 1) / *loadRuns
		var came time.Time
		time.AfterFunc(alone*time.Duration(2*rounds-1)/4, func() {
			came = time.Now()
			require.NoError(t, s.store.Submit(t.Context(), newcomer))
		})
		took := s.play(s.workers(*loadRuns))
		least := time.Duration(rounds) * alone
		t.Logf("load commands=%d installations=%d runs=%d took=%s of_least=%.2f newcomer_asks_after=%s "+
			"refusals=%d", len(s.events), *loadInstallations, *loadRuns, took, float64(took)/float64(least),
			s.model.heard.Sub(came), s.refusals())
		require.LessOrEqual(t, took, least+least/10)
		require.LessOrEqual(t, s.model.heard.Sub(came), 2*time.Second)
		require.Zero(t, s.refusals())
		for _, ev := range append(s.events, newcomer) {
			reviews, err := s.github.Reviews(ev.Repo.String(), ev.Thread.Number)
			require.NoError(t, err)
			require.Len(t, reviews, 1)
			require.Contains(t, reviews[0].Body, " · 1 edit committed")
		}
	})
}

// A server that stops in the middle of many commands gives all of them up in time, and loses none.
func TestAShutdownWithManyCommandsInProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, 20)
		s.model.takes = time.Hour
		for _, ev := range s.events {
			require.NoError(t, s.store.Submit(t.Context(), ev))
		}
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		defer stop()
		begun := time.Now()
		require.NoError(t, s.workers(17).Run(ctx))
		require.LessOrEqual(t, time.Since(begun), 35*time.Second)
		st, err := s.store.Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, []int{20, 0, 0}, []int{st.Ready, st.Leased, st.DeadLetters})

		s.model.takes = 5 * time.Second
		s.play(s.workers(17)) // the next process; each delivery is a known one
		for i, ev := range s.events {
			s.requireDoneOnce(i, ev)
		}
	})
}
