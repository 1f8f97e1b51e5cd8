package sim

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// world is a GitHub in memory, without a door: an organisation, a private repository with a pull request, and an issue.
type world struct {
	Acts
	*heard
	t           *testing.T
	core        *entity.Core
	now         time.Time
	pull, issue int
}

const repo = "acme/app"

// text returns 40 lines, of which line 20 is another one.
func text(line20 string) string {
	var b strings.Builder
	for i := 1; i <= 40; i++ {
		if i == 20 {
			b.WriteString(line20 + "\n")
			continue
		}
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// newWorld returns a world with a user of each role, who is called by it.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, heard: &heard{}, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	w.core = &entity.Core{Clock: func() time.Time { return w.now }, Memory: true, Log: slog.New(slog.DiscardHandler),
		Base: "https://github.example", Events: w.heard,
		App: &entity.App{ID: 7, Slug: "tenon", Permissions: map[string]string{"checks": "write", "contents": "write"}}}
	w.Acts = ActsOf(w.core)
	w.core.State.Init()
	w.MakeBot()
	require.NoError(t, w.AddOrg("acme", "owner"))
	require.NoError(t, w.AddRepo(Repo{Name: repo, Files: map[string]string{"a.txt": text("line 20")}}))
	for _, role := range entity.Roles {
		require.NoError(t, w.AddUser(string(role)))
		require.NoError(t, w.SetRole(repo, string(role), role))
	}
	w.push("feature", text("changed"))
	w.pull = w.opened(Pull{As: "read", Repo: repo, Title: "A change", Head: "feature"})
	w.issue = number(w.OpenIssue("read", repo, "A bug", "It breaks."))(t)
	w.list = nil
	return w
}

// number returns what an act returns, which must succeed.
func number[T any](n T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		require.NoError(t, err)
		return n
	}
}

// push commits a.txt to a branch.
func (w *world) push(branch, content string) (sha string) {
	w.t.Helper()
	return number(w.Push(repo, branch, map[string]string{"a.txt": content}, "Change a.txt\n"))(w.t)
}

func (w *world) opened(in Pull) int {
	w.t.Helper()
	return number(w.OpenPull(in))(w.t)
}

// thread returns an issue or pull request.
func (w *world) thread(n int) *entity.Issue {
	w.t.Helper()
	return number(w.core.State.Issue(repo, n))(w.t)
}

func (w *world) user(login string) *entity.User {
	w.t.Helper()
	return number(w.core.State.User(login))(w.t)
}

func (w *world) repo() *entity.Repository {
	w.t.Helper()
	return number(w.core.State.Repo(repo))(w.t)
}

// heard is a listener that keeps the events: what, how it changed, and by whom.
type heard struct{ list []string }

// told returns the events since it was called last.
func (h *heard) told() []string {
	list := h.list
	h.list = nil
	return list
}

func (h *heard) add(what, action string, by *entity.User) {
	h.list = append(h.list, strings.Join([]string{what, action, by.Login}, " "))
}

type (
	issue  = *entity.Issue
	person = *entity.User
	object = entity.Object
)

func (h *heard) EmitComment(action string, _ *entity.Comment, by person, _ object) {
	h.add("comment", action, by)
}
func (h *heard) EmitReviewComment(action string, _ *entity.ReviewComment, by person, _ object) {
	h.add("note", action, by)
}
func (h *heard) EmitIssue(action string, _ issue, by person, _ object)  { h.add("issue", action, by) }
func (h *heard) EmitTransfer(_, _ issue, by person)                     { h.add("transfer", "", by) }
func (h *heard) EmitPull(action string, _ issue, by person, _ object)   { h.add("pull", action, by) }
func (h *heard) EmitThread(action string, _ issue, by person, _ object) { h.add("thread", action, by) }
func (h *heard) EmitLabel(action string, _ issue, by person, l *entity.Label) {
	h.add(l.Name, action, by)
}
func (h *heard) EmitReview(action string, _ *entity.Review, by person, _ object) {
	h.add("review", action, by)
}
func (h *heard) EmitReviewThread(action string, _ *entity.ReviewComment, by person) {
	h.add("talk", action, by)
}
func (h *heard) EmitCheck(action string, _ *entity.CheckRun, by person, _ object) {
	h.add("check", action, by)
}
func (h *heard) EmitSuite(action string, s *entity.CheckSuite, by person) {
	h.add(s.Branch, action, by)
}
func (h *heard) EmitWorkflowRun(action string, run *entity.WorkflowRun) {
	h.add("run", action, run.Actor)
}
func (h *heard) EmitJob(action string, j *entity.Job) { h.add("job", action, j.Run.Actor) }
func (h *heard) EmitStatus(st *entity.CommitStatus)   { h.add("status", "", st.Creator) }
func (h *heard) EmitInstallation(action string, in *entity.Installation) {
	h.add("app", action, in.Account)
}
func (h *heard) EmitCoverage(in *entity.Installation, _ []*entity.Repository) {
	h.add("app", "covers", in.Account)
}
func (h *heard) Emit(event, action string, _ *entity.Repository, _ int64, by person, _ object) {
	h.add(event, action, by)
}
func (h *heard) WaitFor(string, int64) {}
func (h *heard) Delivered() int        { return len(h.list) }
func (h *heard) WaitSince(int)         {}
