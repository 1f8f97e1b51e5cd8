package main

import (
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/attacks"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// Each attack is played on the whole server, with a model that does whatever it reads; its control is the same without
// what the attacker planted.
func TestAttacks(t *testing.T) {
	t.Parallel()
	var played, effects, controls atomic.Int64
	t.Cleanup(func() {
		t.Logf("attacks=%d effects=%d controls=%d", played.Load(), effects.Load(), controls.Load())
		require.Positive(t, played.Load()+controls.Load(), "no attack has this name; internal/attacks has the names")
	})
	for _, a := range attacks.Table {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			t.Run("control", func(t *testing.T) {
				t.Parallel()
				w := attackedWorld(t)
				left := w.Play(a, serveAttacked, false)
				require.True(t, a.Worked(w), "without the attack, the run does what it is for: %s", w.Answers())
				require.Empty(t, a.Common(w, left))
				controls.Add(1)
			})
			t.Run("attack", func(t *testing.T) {
				t.Parallel()
				w := attackedWorld(t)
				left := w.Play(a, serveAttacked, true)
				played.Add(1)
				require.True(t, a.Arrived(left), "the model reads what the attacker wrote: %s", left.Prompts)
				require.True(t, !a.Survives || a.Worked(w), "the run does what it is for: %s", w.Answers())
				seen := a.Effects(w, left)
				effects.Add(int64(len(seen)))
				require.Empty(t, seen, "%s", w.Answers())
			})
		})
	}
}

func attackedWorld(t *testing.T) *attacks.World {
	t.Helper()
	return attacks.NewWorld(t, simhttp.Options{Key: sharedKey()})
}

// serveAttacked runs the server of a world in the process of the test.
func serveAttacked(w *attacks.World, env []string) (log func() string) {
	s := &stage{t: w.T, github: w.Server, model: &modelServer{Server: &httptest.Server{}}, env: env,
		data: storetest.Folder(w.T), log: &lineLog{}}
	if w.HasPages {
		w.Pages = s.withPages()
	} else {
		s.start()
	}
	return s.log.all
}
