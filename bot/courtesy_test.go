package bot

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCourtesiesAreCountedByPersonAndHour(t *testing.T) {
	t.Parallel()
	var c courtesies
	at := time.Date(2026, 2, 3, 4, 59, 0, 0, time.UTC)
	for range maxCourtesies {
		require.True(t, c.use(1, at))
	}
	require.False(t, c.use(1, at))
	require.True(t, c.use(2, at), "another person")
	require.True(t, c.use(1, at.Add(time.Minute)), "another hour")
}

// strangers lets anybody read, and notes what is said.
type strangers struct {
	reactions
	said int
}

func (g *strangers) Permission(context.Context, RepoRef, string) (Permission, error) {
	return PermissionRead, nil
}

func (g *strangers) FindAnswer(context.Context, RepoRef, Place, string, time.Time) (Comment, bool, error) {
	return Comment{}, false, nil
}

func (g *strangers) Post(context.Context, RepoRef, Place, string) (Comment, error) {
	g.said++
	return Comment{}, nil
}

func TestAStrangerIsNotAnsweredAThousandTimes(t *testing.T) {
	t.Parallel()
	github := &strangers{reactions: reactions{at: make(chan string, 1000)}}
	b := configured(&settingsRepos{}, &github.owners)
	b.GitHub = github
	b.Now = func() time.Time { return time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC) }
	for i := range 1000 {
		s := &session{Bot: b, journal: journalOf(Run{}), ev: lathe, policy: b.Policy, log: slog.New(slog.DiscardHandler)}
		s.ev.Comment.Kind, s.ev.Sender = IssueComment, User{ID: 7, Login: "stranger"}
		s.inv.command = Command{Verb: "help", Needs: PermissionRead}
		help := func(ctx context.Context, s *session) error {
			_, err := s.post(ctx, s.besides(), "help")
			return err
		}
		if i%2 == 1 {
			s.inv.command.Needs = PermissionWrite
		}
		if err := s.serve(t.Context(), help); err != nil {
			require.ErrorIs(t, err, errTurnedAway)
		}
	}
	require.Equal(t, maxCourtesies, github.said)
	require.LessOrEqual(t, len(github.at), maxCourtesies)
}
