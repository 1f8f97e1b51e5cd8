package bot

import (
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// reactions gets them, and lets everybody in.
type reactions struct {
	owners
	at chan string
}

func (r *reactions) Permission(context.Context, RepoRef, string) (Permission, error) {
	return PermissionWrite, nil
}

func (r *reactions) React(_ context.Context, repo RepoRef, _ Comment, _ Reaction) error {
	r.at <- repo.Name
	return nil
}

// The work beside it may learn that the repository has another name now.
func TestTheFirstReactionGoesWhereTheCommandWasGiven(t *testing.T) {
	t.Parallel()
	github := &reactions{at: make(chan string, 1)}
	b := configured(&settingsRepos{}, &github.owners)
	b.GitHub = github
	ev := lathe
	ev.Comment.Kind = IssueComment
	s := &session{Bot: b, journal: journalOf(Run{}), ev: ev, policy: b.Policy, log: slog.New(slog.DiscardHandler)}
	s.inv.command = Command{Verb: "help", Needs: PermissionRead}
	require.NoError(t, s.serve(t.Context(), func(_ context.Context, s *session) error {
		s.ev.Repo.Name = "renamed"
		return nil
	}))
	require.Equal(t, "lathe", <-github.at)
}
