package gh

import (
	"container/heap"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A write of a fix, in the order in which they are due, and how long after the one before.
type fixWrite struct {
	name  string
	class class
	after time.Duration
}

// The writes of a fix whose model takes half a minute.
var fixWrites = []fixWrite{
	{"eyes", acknowledgement, 0}, {"first answer", early, time.Second}, {"progress", optional, 12 * time.Second},
	{"commit", result, 18 * time.Second}, {"answer", result, time.Second}, {"check", optional, 0}, {"rocket", optional, 0},
}

type dueWrite struct {
	at    time.Time
	write int
}

type dueWrites []dueWrite

func (d dueWrites) Len() int           { return len(d) }
func (d dueWrites) Less(i, j int) bool { return d[i].at.Before(d[j].at) }
func (d dueWrites) Swap(i, j int)      { d[i], d[j] = d[j], d[i] }
func (d *dueWrites) Push(x any)        { *d = append(*d, x.(dueWrite)) }
func (d *dueWrites) Pop() any {
	last := len(*d) - 1
	defer func() { *d = (*d)[:last] }()
	return (*d)[last]
}

// hourOfFixes is what becomes of the writes of fixes that come at a pace for an hour.
type hourOfFixes struct {
	sent, left map[string]int
	// waited is when the first result had to wait, since the start; 0 for none.
	waited time.Duration
}

// playHour plays so many fixes a minute, for so long.
func playHour(t *testing.T, perMinute int, length time.Duration) hourOfFixes {
	t.Helper()
	begun := time.Unix(1_700_000_000, 0)
	now := begun
	pace := NewMemoryPace(func() time.Time { return now })
	var due dueWrites
	every := time.Minute / time.Duration(perMinute)
	for at := time.Duration(0); at < length; at += every {
		heap.Push(&due, dueWrite{begun.Add(at), 0})
	}
	h := hourOfFixes{sent: map[string]int{}, left: map[string]int{}}
	for due.Len() > 0 {
		d := heap.Pop(&due).(dueWrite)
		now = d.at
		w := fixWrites[d.write]
		wait, err := pace.Write(context.Background(), 1, w.class.kind(), w.class.wait)
		require.NoError(t, err)
		switch {
		case wait > 0 && w.class.waits():
			if w.class == result && h.waited == 0 {
				h.waited = now.Sub(begun)
			}
			d.at = now.Add(wait)
			heap.Push(&due, d)
			continue
		case wait > 0:
			h.left[w.name]++
		default:
			h.sent[w.name]++
		}
		if d.write+1 < len(fixWrites) {
			next := now.Add(fixWrites[d.write+1].after)
			heap.Push(&due, dueWrite{next, d.write + 1})
		}
	}
	return h
}

// What can be left out is left out only when a commit or an answer would have to wait for it.
func TestWritesAreLeftOutByThePace(t *testing.T) {
	t.Parallel()
	all := func(perMinute int, length time.Duration) {
		h := playHour(t, perMinute, length)
		require.Empty(t, h.left, "%d a minute for %s", perMinute, length)
		require.Zero(t, h.waited)
	}
	all(1, 30*time.Minute)
	all(4, 4*time.Minute)

	for perMinute := range 3 { // what an hour has room for
		h := playHour(t, perMinute+1, time.Hour)
		h.log(t, perMinute+1)
		if perMinute+1 < 3 {
			require.Zero(t, h.waited, "no commit and no answer waits for what can be left out")
		}
		require.GreaterOrEqual(t, h.sent["check"], 18)
	}
	for perMinute, atLeast := range map[int]time.Duration{ // 450 writes are 3 for each of 150 fixes
		4: 32 * time.Minute, 6: 22 * time.Minute, 8: 17 * time.Minute,
	} {
		h := playHour(t, perMinute, time.Hour)
		h.log(t, perMinute)
		require.GreaterOrEqual(t, h.waited, atLeast)
		require.Positive(t, h.sent["rocket"])
	}
}

// log logs what became of the writes.
func (h hourOfFixes) log(t *testing.T, perMinute int) {
	t.Helper()
	line := fmt.Sprintf("hour fixes_per_minute=%d first_wait=%s", perMinute, h.waited.Round(time.Second))
	for _, w := range fixWrites {
		line += fmt.Sprintf(" %s=%d/%d", w.name, h.sent[w.name], h.sent[w.name]+h.left[w.name])
	}
	t.Log(line)
}
