package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// discussedGitHub is a GitHub with the comments and review threads of one pull request, and with those who may write.
type discussedGitHub struct {
	port.GitHub
	comments []port.Comment
	threads  []port.ReviewThread
	writers  string
	// asked counts the questions for a permission.
	asked int
}

func (g *discussedGitHub) Comments(context.Context, port.RepoRef, int, *port.Comment) ([]port.Comment, error) {
	return g.comments, nil
}

func (g *discussedGitHub) UnresolvedThreads(context.Context, port.RepoRef, int) ([]port.ReviewThread, error) {
	return g.threads, nil
}

func (g *discussedGitHub) Permission(_ context.Context, _ port.RepoRef, login string) (port.Permission, error) {
	g.asked++
	switch {
	case login == "broken":
		return port.PermissionAdmin, errors.New("GitHub is down")
	case strings.Contains(g.writers, login):
		return port.PermissionWrite, nil
	}
	return port.PermissionRead, nil
}

func discussion(github *discussedGitHub) prompter {
	return prompter{
		github: github, ev: fixEvent(), isOwn: func(u port.User) bool { return u.Login == "tenon[bot]" },
		people: newAuthors(github, fixEvent()),
	}
}

func TestCommentsAreThoseOfPeopleFromBeforeTheCommand(t *testing.T) {
	t.Parallel()
	comment := func(id int64, login, body string, age time.Duration) port.Comment {
		return port.Comment{ID: id, Author: port.User{ID: id, Login: login}, Body: body, Updated: started.Add(-age)}
	}
	bot := comment(5, "dependabot[bot]", "bump", time.Hour)
	bot.Author.Bot = true
	p := discussion(&discussedGitHub{writers: "ada", comments: []port.Comment{
		comment(1, "ada", strings.Repeat("long ", 2000), time.Hour),
		comment(2, "stranger", strings.Repeat("long ", 2000), time.Hour),
		comment(3, "broken", "trust me", time.Hour),
		comment(4, "ada", "edited after the command", -time.Second),
		comment(6, "ada", "in the second of the command", 0),
		bot,
		comment(99, "maria", "/tenon fix it", 0),
	}})
	out, err := p.comments(t.Context(), p.people)
	require.NoError(t, err)
	require.Len(t, out, 3)
	require.Equal(t, "ada", out[0].Author)
	require.True(t, out[0].Trusted)
	require.Len(t, []rune(out[0].Text), maxComment)
	require.False(t, out[1].Trusted)
	require.Len(t, []rune(out[1].Text), maxStrangers)
	require.Equal(t, "trust me", out[2].Text)
	require.False(t, out[2].Trusted, "nobody is trusted for whom GitHub cannot be asked")
}

func TestCommentsAreBounded(t *testing.T) {
	t.Parallel()
	github := &discussedGitHub{}
	for i := range int64(100) {
		github.comments = append(github.comments, port.Comment{
			ID: 200 + i, Author: port.User{ID: 200 + i, Login: fmt.Sprint("x", i)}, Body: strings.Repeat("y", 5000),
			Updated: started.Add(-time.Second),
		})
	}
	p := discussion(github)
	out, err := p.comments(t.Context(), p.people)
	require.NoError(t, err)
	require.Len(t, out, maxComments)
	require.Equal(t, maxAskedAuthors, github.asked)
}

func TestCommentsAreBoundedTogether(t *testing.T) {
	t.Parallel()
	github := &discussedGitHub{writers: "ada"}
	for i := range 10 {
		github.comments = append(github.comments, port.Comment{
			ID: int64(i), Author: port.User{Login: "ada"}, Body: fmt.Sprint(i, strings.Repeat("y", 5000)),
			Updated: started.Add(-time.Second),
		})
	}
	p := discussion(github)
	out, err := p.comments(t.Context(), p.people)
	require.NoError(t, err)
	all := 0
	for _, c := range out {
		all += utf8.RuneCountInString(c.Text)
	}
	require.LessOrEqual(t, all, maxCommentsTogether)
	require.NotEmpty(t, out)
	require.True(t, strings.HasPrefix(out[len(out)-1].Text, "9"), "the newest are read")
}

// Comments in Japanese get as much room as those in English: characters count, not bytes.
func TestTheRoomForCommentsIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	for language, word := range map[string]string{"English": "s", "Japanese": "速"} {
		var list []port.Comment
		for i := range maxCommentsTogether / maxComment {
			list = append(list, port.Comment{
				ID: int64(i + 1), Author: port.User{Login: "ada"}, Body: strings.Repeat(word, maxComment),
				Updated: started.Add(-time.Hour),
			})
		}
		github := &discussedGitHub{writers: "ada", comments: list}
		p := discussion(github)
		out, err := p.comments(t.Context(), p.people)
		require.NoError(t, err)
		require.Len(t, out, len(list), language)

		for range maxReviewsTogether / maxReviewComment {
			list = list[:1]
			github.threads = append(github.threads, port.ReviewThread{Path: "a.go", Line: 1, Comments: []port.Comment{{
				Author: port.User{Login: "ada"}, Body: strings.Repeat(word, maxReviewComment), Updated: started.Add(-time.Hour),
			}}})
		}
		reviews, err := discussion(github).reviews(t.Context())
		require.NoError(t, err)
		require.Len(t, reviews.shown, maxReviewsTogether/maxReviewComment, language)
	}
}
