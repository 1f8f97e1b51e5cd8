package schedule

import (
	"context"
	"slices"
	"sync"
)

// line lets a number of runs in at a time; the others wait in it. When there is room, the next one is of the
// installation that has the fewest in, and of these the one that has waited longest. Safe for concurrent use.
type line struct {
	most int // 0 for any number

	mu      sync.Mutex
	in      int
	each    map[int64]int // those that are in, by installation
	waiting []*waiter     // in the order in which they came
}

type waiter struct {
	installation int64
	admitted     chan struct{} // closed when it is in
}

func newLine(most int) *line { return &line{most: most, each: map[int64]int{}} }

// tryEnter lets a run in if nobody has to wait.
func (l *line) tryEnter(installation int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.hasRoom() {
		return false
	}
	l.admit(installation)
	return true
}

func (l *line) hasRoom() bool { return l.most <= 0 || l.in < l.most }

// enter returns when a run of an installation is in, or with the cause of the end of ctx.
func (l *line) enter(ctx context.Context, installation int64) error {
	l.mu.Lock()
	w := &waiter{installation, make(chan struct{})}
	l.waiting = append(l.waiting, w)
	l.fill()
	l.mu.Unlock()
	select {
	case <-w.admitted:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting, w); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	} else { // it was let in meanwhile
		l.remove(installation)
	}
	return context.Cause(ctx)
}

// leave ends what enter began.
func (l *line) leave(installation int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(installation)
}

func (l *line) admit(installation int64) {
	l.in++
	l.each[installation]++
}

func (l *line) remove(installation int64) {
	l.in--
	if l.each[installation]--; l.each[installation] == 0 {
		delete(l.each, installation)
	}
	l.fill()
}

// fill lets in those for whom there is room. There are never more waiters than runs, so looking at all of them is quick.
func (l *line) fill() {
	for len(l.waiting) > 0 && l.hasRoom() {
		next := 0
		for i, w := range l.waiting {
			if l.each[w.installation] < l.each[l.waiting[next].installation] {
				next = i
			}
		}
		w := l.waiting[next]
		l.waiting = slices.Delete(l.waiting, next, next+1)
		l.admit(w.installation)
		close(w.admitted)
	}
}

// load returns how many are in, and how many wait.
func (l *line) load() (in, waiting int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.in, len(l.waiting)
}
