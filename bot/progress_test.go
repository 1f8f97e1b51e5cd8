package bot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// wall is a GitHub that remembers how an answer was edited, and when.
type wall struct {
	GitHub
	mu     sync.Mutex
	bodies []string
	times  []time.Time
	slow   time.Duration
}

func (w *wall) Progress(_ context.Context, _ RepoRef, _ int, _ Comment, body string) error {
	time.Sleep(w.slow)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bodies, w.times = append(w.bodies, body), append(w.times, time.Now())
	return errors.New("progress is a courtesy")
}

func watched(w *wall) *session {
	s := testSession()
	s.GitHub, s.log = w, slog.New(slog.DiscardHandler)
	return s
}

func TestARunShowsHowFarItIsEveryTenSecondsAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wall{}
		s := watched(w)
		s.watch(t.Context(), target{Branch: "speed", SHA: someSHA})
		s.at(func(now *shownStatus) { now.said = posted{Kind: Review, Comment: 5} })
		hear := s.listen(1)
		for range 45 {
			time.Sleep(time.Second)
			hear("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n")
		}
		s.unwatch()
		require.Len(t, w.bodies, 4)
		for i, at := range w.times[1:] {
			require.GreaterOrEqual(t, at.Sub(w.times[i]), editPause)
		}
		require.Contains(t, w.bodies[3], "`a.txt`")
	})
}

func TestWhatGoesOnQuietlyIsNotShownAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wall{}
		s := watched(w)
		s.watch(t.Context(), target{Branch: "speed", SHA: someSHA})
		s.at(func(now *shownStatus) { now.said = posted{Kind: Review, Comment: 5} })
		time.Sleep(time.Hour)
		s.unwatch()
		require.Len(t, w.bodies, 1)
	})
}

func TestTheLastWordIsNotOverwrittenByAnEditUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wall{slow: 5 * time.Second}
		s := watched(w)
		s.watch(t.Context(), target{Branch: "speed", SHA: someSHA})
		s.at(func(now *shownStatus) { now.said = posted{Kind: Review, Comment: 5} })
		time.Sleep(editPause + time.Second)
		s.unwatch()
		require.Len(t, w.bodies, 1, "the edit under way was waited for")
		time.Sleep(time.Minute)
		require.Len(t, w.bodies, 1, "and none came after")
	})
}
