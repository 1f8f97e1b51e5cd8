package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// history is what happens to the events of a store, by chance. Three installations have two threads together.
type history struct {
	t      *testing.T
	s      *Store
	random *rand.Rand
	now    time.Time
	sent   []port.Event
	leased []port.Event
}

// Whatever happens to events in whatever order, claims choose by what a look at all events says, and each event gets
// its turn.
func TestWhateverHappensEachEventGetsItsTurn(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		for engine, opts := range map[string]func(*testing.T) Options{
			"SQLite":     func(t *testing.T) Options { return Options{Dir: folder(t)} },
			"PostgreSQL": func(t *testing.T) Options { return Options{DatabaseURL: Schema.URL(t)} },
		} {
			t.Run(fmt.Sprint(engine, seed), func(t *testing.T) {
				t.Parallel()
				h := &history{t: t, random: rand.New(rand.NewPCG(65, seed)), now: time.UnixMilli(1_800_000_000_000)}
				of := opts(t)
				of.Now, of.Limits = func() time.Time { return h.now }, Limits{Sender: 40, Installation: 400}
				var err error
				h.s, err = Open(t.Context(), of)
				require.NoError(t, err)
				for range 150 {
					h.step()
					if h.random.IntN(4) == 0 {
						CheckPlaces(t, h.s)
					}
				}
				h.drain()
				require.NoError(t, h.s.Close())
			})
		}
	}
}

// step has something happen.
func (h *history) step() {
	switch h.random.IntN(12) {
	default:
		h.submit()
	case 4, 5, 6:
		if ev := nextOf(h.t, h.s, lane(h.random.IntN(int(lanes)))); ev != nil {
			h.leased = append(h.leased, *ev)
		}
	case 7, 8:
		h.end()
	case 9:
		h.now = h.now.Add(time.Duration(h.random.IntN(60)) * time.Second)
	case 10:
		h.change()
	case 11:
		_, err := h.s.noteReports(h.t.Context(), []commit{{1, 7, strings.Repeat("a", 40)}}, true)
		require.NoError(h.t, err)
	}
}

// submit accepts an event, or one that was accepted before once more.
func (h *history) submit() {
	ev := commandIn(1+h.random.Int64N(3), h.random.IntN(2), fmt.Sprint("event-", len(h.sent)))
	ev.Sender.ID = 1 + h.random.Int64N(3)
	switch n := h.random.IntN(8); {
	case n == 0 && len(h.sent) > 0:
		ev = h.sent[h.random.IntN(len(h.sent))]
	case n == 1:
		ev.Immediate = true
	case n == 2:
		ev.Kind, ev.Followed = port.Following, &port.Followed{Commit: strings.Repeat("a", 40)}
	}
	h.sent = append(h.sent, ev)
	var err error
	if ev.Kind == port.Following {
		err = h.s.Follow(h.t.Context(), ev)
	} else {
		err = h.s.Submit(h.t.Context(), ev)
	}
	if many := (*port.TooMany)(nil); !errors.As(err, &many) {
		require.NoError(h.t, err)
	}
}

// end has something happen to a leased event, which mostly ends its lease.
func (h *history) end() {
	if len(h.leased) == 0 {
		return
	}
	ctx, i := h.t.Context(), h.random.IntN(len(h.leased))
	ev, cause := h.leased[i], errors.New("a reason")
	h.leased = append(h.leased[:i], h.leased[i+1:]...)
	var err error
	switch h.random.IntN(7) {
	case 0:
		err = h.s.Complete(ctx, ev)
	case 1:
		err = h.s.Retry(ctx, ev, cause, time.Duration(h.random.IntN(2))*time.Minute)
	case 2:
		err = h.s.DeadLetter(ctx, ev, cause)
	case 3:
		err = h.s.Release(ctx, ev)
	case 4:
		_, err = h.s.Sleep(ctx, ev, Sleep{Wait: &port.WaitError{For: port.CIReport, After: time.Minute, Err: cause}})
	case 5:
		_, err = h.s.Cancel(ctx, ev)
	case 6:
		_, err = h.s.Start(ctx, ev)
	}
	if !errors.Is(err, port.ErrLeaseLost) {
		require.NoError(h.t, err)
	}
}

// change has something happen to an event that is not leased, or to all of an installation.
func (h *history) change() {
	ctx := h.t.Context()
	if h.random.IntN(4) == 0 {
		require.NoError(h.t, h.s.Uninstalled(ctx, 1+h.random.Int64N(3)))
		_, err := (&Keeper{Store: h.s}).deleteUninstalled(ctx)
		require.NoError(h.t, err)
		return
	}
	one, begin, args := telling{seq: 1 + h.random.Int64N(int64(len(h.sent)+1))}, beginAcknowledgement, []any{}
	if h.random.IntN(2) == 0 {
		one.thread, begin, args = "any", beginNotice, []any{h.random.IntN(2)}
	}
	n, ok, err := h.s.beginNotice(ctx, begin, one, args...)
	require.NoError(h.t, err)
	if ok && h.random.IntN(2) == 0 {
		n.told, n.acknowledged = one.thread != "" && h.random.IntN(2) == 0, h.random.IntN(2)
		require.NoError(h.t, h.s.endNotice(ctx, n))
	}
}

// drain handles all that is left.
func (h *history) drain() {
	for hours := range 40 {
		CheckPlaces(h.t, h.s)
		h.now = h.now.Add(time.Duration(hours) * time.Hour)
		for l := range lanes {
			for ev := nextOf(h.t, h.s, l); ev != nil; ev = nextOf(h.t, h.s, l) {
				require.NoError(h.t, h.s.Complete(h.t.Context(), *ev))
			}
		}
	}
	st, err := h.s.Stats(h.t.Context())
	require.NoError(h.t, err)
	require.Zero(h.t, st.Ready+st.Leased)
}
