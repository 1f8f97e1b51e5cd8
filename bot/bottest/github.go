package bottest

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// GitHub is a GitHub with one app, as the app sees it through its installations: the adapter internal/gh at a server of
// internal/github/sim in this process. It implements port.GitHub by its door. What people do there are methods of Repo,
// Thread and Comment. Safe for concurrent use.
type GitHub struct {
	door
	t      testing.TB
	server *simhttp.Server
	faults *faults
	clock  *Clock
	skew   atomic.Int64
	pace   port.Pace
	// report is told when GitHub tells the app that CI reported about a commit.
	report func(repo int64, sha string)

	mu       sync.Mutex
	client   *gh.Client
	installs map[string]*installation // by login
	muted    map[int64]bool           // repositories of which the app is told nothing of CI
	pushed   map[int64][]func(*CI)    // what CI does for the next commits of the app, by repository
	started  map[startedWorkflow][]func(*CI)
	plays    []func() // what CI does when the queue is idle
}

// installation is the app on an account.
type installation struct {
	sim.Installation
	id int64
}

// startedWorkflow is a workflow of a repository that can be started.
type startedWorkflow struct {
	repo int64
	file string
}

// Slug is the app's name; Slug + "[bot]" is its login.
const Slug = "tenon"

// site is where people read it all.
const site = "https://github.example"

// appKey is the key of all apps: to make one takes time.
var appKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024) //nolint:gosec // it signs nothing that matters
	if err != nil {
		panic(err)
	}
	return key
})

// NewGitHub returns a GitHub without repositories. A person who does there what GitHub does not allow fails the test.
func NewGitHub(t testing.TB, clock *Clock) *GitHub {
	g := &GitHub{t: t, clock: clock, pace: gh.NewMemoryPace(clock.Now), installs: map[string]*installation{},
		muted: map[int64]bool{}, pushed: map[int64][]func(*CI){}, started: map[startedWorkflow][]func(*CI){}}
	g.door = door{g}
	g.server = must(simhttp.New(simhttp.Options{URL: site, Memory: true, Now: g.now, Key: appKey()}))(t)
	t.Cleanup(func() { g.allows(g.server.Close()) })
	return g
}

// now is the time by GitHub's clock.
func (g *GitHub) now() time.Time { return g.clock.Now().Add(time.Duration(g.skew.Load())) }

// restart gives the app a new client, which has no tokens.
func (g *GitHub) restart() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.client = nil
}

func (g *GitHub) sleep(ctx context.Context, d time.Duration) error {
	g.clock.Advance(d)
	return ctx.Err()
}

// app is the client of the app.
func (g *GitHub) app() *gh.Client {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.client == nil {
		g.client = must(gh.New(gh.Options{AppID: g.server.AppID(), PrivateKey: g.server.PrivateKeyPEM(),
			APIURL: g.server.APIURL(), Slug: Slug, Transport: g.server.Transport(), Now: g.clock.Now, Sleep: g.sleep,
			Pace: g.pace}))(g.t)
	}
	return g.client
}

// allows fails the test if GitHub does not allow something.
func (g *GitHub) allows(err error) { require.NoError(g.t, err, "GitHub does not allow that") }

// account makes an account, unless there is one.
func (g *GitHub) account(login string) sim.Account {
	if a, err := g.server.Account(login); err == nil {
		return a
	}
	if strings.HasSuffix(login, "[bot]") {
		g.allows(g.server.AddBot(login))
	} else {
		g.allows(g.server.AddUser(login))
	}
	return must(g.server.Account(login))(g.t)
}

// User returns somebody's account, as GitHub tells of it.
func (g *GitHub) User(login string) port.User {
	a := g.account(login)
	return port.User{ID: a.ID, Login: a.Login, Bot: strings.HasSuffix(a.Login, "[bot]")}
}

// Skew sets how far GitHub's clock is ahead of that of the process.
func (g *GitHub) Skew(d time.Duration) { g.skew.Store(int64(d)) }

// Wrote counts further writes of the app just now, as for other threads.
func (g *GitHub) Wrote(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, in := range g.installs {
		for range n {
			must(g.pace.Write(g.t.Context(), in.id, port.OtherWrite, func(port.PaceState) time.Duration { return 0 }))(g.t)
		}
	}
}

// permanentError is an error that no further attempt heals.
type permanentError struct{ text string }

func (e *permanentError) Error() string   { return e.text }
func (e *permanentError) Permanent() bool { return true }

// must returns a value, and fails a test that gets an error instead.
func must[T any](value T, err error) func(t require.TestingT, why ...any) T {
	return func(t require.TestingT, why ...any) T {
		require.NoError(t, err, why...)
		return value
	}
}
