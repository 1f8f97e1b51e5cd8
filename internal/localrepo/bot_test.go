package localrepo_test

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/localrepo"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/single"
)

// model always answers with the same text; asked is called before it does so for the first time.
type model struct {
	asked func(port.Request)
	text  string
}

func (m *model) Complete(_ context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	if m.asked != nil {
		m.asked(r)
		m.asked = nil
	}
	if onText != nil {
		onText(m.text)
	}
	return port.Answer{Text: m.text, Model: "model-1"}, nil
}

// carryOut has the bot carry out a command in a work tree, and returns its answer.
func carryOut(tb testing.TB, r *localrepo.Repo, command string, m *model) string {
	tb.Helper()
	changed, err := r.Changed(tb.Context())
	require.NoError(tb, err)
	lathe := port.RepoRef{Installation: 1, ID: 2, Owner: "acme", Name: "lathe", DefaultBranch: "main"}
	thread := offline.Thread{Repo: lathe, Number: 1, Pull: true, Title: "Greet", Branch: "main", Base: "main",
		Changed: changed}
	world := offline.New(thread, r.Checkout, r.Commit, time.Now).Past(r.Past)
	memory := single.NewMemory(time.Now)
	b := &bot.Bot{GitHub: world.GitHub(), Repos: world.Repos(), Model: m, Runs: memory, Queue: memory, Budget: memory,
		Policy: policy.DefaultPolicy(), Models: []port.ModelInfo{{Name: "model-1"}}, Slug: "tenon", Now: time.Now,
		Documents: r.Documents(), Log: slog.New(slog.DiscardHandler)}
	ev := port.Event{Delivery: "one", Kind: port.IssueComment, Action: "created", Repo: thread.Repo,
		Thread:  port.Thread{Number: thread.Number, Pull: thread.Pull, Title: thread.Title, URL: thread.URL()},
		Comment: port.Comment{Kind: port.IssueComment, ID: 7, Body: command}, Sender: port.User{ID: 1, Login: "maria"},
		Received: time.Now()}
	require.NoError(tb, single.Runner{Handler: b}.Handle(tb.Context(), ev))
	require.Len(tb, world.Answers(), 1)
	return world.Answers()[0].Body
}

func command(tb testing.TB, dir, name string, args ...string) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(tb, err, "%s %v: %s", name, args, out)
}

func write(tb testing.TB, dir, name, text string) {
	tb.Helper()
	require.NoError(tb, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
}

func committed(tb testing.TB, dir string) {
	tb.Helper()
	command(tb, dir, "git", "init", "--quiet", "--initial-branch=main")
	command(tb, dir, "git", "config", "gc.auto", "0") // after a large commit git goes on packing in the background
	command(tb, dir, "git", "add", "--all")
	command(tb, dir, "git", "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "start")
}

const goodbye = "main.txt\n<<<<<<< SEARCH\nhello\n=======\ngoodbye\n>>>>>>> REPLACE\n"

func TestWhatThePersonWritesMeanwhileIsMerged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "main.txt", "hello\none\ntwo\nthree\n")
	committed(t, dir)
	r, err := localrepo.Open(t.Context(), dir, localrepo.Options{})
	require.NoError(t, err)
	defer func() { _ = r.Close() }()
	meanwhile := func(port.Request) { write(t, dir, "main.txt", "hello\none\ntwo\nthree and more\n") }
	carryOut(t, r, "/tenon fix say goodbye in `main.txt`", &model{asked: meanwhile, text: goodbye})
	data, err := os.ReadFile(filepath.Join(dir, "main.txt"))
	require.NoError(t, err)
	require.Equal(t, "goodbye\none\ntwo\nthree and more\n", string(data))
}

func TestALineThatThePersonChangesMeanwhileStays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "main.txt", "hello\none\ntwo\nthree\n")
	committed(t, dir)
	r, err := localrepo.Open(t.Context(), dir, localrepo.Options{})
	require.NoError(t, err)
	defer func() { _ = r.Close() }()
	meanwhile := func(port.Request) { write(t, dir, "main.txt", "hello, world\none\ntwo\nthree\n") }
	carryOut(t, r, "/tenon fix say goodbye in `main.txt`", &model{asked: meanwhile, text: goodbye})
	data, err := os.ReadFile(filepath.Join(dir, "main.txt"))
	require.NoError(t, err)
	require.Equal(t, "hello, world\none\ntwo\nthree\n", string(data))
	_, wrote := r.Made()
	require.False(t, wrote)
}
