package main

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// outage makes GitHub answer 503 for a time, from a request on.
type outage struct {
	from  int // the number of the request with which it begins, from 1
	lasts time.Duration

	mu    sync.Mutex
	seen  int
	since time.Time
}

func (o *outage) fails(*http.Request) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.seen++; o.seen == o.from {
		o.since = time.Now()
	}
	return !o.since.IsZero() && time.Since(o.since) < o.lasts
}

func (o *outage) over() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return !o.since.IsZero() && time.Since(o.since) >= o.lasts
}

// Whenever GitHub stops answering: when it answers again, the command is carried out, once.
func TestACommandSurvivesAnOutageAtAnyMoment(t *testing.T) {
	t.Parallel()
	moments, lasts := []int{3, 9}, 5*time.Second
	if *killFull {
		moments, lasts = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 10*time.Minute
	}
	for _, from := range moments {
		t.Run(fmt.Sprintf("from request %d", from), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			s.start()
			o := &outage{from: from, lasts: lasts}
			s.github.FailNext(o.fails, 1<<30, simhttp.Failure{Status: http.StatusServiceUnavailable, Message: "Unavailable"})
			id := s.comment("maria", "/tenon fix `main.go`")
			// A sleep of unknown length is half of the time for which the event has been waiting.
			require.Eventually(t, o.over, lasts+patience, 10*time.Millisecond, "the outage did not begin")
			begun := time.Now()
			require.Eventually(t, func() bool { return len(s.commits()) == 1 && done(s.reactions(id)) }, lasts/2+2*patience,
				20*time.Millisecond)
			t.Logf("outage_s=%.0f from_request=%d done_after_s=%.1f", lasts.Seconds(), from, time.Since(begun).Seconds())
			require.Len(t, s.commits(), 1)
			require.Len(t, s.answers(), 1)
			require.Contains(t, s.answers()[0], " · 1 edit committed")
			require.Len(t, s.model.questions(), 1)
		})
	}
}

// done reports whether the last reaction says that a command was carried out.
func done(reactions []string) bool {
	return len(reactions) > 0 && reactions[len(reactions)-1] == "rocket"
}
