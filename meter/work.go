// Package meter bounds the work of functions that process text of unknown origin, and lets a context cancel it.
//
// A caller makes a [Work] of so many units, or takes [Default], and passes it on; functions spend from it, and end
// early when it is used up. Units are counted and not timed, so what is left undone is the same on every machine.
package meter

import (
	"context"
	"math"
)

// Default is the work of applying one reply, all of its blocks together: about a second at most, whatever the reply and
// the files contain.
const Default = 20_000_000

// Work is what may still be spent. Its unit is the comparison of two lines, or something else that takes about as long:
// 30 ns. Functions that do something for each line or byte of a text spend what that costs, and end soon after UsedUp.
// A Work is not safe for concurrent use. A nil *Work is never used up.
type Work struct {
	ctx               context.Context
	units, left, kept int
	// askAt is what must be left when the context is asked the next time.
	askAt int
	err   error
}

// interval is how many units are spent between two looks at the context, unless one pass takes more at once.
const interval = 4096

// Within returns work of so many units, which is also used up when ctx ends.
func Within(ctx context.Context, units int) *Work {
	return &Work{ctx: ctx, units: units, left: units, askAt: units}
}

// Of returns work of so many units, which cannot be cancelled.
func Of(units int) *Work { return Within(context.Background(), units) }

// Spend takes units from the budget.
func (w *Work) Spend(units int) {
	if w == nil {
		return
	}
	if w.left -= units; w.left < w.askAt {
		w.askAt = w.left - interval
		if w.err == nil {
			w.err = w.ctx.Err()
		}
	}
}

// The bytes of a text that passes over it look at in the time of one unit.
const (
	bytesPerUnit     = 64 // a search for one byte
	slowBytesPerUnit = 16 // a loop that looks at each byte
)

// SpendBytes takes the units of one fast pass over so many bytes, such as a search for one byte.
func (w *Work) SpendBytes(n int) { w.Spend(n/bytesPerUnit + 1) }

// SpendEachByte takes the units of a pass that looks at each of so many bytes.
func (w *Work) SpendEachByte(n int) { w.Spend(n/slowBytesPerUnit + 1) }

// Keep leaves units aside until Release: with no more than those left, the work counts as used up.
func (w *Work) Keep(units int) {
	if w != nil {
		w.kept = units
	}
}

// Release makes the units that were kept available.
func (w *Work) Release() { w.Keep(0) }

// UsedUp reports whether nothing is left but what is kept, or the context has ended.
func (w *Work) UsedUp() bool { return w != nil && (w.left < w.kept || w.err != nil) }

// Affords reports whether units may be spent without using up the work.
func (w *Work) Affords(units int) bool { return w == nil || w.err == nil && w.left-units >= w.kept }

// Left returns how many units may be spent before the work is used up; 0 if it is.
func (w *Work) Left() int {
	switch {
	case w == nil:
		return math.MaxInt
	case w.UsedUp():
		return 0
	}
	return w.left - w.kept
}

// Spent returns how many units were spent, also after the work was used up.
func (w *Work) Spent() int { return w.units - w.left }

// Err returns why the context has ended, or nil. It asks the context.
func (w *Work) Err() error {
	if w == nil {
		return nil
	}
	if w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err
}
