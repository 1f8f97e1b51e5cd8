package bot

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

// started is when the runs of these tests started.
var started = time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)

// fixEvent is a command of maria on a pull request of acme/lathe.
func fixEvent() port.Event {
	return port.Event{
		Delivery: "d1", Kind: port.IssueComment, Sender: port.User{ID: 7, Login: "maria"},
		Repo:   port.RepoRef{ID: 3, Installation: 9, Owner: "acme", Name: "lathe", DefaultBranch: "main"},
		Thread: port.Thread{Number: 12, Pull: true, URL: "https://github.example/acme/lathe/pull/12"},
		Comment: port.Comment{
			Kind: port.IssueComment, ID: 99, URL: "https://github.example/acme/lathe/pull/12#issuecomment-99",
			Body: "/tenon fix it", Updated: started,
		},
	}
}

// runOf returns a new run of an event.
func runOf(t *testing.T, b *Bot, ev port.Event) *run {
	t.Helper()
	b.Slug, b.Log = "tenon", slog.New(slog.DiscardHandler)
	if b.GitHub == nil {
		b.GitHub = bareGitHub{}
	}
	inv, _ := b.invocation(ev)
	r, err := b.newRun(ev, inv, port.Run{ID: "abc123def456", Started: started}, b.Policy)
	require.NoError(t, err)
	return r
}

// bareGitHub is a GitHub where nobody has settings, and pull requests are empty.
type bareGitHub struct{ port.GitHub }

func (bareGitHub) Links(t port.Thread) port.Links { return links.Of(t) }

func (bareGitHub) Has(port.Feature) bool { return true }

func (bareGitHub) PullRequest(context.Context, port.RepoRef, int) (port.PullRequest, error) {
	return port.PullRequest{}, nil
}

func (bareGitHub) Sibling(context.Context, port.RepoRef, string) (port.RepoRef, error) {
	return port.RepoRef{}, port.ErrNotFound
}

// emptyRepos are repositories without commits.
type emptyRepos struct{ repo.Repos }

func (emptyRepos) Open(context.Context, port.RepoRef, string, string, ...string) (repo.Checkout, error) {
	return nil, port.ErrEmpty
}

// unconfigured returns a bot for a repository without settings.
func unconfigured(github port.GitHub) *Bot {
	return &Bot{
		GitHub: github, Repos: emptyRepos{}, Queue: acknowledgedQueue{}, Policy: policy.DefaultPolicy(), Now: time.Now,
	}
}
