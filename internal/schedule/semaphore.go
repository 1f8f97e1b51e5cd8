package schedule

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
)

// semaphore is taken by a number of calls at a time; others wait for it. Next is one of the installation that has it
// the fewest times, and of these the one that had its last turn longest ago; of its calls, the one that has waited
// longest. Safe for concurrent use.
type semaphore struct {
	most int // 0 for any number

	mu      sync.Mutex
	taken   int
	each    map[int64]int // how often it is taken, by installation
	waiting []*waiter     // in the order in which they came
	turns   int64
	last    map[int64]int64 // the last turn of each installation; none counts as longest ago
}

// waiter takes the semaphore, or waits for it.
type waiter struct {
	installation int64
	has          chan struct{} // closed when it has the semaphore
}

func newSemaphore(most int) *semaphore {
	return &semaphore{most: most, each: map[int64]int{}, last: map[int64]int64{}}
}

// take takes the semaphore for an installation, as soon as it can be taken.
func (s *semaphore) take(installation int64) *waiter {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := &waiter{installation, make(chan struct{})}
	s.waiting = append(s.waiting, w)
	s.give()
	return w
}

// wait returns when the waiter has the semaphore, or with the cause of the end of ctx; then it does not have it.
func (s *semaphore) wait(ctx context.Context, w *waiter) error {
	select {
	case <-w.has:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.waiting, w); i >= 0 {
		s.waiting = slices.Delete(s.waiting, i, i+1)
	} else { // it was given to it meanwhile
		s.takeBack(w)
	}
	return context.Cause(ctx)
}

// release ends what a waiter has.
func (s *semaphore) release(w *waiter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeBack(w)
}

func (s *semaphore) takeBack(w *waiter) {
	s.taken--
	if s.each[w.installation]--; s.each[w.installation] == 0 {
		delete(s.each, w.installation)
	}
	s.give()
}

// give gives it to those who wait, as far as it goes. There are never more than runs, so looking at all is quick. Turns
// only matter among those who wait: when nobody does, those of installations that have nothing are forgotten. So nobody
// who waits is passed over because a turn was forgotten, and there are no more turns than installations.
func (s *semaphore) give() {
	for len(s.waiting) > 0 && (s.most <= 0 || s.taken < s.most) {
		next := 0
		for i, w := range s.waiting {
			of, best := w.installation, s.waiting[next].installation
			if cmp.Or(cmp.Compare(s.each[of], s.each[best]), cmp.Compare(s.last[of], s.last[best])) < 0 {
				next = i
			}
		}
		w := s.waiting[next]
		s.waiting = slices.Delete(s.waiting, next, next+1)
		s.taken++
		s.each[w.installation]++
		s.turns++
		s.last[w.installation] = s.turns
		close(w.has)
	}
	if len(s.waiting) == 0 {
		maps.DeleteFunc(s.last, func(installation, _ int64) bool { return s.each[installation] == 0 })
	}
}

// load returns how often it is taken, and how many wait.
func (s *semaphore) load() (taken, waiting int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.taken, len(s.waiting)
}
