package engine

import "slices"

// hunk says that find[f0:f1] becomes repl[r0:r1]. The lines between hunks are the same in both.
type hunk struct{ f0, f1, r0, r1 int }

// maxScript bounds the length of the edit script. Halves that differ more have too little in common to tell what is
// context.
const maxScript = 1000

// diffLines compares the keys of two halves of a block by Myers' algorithm, after stripping the common prefix and
// suffix. If the script would be longer than maxScript, or the work is used up, what remains is one hunk.
func diffLines(w *work, find, repl []string) []hunk {
	head := commonPrefix(find, repl)
	tail := commonSuffix(find[head:], repl[head:])
	a, b := find[head:len(find)-tail], repl[head:len(repl)-tail]
	var hunks []hunk
	switch {
	case len(a) == 0 && len(b) == 0:
		return nil
	case len(a) == 0 || len(b) == 0:
		hunks = []hunk{{0, len(a), 0, len(b)}}
	default:
		hunks = myers(w, a, b)
	}
	for i := range hunks {
		hunks[i].f0 += head
		hunks[i].f1 += head
		hunks[i].r0 += head
		hunks[i].r1 += head
	}
	return hunks
}

// diffLinesBackward is like diffLines, but from the end: of several shortest scripts, it returns the one whose
// changes are furthest up.
func diffLinesBackward(w *work, find, repl []string) []hunk {
	find, repl = slices.Clone(find), slices.Clone(repl)
	slices.Reverse(find)
	slices.Reverse(repl)
	hunks := diffLines(w, find, repl)
	for i, h := range hunks {
		hunks[i] = hunk{len(find) - h.f1, len(find) - h.f0, len(repl) - h.r1, len(repl) - h.r0}
	}
	slices.Reverse(hunks)
	return hunks
}

func commonPrefix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// myers returns a shortest edit script. It searches forward, and keeps the furthest points of each round for
// backtrack.
func myers(w *work, a, b []string) []hunk {
	limit := min(len(a)+len(b), maxScript)
	furthest := make([]int, 2*limit+3)
	mid := limit + 1
	var rounds [][]int
	steps := 0
	for d := 0; d <= limit && !w.isUsedUp(); d++ {
		w.spend(steps)
		steps = 0
		rounds = append(rounds, slices.Clone(furthest[mid-d-1:mid+d+2]))
		for k := -d; k <= d; k += 2 {
			x := furthest[mid+k-1] + 1
			if k == -d || k != d && furthest[mid+k-1] < furthest[mid+k+1] {
				x = furthest[mid+k+1]
			}
			y := x - k
			for x < len(a) && y < len(b) && a[x] == b[y] {
				x, y = x+1, y+1
				steps++
			}
			furthest[mid+k] = x
			steps++
			if x >= len(a) && y >= len(b) {
				return backtrack(rounds, len(a), len(b))
			}
		}
	}
	return []hunk{{0, len(a), 0, len(b)}}
}

// backtrack returns the hunks for the rounds of myers. rounds[d] has the furthest points before round d, for the
// diagonals -d-1 to d+1.
func backtrack(rounds [][]int, x, y int) []hunk {
	var hunks []hunk
	add := func(h hunk) {
		if n := len(hunks); n > 0 && hunks[n-1].f0 == h.f1 && hunks[n-1].r0 == h.r1 {
			hunks[n-1].f0, hunks[n-1].r0 = h.f0, h.r0
			return
		}
		hunks = append(hunks, h)
	}
	for d := len(rounds) - 1; d > 0; d-- {
		before, mid, k := rounds[d], d+1, x-y
		if k == -d || k != d && before[mid+k-1] < before[mid+k+1] {
			px := before[mid+k+1]
			py := px - k - 1
			add(hunk{px, px, py, py + 1})
			x, y = px, py
		} else {
			px := before[mid+k-1]
			py := px - k + 1
			add(hunk{px, px + 1, py, py})
			x, y = px, py
		}
	}
	slices.Reverse(hunks)
	return hunks
}
