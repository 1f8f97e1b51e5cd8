package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Limits are how many commands are accepted an hour: of one sender in all repositories, and of one installation. A
// quarter of them may come at once. What comes faster is accepted and held until it would be within the limit; what
// would be held for longer than an hour is not accepted. Immediate commands have limits of their own of the same size,
// and so have the ends of threads, ten times as high and by sender alone. 0 means no limit.
//
// The first few commands of each sender in an hour, a twentieth of the smaller limit, do not count against the
// installation, so that strangers, who may all write comments, do not use up what is accepted of a maintainer.
type Limits struct{ Sender, Installation int64 }

const (
	// maxHold is how long an event may be held.
	maxHold = time.Hour
	// atOnce is the part of a limit that may come at once.
	atOnce = 4
	// endings is how many times as many threads as commands may be ended.
	endings = 10
	// ownPart is the part of the smaller limit by which a sender's first commands in an hour are counted.
	ownPart = 20
)

// source is what a limit counts the events of.
type source struct {
	key   string
	of    string // for people: whose
	limit int64
	// final is true if what is beyond the limit is not to be asked for again.
	final bool
	// atOnce is true if all of the limit may come at once.
	atOnce bool
}

// step is the time between two events at the rate of the limit.
func (s source) step() int64 { return max(time.Hour.Milliseconds()/s.limit, 1) }

// burst is how many events may come at once.
func (s source) burst() int64 {
	if s.atOnce {
		return s.limit
	}
	return max(s.limit/atOnce, 1)
}

// wait returns how long an event waits, in milliseconds, if the next one comes at next at the rate of the limit.
func (s source) wait(next, now int64) int64 { return next - now - (s.burst()-1)*s.step() }

// kindOf returns which of the limits count an event.
func kindOf(r row) string {
	switch {
	case r.closed:
		return "-endings"
	case r.lane == immediateLane:
		return "-immediate"
	}
	return ""
}

// sources returns the sources of an event that have a limit. own is true if it is one of its sender's first.
func (l Limits) sources(r row, own bool) []source {
	var all []source
	if l.Sender > 0 {
		s := source{key: fmt.Sprintf("sender%s:%d", kindOf(r), r.sender), of: "sender", limit: l.Sender, final: true}
		if r.closed {
			s.limit *= endings
		}
		all = append(all, s)
	}
	if l.Installation > 0 && !r.closed && !own {
		all = append(all, source{key: fmt.Sprintf("installation%s:%d", kindOf(r), r.installation), of: "installation",
			limit: l.Installation})
	}
	return all
}

// own returns the source that counts a sender's first commands in an installation; ok is false if there is none.
func (l Limits) own(r row) (s source, ok bool) {
	limit := min(l.Sender, l.Installation)
	if l.Sender == 0 {
		limit = l.Installation
	}
	if limit /= ownPart; limit == 0 || r.closed {
		return source{}, false
	}
	key := fmt.Sprintf("first%s:%d:%d", kindOf(r), r.installation, r.sender)
	return source{key: key, limit: limit, atOnce: true}, true
}

// hold decides which of the events that a transaction has accepted are held, and for how long, and uncounts those
// beyond a limit, whose submissions get an error.
func (l Limits) hold(ctx context.Context, tx tx, accepted []*submission) error {
	own, err := l.first(ctx, tx, accepted)
	if err != nil {
		return err
	}
	counts := map[source]int64{}
	for _, sub := range accepted {
		for _, s := range l.sources(sub.row, own[sub]) {
			counts[s]++
		}
	}
	next, err := count(ctx, tx, counts)
	if err != nil {
		return err
	}
	for _, sub := range accepted {
		if err := l.holdOne(ctx, tx, sub, l.sources(sub.row, own[sub]), next); err != nil {
			return err
		}
	}
	return nil
}

// first returns which of the events are among the first of their senders.
func (l Limits) first(ctx context.Context, tx tx, accepted []*submission) (map[*submission]bool, error) {
	counts := map[source]int64{}
	for _, sub := range accepted {
		if s, ok := l.own(sub.row); ok {
			counts[s]++
		}
	}
	next, err := count(ctx, tx, counts)
	if err != nil {
		return nil, err
	}
	own := map[*submission]bool{}
	for _, sub := range accepted {
		s, ok := l.own(sub.row)
		switch {
		case !ok:
		case s.wait(next[s], tx.after(0)) <= 0:
			own[sub] = true
			next[s] += s.step()
		default:
			if _, err := tx.ExecContext(ctx, uncountArrival, s.key, s.step()); err != nil {
				return nil, err
			}
		}
	}
	return own, nil
}

// count counts events of sources, and returns when the first of them comes at the rate of its source's limit.
func count(ctx context.Context, tx tx, counts map[source]int64) (next map[source]int64, err error) {
	next = map[source]int64{}
	inOrder := slices.SortedFunc(maps.Keys(counts), func(a, b source) int { return strings.Compare(a.key, b.key) })
	for _, s := range inOrder { // so that no two transactions wait for each other
		var due int64
		if err := tx.QueryRowContext(ctx, countArrivals, s.key, tx.after(0), counts[s]*s.step()).Scan(&due); err != nil {
			return nil, err
		}
		next[s] = due - counts[s]*s.step()
	}
	return next, nil
}

// holdOne is hold for one event with its sources. next is when the next event of each source comes at the rate of its
// limit.
func (l Limits) holdOne(ctx context.Context, tx tx, sub *submission, all []source, next map[source]int64) error {
	var wait int64
	var over *source
	for _, s := range all {
		if w := s.wait(next[s], tx.after(0)); w > wait {
			wait, over = w, &s
		}
	}
	switch {
	case over == nil:
	case wait > maxHold.Milliseconds():
		sub.refused = &port.TooMany{Of: over.of, Limit: over.limit, Final: over.final,
			After: time.Duration(wait)*time.Millisecond - maxHold}
		for _, s := range all {
			if _, err := tx.ExecContext(ctx, uncountArrival, s.key, s.step()); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, takeBack, sub.row.delivery)
		return err
	default:
		_, err := tx.ExecContext(ctx, holdEvent, sub.row.delivery, tx.after(0)+wait, string(port.TooManyCommands))
		if err != nil {
			return err
		}
	}
	for _, s := range all {
		next[s] += s.step()
	}
	return nil
}

// told remembers of whom it was logged that events are not accepted. Safe for concurrent use.
type told struct {
	mu sync.Mutex
	at map[string]time.Time
}

// maxTold bounds how many are remembered.
const maxTold = 1000

// once reports whether it was not told of a source within an hour.
func (t *told) once(key string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if at, ok := t.at[key]; ok && now.Sub(at) < time.Hour {
		return false
	}
	if t.at == nil || len(t.at) >= maxTold {
		t.at = map[string]time.Time{}
	}
	t.at[key] = now
	return true
}
