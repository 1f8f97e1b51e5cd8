package schedule

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// crowded is a semaphore that each call has for ten seconds.
type crowded struct {
	*semaphore
	turns []string // the calls that had it, in order
}

// call makes some calls of an installation, one after another, and returns when the first has the semaphore or waits.
func (c *crowded) call(installation int64, name string, times int) {
	go func() {
		for range times {
			w := c.take(installation)
			<-w.has
			c.mu.Lock()
			c.turns = append(c.turns, name)
			c.mu.Unlock()
			time.Sleep(10 * time.Second)
			c.release(w)
		}
	}()
	synctest.Wait()
}

// after returns when so much time has passed, and all that happens by then has happened.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// However many calls of how many installations wait, another's call has one of the next turns, and then its second has.
func TestAFloodOfCallsDelaysAnothersCallByATurn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ most, floods int }{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {2, 2}, {2, 3}, {4, 4}} {
		t.Run(fmt.Sprintf("%d calls, %d floods", c.most, c.floods), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &crowded{semaphore: newSemaphore(c.most)}
				for range 40 {
					for flood := range c.floods {
						s.call(int64(flood), "flood", 1)
					}
				}
				after(55 * time.Second)
				before := len(s.turns)
				s.call(99, "another's", 2)
				after(time.Hour)
				first := slices.Index(s.turns, "another's")
				second := slices.Index(s.turns[first+1:], "another's")
				require.Less(t, first, before+c.most, "%v", s.turns)
				require.Less(t, second, 2*c.most+c.floods, "%v", s.turns)
			})
		})
	}
}

// Whoever has waited for long comes before those that had their turn, and ask again, meanwhile.
func TestCallsOneAfterAnotherDoNotPassOneThatWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &crowded{semaphore: newSemaphore(1)}
		for range 3 {
			s.call(1, "one", 1)
		}
		for installation := range int64(3) {
			s.call(2+installation, "again", 10)
		}
		after(time.Hour)
		require.Equal(t, []string{"one", "again", "again", "again", "one", "again", "again", "again", "one"}, s.turns[:9])
	})
}

// However many installations a server works for, it remembers the turns of few.
func TestTurnsAreForgottenWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &crowded{semaphore: newSemaphore(2)}
		s.call(0, "again", 1000)
		for installation := range int64(100) {
			s.call(1+installation, "short", 1)
			s.call(1+installation, "waits", 1)
			after(25 * time.Second)
		}
		s.mu.Lock()
		require.LessOrEqual(t, len(s.last), 1)
		s.mu.Unlock()
		after(24 * time.Hour)
		require.Empty(t, s.last)
	})
}
