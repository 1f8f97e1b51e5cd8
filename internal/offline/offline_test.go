package offline_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/single"
)

// files is a source in memory.
type files struct{ engine.MemTree }

func (files) SHA() string  { return strings.Repeat("a", 40) }
func (files) Tree() string { return strings.Repeat("b", 40) }

func (files) Load(context.Context, ...string) error { return nil }

func (files) LoadSome(context.Context, int64, ...string) error { return nil }

func (f files) Blob(name string) (string, bool) {
	data, ok := f.MemTree[name]
	return "blob " + string(data), ok
}

func (f files) Executable(name string) (bool, error) {
	if _, ok := f.MemTree[name]; !ok {
		return false, fs.ErrNotExist
	}
	return strings.HasSuffix(name, ".sh"), nil
}

func (files) Links(string) ([]string, error) { return nil, nil }

// model answers each question with the next of its replies.
type model struct{ replies []string }

func (m *model) Complete(_ context.Context, _ port.Request, onText func(string)) (port.Answer, error) {
	if len(m.replies) == 0 {
		return port.Answer{}, errors.New("no further reply")
	}
	text := m.replies[0]
	m.replies = m.replies[1:]
	if onText != nil {
		onText(text)
	}
	return port.Answer{Text: text, Model: "model-1"}, nil
}

var greeting = files{engine.MemTree{"main.go": []byte("package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n")}}

const reply = "main.go\n<<<<<<< SEARCH\n\tprintln(\"hello\")\n=======\n\tprintln(\"goodbye\")\n>>>>>>> REPLACE\n"

// carryOut has the bot carry out a command in a thread, and returns what it committed and answered.
func carryOut(t *testing.T, thread offline.Thread, command string, replies ...string) ([]port.Upload, *offline.World) {
	t.Helper()
	var made []port.Upload
	world := offline.New(thread,
		func(context.Context) (repo.Checkout, error) { return offline.NewOverlay(greeting), nil },
		func(_ context.Context, u port.Upload) (string, error) {
			made = append(made, u)
			return strings.Repeat("c", 40), nil
		}, time.Now)
	memory := single.NewMemory(time.Now)
	b := &bot.Bot{GitHub: world.GitHub(), Repos: world.Repos(), Model: &model{replies}, Runs: memory, Queue: memory,
		Budget: memory, Policy: policy.DefaultPolicy(), Models: []port.ModelInfo{{Name: "model-1"}}, Slug: "tenon",
		Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	ev := port.Event{Delivery: "one", Kind: port.IssueComment, Action: "created", Repo: thread.Repo,
		Thread:  port.Thread{Number: thread.Number, Pull: thread.Pull, Title: thread.Title, URL: thread.URL()},
		Comment: port.Comment{Kind: port.IssueComment, ID: 7, Body: command}, Sender: port.User{ID: 1, Login: "maria"},
		Received: time.Now()}
	require.NoError(t, single.Runner{Handler: b}.Handle(t.Context(), ev))
	return made, world
}

var lathe = port.RepoRef{Installation: 1, ID: 2, Owner: "acme", Name: "lathe", DefaultBranch: "main"}

func TestAPullRequestIsFixedWithoutGitHub(t *testing.T) {
	t.Parallel()
	pull := offline.Thread{Repo: lathe, Number: 1, Pull: true, Title: "Greet", Branch: "greet", Base: "main"}
	made, world := carryOut(t, pull, "/tenon fix say goodbye in `main.go`", reply)
	require.Len(t, made, 1)
	require.Equal(t, "greet", made[0].Branch)
	require.Len(t, made[0].Changes, 1)
	require.Contains(t, string(made[0].Changes[0].Data), "goodbye")
	require.Contains(t, made[0].Message, "Tenon-Run: ")
	require.Len(t, world.Answers(), 1)
	require.Contains(t, world.Answers()[0].Body, "main.go")
}

func TestAnIssueIsFixedOnABranchOfItsOwn(t *testing.T) {
	t.Parallel()
	issue := offline.Thread{Repo: lathe, Number: 3, Title: "It greets", Body: "It should say goodbye in main.go."}
	made, _ := carryOut(t, issue, "/tenon fix", reply)
	require.Len(t, made, 1)
	require.Equal(t, "tenon/issue-3", made[0].Branch)
}

func TestAQuestionIsAnsweredWithoutGitHub(t *testing.T) {
	t.Parallel()
	pull := offline.Thread{Repo: lathe, Number: 1, Pull: true, Title: "Greet", Branch: "greet", Base: "main"}
	made, world := carryOut(t, pull, "/tenon ask what does `main.go` do?", "It prints a greeting.")
	require.Empty(t, made)
	require.Len(t, world.Answers(), 1)
	require.Contains(t, world.Answers()[0].Body, "It prints a greeting.")
}
