package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// talkative is a GitHub that knows a thread and who may write.
type talkative struct {
	GitHub
	comments []Comment
	threads  []ReviewThread
	writers  string
	asked    int
}

func (g *talkative) Remarks(context.Context, RepoRef, int, *Comment) ([]Comment, error) {
	return g.comments, nil
}

func (g *talkative) Permission(_ context.Context, _ RepoRef, login string) (Permission, error) {
	g.asked++
	switch {
	case login == "broken":
		return PermissionAdmin, errors.New("GitHub is down")
	case strings.Contains(g.writers, login):
		return PermissionWrite, nil
	}
	return PermissionRead, nil
}

func TestRemarksAreThoseOfPeopleFromBeforeTheCommand(t *testing.T) {
	t.Parallel()
	s := testSession()
	now := s.run.Started
	s.ev.Comment.Updated = now
	remark := func(id int64, login, body string, age time.Duration) Comment {
		return Comment{ID: id, Author: User{ID: id, Login: login}, Body: body, Updated: now.Add(-age)}
	}
	bot := remark(5, "dependabot[bot]", "bump", time.Hour)
	bot.Author.Bot = true
	g := &talkative{writers: "ada", comments: []Comment{
		remark(1, "ada", strings.Repeat("long ", 2000), time.Hour),
		remark(2, "stranger", strings.Repeat("long ", 2000), time.Hour),
		remark(3, "broken", "trust me", time.Hour),
		remark(4, "ada", "edited after the command", -time.Second),
		bot,
		remark(99, "maria", "/tenon fix it", 0),
	}}
	s.GitHub = g
	out, err := s.remarks(t.Context(), target{})
	require.NoError(t, err)
	require.Len(t, out, 3)
	require.Equal(t, "ada", out[0].Author)
	require.True(t, out[0].Trusted)
	require.Len(t, []rune(out[0].Text), maxRemark)
	require.False(t, out[1].Trusted)
	require.Len(t, []rune(out[1].Text), maxStrangeRemark)
	require.False(t, out[2].Trusted, "who cannot be asked for is not trusted")
}

func TestRemarksAreBounded(t *testing.T) {
	t.Parallel()
	s := testSession()
	s.ev.Comment.Updated = s.run.Started
	g := &talkative{}
	for i := range int64(100) {
		g.comments = append(g.comments, Comment{ID: 200 + i, Author: User{ID: 200 + i, Login: fmt.Sprint("x", i)}, Body: strings.Repeat("y", 5000), Updated: s.run.Started})
	}
	s.GitHub = g
	out, err := s.remarks(t.Context(), target{})
	require.NoError(t, err)
	require.Len(t, out, maxRemarks)
	require.Equal(t, maxAskedAuthors, g.asked)
}
