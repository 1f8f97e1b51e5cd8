package bot

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// progressGitHub notes how an answer was edited, and when.
type progressGitHub struct {
	bareGitHub
	mu     sync.Mutex
	bodies []string
	times  []time.Time
	slow   time.Duration
}

func (g *progressGitHub) Progress(_ context.Context, _ port.RepoRef, _ int, _ port.Comment, body string) error {
	time.Sleep(g.slow)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bodies, g.times = append(g.bodies, body), append(g.times, time.Now())
	return errors.New("progress is a convenience")
}

// showing returns a run that shows its progress in an answer.
func showing(t *testing.T, github port.GitHub) *run {
	t.Helper()
	r := runOf(t, &Bot{GitHub: github}, fixEvent())
	showProgress(t.Context(), r, record.Target{Branch: "speed", SHA: repositorySHA})
	r.progress.update(func(now *shownStatus) { now.answer = record.AnswerComment{Kind: port.Review, Comment: 5} })
	return r
}

func TestARunShowsHowFarItIsEveryTenSecondsAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		github := &progressGitHub{}
		r := showing(t, github)
		listen := r.progress.listen(1, strings.ToLower)
		for range 45 {
			time.Sleep(time.Second)
			listen("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n")
		}
		r.progress.stop()
		require.Len(t, github.bodies, 4)
		for i, at := range github.times[1:] {
			require.GreaterOrEqual(t, at.Sub(github.times[i]), editPause)
		}
		require.Contains(t, github.bodies[3], "`a.txt`")
	})
}

func TestAStatusThatDoesNotChangeIsNotShownAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		github := &progressGitHub{}
		r := showing(t, github)
		time.Sleep(time.Hour)
		r.progress.stop()
		require.Len(t, github.bodies, 1)
	})
}

func TestTheFinalAnswerIsNotOverwrittenByAnEditUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		github := &progressGitHub{slow: 5 * time.Second}
		r := showing(t, github)
		time.Sleep(editPause + time.Second)
		r.progress.stop()
		require.Len(t, github.bodies, 1, "the edit under way was waited for")
		r.progress.update(func(now *shownStatus) { now.Call = 2 })
		time.Sleep(time.Minute)
		require.Len(t, github.bodies, 1, "and none came after")
		r.progress.stop()
	})
}
