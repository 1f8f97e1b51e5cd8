package contract

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

var runStories = []story[QueueStage]{
	{"a run is resumed with what it recorded", func(t *testing.T, s QueueStage) {
		at := s.Now()
		ev, run := begun(t, s, queueEvent("a", 1))
		require.Equal(t, port.RunID("a"), run.ID)
		require.True(t, port.IsRunID(run.ID))
		require.False(t, run.Resumed)
		require.Empty(t, run.Steps)
		require.WithinDuration(t, at, run.Started, time.Second)
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", step(`{"sha": "c1"}`)))
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "ask", step(`"caf\u00e9 \u0000 <"`)))
		s.Pass(bottest.Lease + time.Second)
		again := must(s.Start(t.Context(), claim(t, s, false, "a").Event))(t)
		require.True(t, again.Resumed)
		require.Equal(t, run.ID, again.ID)
		require.Equal(t, run.Started, again.Started)
		want := map[string]port.Step{"open": step(`{"sha": "c1"}`), "ask": step(`"caf\u00e9 \u0000 <"`)}
		require.Equal(t, want, again.Steps)
	}},
	{"a step is recorded once, as JSON", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "open", step(`1`)))
		require.Error(t, s.Record(t.Context(), ev, run.ID, "open", step(`2`)))
		largest := `"` + strings.Repeat("x", 8<<20-2) + `"`
		for name, data := range map[string]string{"": "1", "no-json": "{", strings.Repeat("x", 101): "1",
			"larger": largest + " "} {
			requirePermanent(t, s.Record(t.Context(), ev, run.ID, name, port.Step{Version: 1, Data: []byte(data)}))
		}
		require.NoError(t, s.Record(t.Context(), ev, run.ID, "largest", step(largest)))
		again := must(s.Start(t.Context(), ev))(t)
		require.Equal(t, map[string]port.Step{"open": step(`1`), "largest": step(largest)}, again.Steps)
		again.Steps["open"].Data[0] = '9'
		found, _, err := s.FindRun(t.Context(), run.ID)
		require.NoError(t, err)
		require.Equal(t, "1", string(found.Steps["open"].Data), "nobody shares the record")
	}},
	{"a run belongs to its event", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		other, _ := begun(t, s, queueEvent("b", 2))
		require.Error(t, s.Record(t.Context(), other, run.ID, "open", step(`1`)))
		require.Error(t, s.Record(t.Context(), ev, "abcdefghijkl", "open", step(`1`)))
		submit(t, s, queueEvent("c", 3))
		require.Error(t, s.Record(t.Context(), claim(t, s, false, "c").Event, port.RunID("c"), "open", step(`1`)),
			"it was not started")
	}},
	{"recording renews the lease", func(t *testing.T, s QueueStage) {
		ev := taken(t, s, queueEvent("a", 1))
		s.Pass(bottest.Lease - time.Second)
		run, err := s.Start(t.Context(), ev) // as starting the run does
		require.NoError(t, err)
		for i := range 4 {
			s.Pass(bottest.Lease - time.Second)
			require.NoError(t, s.Record(t.Context(), ev, run.ID, fmt.Sprintf("step.%d", i), step(`1`)))
			noClaim(t, s, false)
		}
	}},
	{"who lost the lease writes nothing", func(t *testing.T, s QueueStage) {
		ev, run := begun(t, s, queueEvent("a", 1))
		s.Pass(bottest.Lease + time.Second)
		second := claim(t, s, false, "a").Event
		_, started := s.Start(t.Context(), ev)
		_, cancelled := s.Cancel(t.Context(), ev)
		_, reserved := s.Reserve(t.Context(), port.Reservation{Event: ev, Run: run.ID, Call: 1, Tokens: 1})
		for what, err := range map[string]error{"start": started, "cancel": cancelled, "reserve": reserved,
			"record": s.Record(t.Context(), ev, run.ID, "open", step(`1`)),
			"charge": s.Charge(t.Context(), ev, port.Booking{Run: run.ID, Call: 1, Attempt: 1}, 1, port.ModelUse{})} {
			require.ErrorIs(t, err, port.ErrLeaseLost, what)
		}
		require.Empty(t, must(s.Start(t.Context(), second))(t).Steps)
	}},
}
