package live

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/view"
)

const id = "aaaabbbbcccc"

// bubble runs a story in parallel, on the fake clock of testing/synctest.
func bubble(t *testing.T, story func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, story)
}

// watching starts to wait for what happens after a moment, and returns when it waits. It is called in a bubble.
func watching(t *testing.T, h *Hub, after uint64) <-chan uint64 {
	t.Helper()
	got := make(chan uint64, 1)
	go func() {
		now, err := h.Watch(t.Context(), id, after)
		if err == nil {
			got <- now
		}
	}()
	synctest.Wait()
	return got
}

func TestAWatcherLearnsWhatHappenedSinceItAskedLast(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := New()
		h.Recorded(id, "")
		first, err := h.Watch(t.Context(), id, 0)
		require.NoError(t, err, "what is there is told at once")

		got := watching(t, h, first)
		require.True(t, h.Watched(id))
		h.Said(id, 1, "a line\n")
		h.Said(id, 1, "another\n")
		now := <-got
		require.Greater(t, now, first)
		require.Equal(t, "a line\nanother\n", h.Live(id).Text)
		require.Equal(t, 1, h.Live(id).Call)
	})
}

func TestASlowWatcherMissesNothing(t *testing.T) {
	t.Parallel()
	h := New()
	h.Recorded(id, "")
	first, err := h.Watch(t.Context(), id, 0)
	require.NoError(t, err)
	h.Tried(id, 1, []record.Result{{Path: "a.go"}})
	_, err = h.Watch(t.Context(), id, first)
	require.NoError(t, err, "it happened in between")
	require.Len(t, h.Live(id).Results, 1)
}

func TestATextThatIsRecordedIsNoLongerLive(t *testing.T) {
	t.Parallel()
	h := New()
	h.Said(id, 1, "text\n")
	h.Said(id, 2, "more\n")
	require.Equal(t, view.Live{Call: 2, Text: "more\n"}, h.Live(id), "another call")
	h.Recorded(id, "ask.2")
	require.Zero(t, h.Live(id))
}

func TestResultsAreShownUntilTheAttemptEnds(t *testing.T) {
	t.Parallel()
	h := New()
	tried := []record.Result{{Path: "a.go"}}
	h.Said(id, 1, "text\n")
	h.Tried(id, 1, tried)
	h.Recorded(id, "ask.1")
	require.Equal(t, view.Live{Results: tried}, h.Live(id))
	h.Said(id, 2, "a repair\n")
	require.Equal(t, view.Live{Call: 2, Text: "a repair\n", Results: tried}, h.Live(id))
	h.Recorded(id, "")
	require.Zero(t, h.Live(id), "another attempt")
	h.Tried(id, 1, tried)
	h.Ended(id)
	require.Zero(t, h.Live(id))
}

func TestARunIsForgottenWhenNothingIsHeardOfItAndNobodyWatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := New()
		h.Recorded("unseen", "")
		h.Ended("unseen")
		require.Empty(t, h.runs, "nobody watched")

		h.Recorded(id, "")
		got := watching(t, h, mustWatch(t, h, 0))
		h.Ended(id)
		<-got
		require.Len(t, h.runs, 1, "the watcher asks again")
		time.Sleep(linger)
		mustWatch(t, h, 0)
		h.Recorded("other", "")
		require.Contains(t, h.runs, id)
		time.Sleep(linger)
		mustWatchRun(t, h, "new", 0)
		require.NotContains(t, h.runs, id)
		require.Contains(t, h.runs, "other", "it goes on")
	})
}

func mustWatch(t *testing.T, h *Hub, after uint64) uint64 {
	t.Helper()
	return mustWatchRun(t, h, id, after)
}

func mustWatchRun(t *testing.T, h *Hub, run string, after uint64) uint64 {
	t.Helper()
	now, err := h.Watch(t.Context(), run, after)
	require.NoError(t, err)
	return now
}

// A run that waits in the queue, or that another process handles.
func TestOfARunOfWhichNothingIsHeardAWatcherIsToldToLookAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := New()
		begun := time.Now()
		first := mustWatch(t, h, 0)
		second := mustWatch(t, h, first)
		require.Greater(t, second, first)
		require.Equal(t, again, time.Since(begun))

		got := watching(t, h, second)
		require.Empty(t, got, "nothing has happened")
		h.Changed(id)
		<-got
		require.Equal(t, again, time.Since(begun))
	})
}

func TestAWatcherOfARunOfThisProcessIsNotToldToLookAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := New()
		h.Recorded(id, "")
		first := mustWatch(t, h, 0)
		ctx, cancel := context.WithTimeout(t.Context(), 10*again)
		defer cancel()
		_, err := h.Watch(ctx, id, first)
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestAMomentOfAnEarlierProcessIsNoNews(t *testing.T) {
	bubble(t, func(t *testing.T) {
		before := New()
		before.Recorded(id, "")
		moment := mustWatch(t, before, 0)
		time.Sleep(time.Millisecond)
		now := mustWatch(t, New(), moment)
		require.Greater(t, now, moment)
	})
}

func TestNobodyWatchesAWhileAfterTheLastWatcherAsked(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := New()
		h.Recorded(id, "")
		require.False(t, h.Watched(id))
		mustWatch(t, h, 0)
		require.True(t, h.Watched(id), "it is about to ask again")
		time.Sleep(linger)
		require.False(t, h.Watched(id))
	})
}

func TestWhatIsKeptOfAReplyIsBounded(t *testing.T) {
	t.Parallel()
	h := New()
	for range 100 {
		h.Said(id, 1, strings.Repeat("all work and no play\n", 1000))
	}
	require.Len(t, h.Live(id).Text, maxText)
}

// What 200 people who watch a reply cost, and what they add to the time of a run: the reply comes in 150 pieces, one
// every millisecond, as quickly as models write. The floor is the same reply without watchers.
func BenchmarkWatchers(b *testing.B) {
	for b.Loop() {
		floor, _ := replyBeside(b, 0)
		took, heap := replyBeside(b, 200)
		b.ReportMetric(float64(took)/float64(floor), "x-floor")
		b.ReportMetric(float64(heap)/(1<<20), "MB")
	}
}

// replyBeside returns how long a reply takes beside so many watchers, and by how many bytes the heap and the stacks
// have grown at its end.
func replyBeside(b *testing.B, watchers int) (took time.Duration, heap int64) {
	b.Helper()
	h := New()
	h.Recorded(id, "")
	before := inUse()
	ctx, cancel := context.WithCancel(b.Context())
	var all sync.WaitGroup
	for range watchers {
		all.Go(func() {
			for after := uint64(0); ; {
				now, err := h.Watch(ctx, id, after)
				if err != nil {
					return
				}
				after = now
				_ = h.Live(id)
			}
		})
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	start := time.Now()
	for range 150 {
		<-tick.C
		h.Said(id, 1, strings.Repeat("\tprintln(\"hello\")\n", 10))
	}
	took, heap = time.Since(start), inUse()-before
	cancel()
	all.Wait()
	return took, heap
}

// inUse returns how many bytes the heap and the stacks take.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
