package bot

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
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
	inv, _ := b.invocation(ev)
	r, err := b.newRun(ev, inv, port.Run{ID: "abc123def456", Started: started})
	require.NoError(t, err)
	return r
}
