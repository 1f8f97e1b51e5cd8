// Package live tells those who watch a run what happens in it. It keeps the state of runs and no messages: a watcher
// remembers how far it is and asks for what is new, so that a slow one costs no more than a fast one.
package live

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/view"
)

const (
	// linger is how long a run counts as watched after its last watcher has asked: between two questions, nobody waits.
	// A run of which nothing is heard is forgotten after that time.
	linger = 5 * time.Second
	// again is after how long watchers of a run are told to look again of which nothing is heard here: it waits in the
	// queue, or another process handles it.
	again = 2 * time.Second
	// maxText is how much is kept of the reply to a call, in bytes. Masking makes texts longer.
	maxText = 2 * secret.MaxStream
)

// Hub is told what happens in the runs of this process, and tells those who watch. It implements view.Audience. Safe
// for concurrent use.
type Hub struct {
	mu   sync.Mutex
	runs map[string]*run
	// moment is the newest of all runs.
	moment uint64
	// swept is when runs were forgotten last that nobody watches.
	swept time.Time
}

var _ view.Audience = (*Hub)(nil)

// New returns a Hub.
func New() *Hub {
	// Moments are larger than those of a process before this one, so that nobody takes one of those for a new one.
	return &Hub{runs: map[string]*run{}, moment: uint64(time.Now().UnixNano())}
}

// run is what is known of a run. The hub's mutex guards it.
type run struct {
	// here means that an attempt at the run goes on in this process.
	here bool
	// moment is when something happened last, changed is closed when something happens next.
	moment  uint64
	changed chan struct{}
	looked  time.Time
	// waiting counts those who wait for what happens next; asked is when the last of them has stopped.
	waiting int
	asked   time.Time

	call    int
	text    strings.Builder
	results []record.Result
}

// of returns the run with an id, which it adds if there is none.
func (h *Hub) of(id string) *run {
	r := h.runs[id]
	if r == nil {
		h.sweep()
		r = &run{changed: make(chan struct{}), looked: time.Now()}
		h.runs[id] = r
		h.happened(r)
	}
	return r
}

// happened wakes those who wait for a run.
func (h *Hub) happened(r *run) {
	h.moment++
	r.moment = h.moment
	close(r.changed)
	r.changed = make(chan struct{})
}

// watched reports whether somebody waits for a run, or is about to ask again.
func (h *Hub) watched(r *run) bool { return r.waiting > 0 || time.Since(r.asked) < linger }

// sweep forgets, now and then, the runs of which nothing is heard and that nobody watches. They are not forgotten when
// the last watcher has been told something: it would be told at once of a run that is new here.
func (h *Hub) sweep() {
	if time.Since(h.swept) < linger {
		return
	}
	h.swept = time.Now()
	maps.DeleteFunc(h.runs, func(_ string, r *run) bool { return !r.here && !h.watched(r) })
}

// Watch returns when something has happened in a run since a moment, 0 for none, and the moment of that. It returns at
// once if something has happened already. Of a run of which this process hears nothing it returns now and then.
func (h *Hub) Watch(ctx context.Context, id string, after uint64) (uint64, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.of(id)
	r.waiting++
	defer func() {
		r.waiting--
		r.asked = time.Now()
	}()
	for r.moment == after {
		at := r.looked.Add(again)
		if r.here {
			at = time.Time{}
		}
		if err := h.wait(ctx, r.changed, at); err != nil {
			return 0, err
		}
		if !at.IsZero() && !r.here && r.moment == after && !time.Now().Before(at) {
			r.looked = time.Now()
			h.happened(r)
		}
	}
	return r.moment, nil
}

// wait waits without the mutex, until a time unless that is zero.
func (h *Hub) wait(ctx context.Context, changed <-chan struct{}, at time.Time) error {
	var late <-chan time.Time
	if !at.IsZero() {
		timer := time.NewTimer(time.Until(at))
		defer timer.Stop()
		late = timer.C
	}
	h.mu.Unlock()
	defer h.mu.Lock()
	select {
	case <-changed:
		return nil
	case <-late:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Live returns what was shown of a run since its last recorded step; the zero value if nothing was.
func (h *Hub) Live(id string) view.Live {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.runs[id]
	if r == nil {
		return view.Live{}
	}
	return view.Live{Call: r.call, Text: r.text.String(), Results: r.results}
}

// Watched implements view.Audience.
func (h *Hub) Watched(id string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.runs[id]
	return r != nil && h.watched(r)
}

// Said implements view.Audience.
func (h *Hub) Said(id string, call int, lines string) {
	h.change(id, func(r *run) {
		r.turnTo(call)
		r.text.WriteString(lines[:min(len(lines), max(0, maxText-r.text.Len()))])
	})
}

// Tried implements view.Audience.
func (h *Hub) Tried(id string, _ int, results []record.Result) {
	h.change(id, func(r *run) { r.results = results })
}

// Recorded implements view.Audience. The record has the text that was shown before, but results only when edits were
// made: until then, those that were shown stay, also while the model is asked again.
func (h *Hub) Recorded(id, step string) {
	h.change(id, func(r *run) {
		r.turnTo(0)
		if step == "" {
			r.results = nil
		}
	})
}

// Ended implements view.Audience.
func (h *Hub) Ended(id string) {
	h.change(id, func(r *run) {
		r.turnTo(0)
		r.results = nil
		r.here, r.looked = false, time.Now()
	})
}

// Changed tells those who wait for a run that something has happened to it outside of this process.
func (h *Hub) Changed(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.runs[id]; r != nil {
		h.happened(r)
	}
}

// change changes a run of this process.
func (h *Hub) change(id string, do func(*run)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.of(id)
	r.here = true
	do(r)
	h.happened(r)
	if !r.here && !h.watched(r) {
		delete(h.runs, id)
	}
}

// turnTo forgets the text of another call.
func (r *run) turnTo(call int) {
	if r.call != call {
		r.call, r.text = call, strings.Builder{}
	}
}
