package main

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// killer kills the process of the server once, the first time that it is asked to.
type killer struct {
	once sync.Once
	dead chan struct{}
	s    *stage
}

func newKiller(s *stage) *killer { return &killer{dead: make(chan struct{}), s: s} }

func (k *killer) strike() {
	k.once.Do(func() {
		_ = k.s.server.cmd.Process.Kill()
		<-k.s.server.ended
		close(k.dead)
	})
}

// wait returns when the server is dead.
func (k *killer) wait() {
	k.s.t.Helper()
	select {
	case <-k.dead:
	case <-time.After(patience):
		require.FailNow(k.s.t, "the moment to kill the server never came", k.s.log.all())
	}
}

// at arms the killer at a stage of the first request that matches. Before its effect, the request dies with the server:
// it was never sent.
func (k *killer) at(stage simhttp.Stage, match func(*http.Request) bool) {
	var matched sync.Map // by request: its body can be read before the effect only
	k.s.github.Gate(func(now simhttp.Stage, r *http.Request) {
		if now == simhttp.BeforeEffect && match(r) {
			matched.Store(r, true)
		}
		if _, is := matched.Load(r); now != stage || !is {
			return
		}
		k.strike()
		if stage == simhttp.BeforeEffect {
			panic(http.ErrAbortHandler)
		}
	})
}

// Whatever moment the process dies at: in the end there is one commit and one answer, and an answer of the model that
// was recorded is not asked for again.
func TestKilledAtTheWorstMoment(t *testing.T) {
	t.Parallel()
	for moment, c := range map[string]struct {
		arm func(*stage, *killer)
		// asked is how often the model is asked in all, at most.
		asked int
	}{
		"before the permission is known": {func(_ *stage, k *killer) {
			k.at(simhttp.BeforeEffect, func(r *http.Request) bool { return hasSuffix(r, "/permission") })
		}, 1},
		"before the clone": {func(_ *stage, k *killer) {
			k.at(simhttp.BeforeEffect, func(r *http.Request) bool { return hasSuffix(r, "/git-upload-pack") })
		}, 1},
		"before the model answers":            {func(s *stage, k *killer) { s.model.before = k.strike }, 2},
		"when the model has answered":         {func(s *stage, k *killer) { s.model.after = k.strike }, 2},
		"before the answer is edited":         {func(_ *stage, k *killer) { k.at(simhttp.BeforeEffect, isLastWord) }, 1},
		"after the answer was edited":         {func(_ *stage, k *killer) { k.at(simhttp.AfterEffect, isLastWord) }, 1},
		"before the push":                     {func(_ *stage, k *killer) { k.at(simhttp.BeforeEffect, isPush) }, 1},
		"after the push, before its answer":   {func(_ *stage, k *killer) { k.at(simhttp.AfterEffect, isPush) }, 1},
		"before the answer":                   {func(_ *stage, k *killer) { k.at(simhttp.BeforeEffect, isAnswer) }, 1},
		"after the answer, before it is told": {func(_ *stage, k *killer) { k.at(simhttp.AfterEffect, isAnswer) }, 1},
		"before the check is made": {func(_ *stage, k *killer) {
			k.at(simhttp.BeforeEffect, func(r *http.Request) bool { return hasSuffix(r, "/check-runs") })
		}, 1},
		"before the last reaction": {func(_ *stage, k *killer) {
			var n atomic.Int32
			k.at(simhttp.BeforeEffect, func(r *http.Request) bool { return isReaction(r) && n.Add(1) == 2 })
		}, 1},
	} {
		t.Run(moment, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			s.startProcess()
			k := newKiller(s)
			c.arm(s, k)
			id := s.comment("maria", "/tenon fix `main.go`")
			k.wait()
			s.github.Gate(nil)
			require.GreaterOrEqual(t, len(audited(t, store.Options{Dir: s.data})), len(s.commits()),
				"the audit has an entry for a commit before anybody goes on")
			s.startProcess()
			require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
			require.Len(t, s.commits(), 1)
			require.Len(t, s.answers(), 1)
			require.Contains(t, s.answers()[0], " · 1 edit committed")
			require.Contains(t, s.file("main.go"), "goodbye")
			require.LessOrEqual(t, len(s.model.questions()), c.asked)
			var entries []port.Ended
			s.until("the end of the run in the audit", func() bool {
				entries = audited(t, store.Options{Dir: s.data})
				return len(entries) == 1 && entries[0].Outcome == port.EndCommitted
			})
			require.Len(t, entries[0].Commits, 1)
			made, err := s.github.Commits(s.repo, "speed")
			require.NoError(t, err)
			require.Equal(t, made[0].SHA, entries[0].Commits[0].SHA)
			require.Equal(t, port.PermissionAdmin, entries[0].Permission)
		})
	}
}

// audited returns the audit in the database of a server, which may be running.
func audited(t *testing.T, opts store.Options) (all []port.Ended) {
	t.Helper()
	o, err := store.Attach(t.Context(), opts)
	require.NoError(t, err)
	defer func() { require.NoError(t, o.Close()) }()
	err = o.Audit(t.Context(), store.AuditFilter{}, func(e port.Ended) error { all = append(all, e); return nil })
	require.NoError(t, err)
	return all
}

func hasSuffix(r *http.Request, suffix string) bool {
	return len(r.URL.Path) >= len(suffix) && r.URL.Path[len(r.URL.Path)-len(suffix):] == suffix
}

// The push was made, and before its answer came somebody else pushed on top: the commit is found anyway.
func TestKilledAfterThePushAndTheBranchWentOn(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.startProcess()
	k := newKiller(s)
	k.at(simhttp.AfterEffect, isPush)
	id := s.comment("maria", "/tenon fix `main.go`")
	k.wait()
	s.github.Gate(nil)
	_, err := s.github.Push(s.repo, "speed", map[string]string{"main.go": "package main // anew\n"}, "Write it anew\n")
	require.NoError(t, err)
	s.startProcess()
	require.Contains(t, s.settled(id), "rocket")
	require.Len(t, s.commits(), 1)
	require.Len(t, s.answers(), 1)
	require.Equal(t, "package main // anew\n", s.file("main.go"))
}

// An event that ends the process each time is set aside, the thread is told, and later commands are served.
func TestAnEventThatKillsTheProcessIsSetAside(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.startProcess()
	var id int64
	for i := range 3 {
		k := newKiller(s)
		k.at(simhttp.BeforeEffect, isPush)
		if i == 0 {
			id = s.comment("maria", "/tenon fix `main.go`")
		} else {
			s.startProcess()
		}
		k.wait()
	}
	storetest.MakeGuilty(t, s.data)
	s.github.Gate(nil)
	s.startProcess()
	require.Equal(t, []string{"eyes", "confused"}, s.settled(id))
	require.Empty(t, s.commits())
	require.Contains(t, s.answers()[0], "An internal error kept tenon from finishing this")
	require.Contains(t, s.answers()[0], s.delivery(id).GUID)
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
}
