package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// Commands that come while others are carried out are acknowledged as fast, once each.
func TestABurstThatGoesOnIsAcknowledgedAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, *burst)
		s.every = *burstOver / time.Duration(*burst)
		s.github.ForgetRequests()
		reactions := map[string]int{}
		took := s.play(s.workers(9))
		var slowest time.Duration
		for i, at := range s.acknowledgedAfter() {
			s.requireDoneOnce(i, s.events[i])
			s.requireEyes(s.events[i])
			slowest = max(slowest, at-time.Duration(i)*s.every)
		}
		eyes := 0
		for _, r := range s.github.Requests() {
			if strings.HasSuffix(r.Path, "/reactions") {
				if reactions[r.Path]++; reactions[r.Path] == 1 || r.Status == http.StatusOK { // 200: it was there
					eyes++
				}
			}
		}
		t.Logf("burst over=%s commands=%d took=%s slowest_eyes=%s eyes=%d refusals=%d", *burstOver, len(s.events), took,
			slowest, eyes, s.refusals())
		require.Zero(t, s.refusals())
		require.Equal(t, len(s.events), eyes)
		if len(s.events) <= 36 {
			require.LessOrEqual(t, slowest, 3*time.Second)
		}
	})
}

// Many commands in one thread: at most one queued notice a minute, however many wait, and none is left at the end.
func TestAThreadInWhichManyCommandsWaitHasFewNotices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newBurstStage(t, 1)
		s.model.takes = 30 * time.Second
		first := s.events[0]
		for i := 1; i < *loadThread; i++ {
			ev := first
			id, err := s.github.Comment("maria", burstRepo, first.Thread.Number, first.Comment.Body)
			require.NoError(t, err)
			ev.Delivery, ev.Comment.ID = fmt.Sprintf("delivery-again-%d", i), id
			s.events = append(s.events, ev)
		}
		waiting := func() (n int) {
			reviews, err := s.github.Reviews(burstRepo, first.Thread.Number)
			require.NoError(t, err)
			for _, r := range reviews {
				n += strings.Count(r.Body, "**Waiting**")
			}
			return n
		}
		workers, notices := s.workers(9), 0
		workers.Handler = toldHandler{workers.Handler.(observedBot), func() {
			shown := waiting() // none near GitHub's limits
			require.LessOrEqual(t, shown, 1)
			notices += shown
		}}
		took := s.play(workers)
		t.Logf("notices commands=%d notices=%d took=%s", len(s.events), notices, took)
		require.GreaterOrEqual(t, notices, 1)
		require.LessOrEqual(t, notices, int(took/time.Minute)+1)
		require.Zero(t, waiting())
	})
}

// toldHandler calls told after each queued notice, or after what was to be one.
type toldHandler struct {
	observedBot
	told func()
}

func (h toldHandler) NotifyQueued(ctx context.Context, ev, ahead port.Event) (told bool, err error) {
	if told, err = h.observedBot.NotifyQueued(ctx, ev, ahead); told {
		h.told()
	}
	return told, err
}
