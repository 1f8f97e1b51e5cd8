package ceiling

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/internal/eval"
)

// History is the commits of repositories. Not safe for concurrent use.
type History interface {
	// Descendants yields the full ids of the commits that are made on a commit, and on those, the nearest first.
	Descendants(ref port.RepoRef, commit string) (iter.Seq[string], error)
	// FilesAt returns the named files of a commit, nil for each that it does not have.
	FilesAt(ref port.RepoRef, commit string, names ...string) ([][]byte, error)
}

// errNoFix is wrapped by the error for a pair whose fix is not in its repository.
var errNoFix = errors.New("no later commit changes these lines")

// maxDescendants bounds the commits in which a fix is looked for: a pull request is rarely merged after more of them.
const maxDescendants = 3000

// fixOf returns the commit with the fix of a pair, and the changed files before and after it, in the order of
// pair.Gold. Unless the pair names the commit, it is the one made on the base whose changed lines are most like the
// pair's, the nearest of several.
func fixOf(h History, pair eval.Pair) (commit string, before, after [][]byte, err error) {
	ref := pair.Repository()
	if before, err = h.FilesAt(ref, pair.Base, pair.Gold...); err != nil {
		return "", nil, nil, err
	}
	for i, data := range before {
		if data == nil {
			return "", nil, nil, fmt.Errorf("commit %s has no file %s that can be read", pair.Base, pair.Gold[i])
		}
	}
	if pair.Fix != "" {
		after, err = h.FilesAt(ref, pair.Fix, pair.Gold...)
		return pair.Fix, before, after, err
	}
	descendants, err := h.Descendants(ref, pair.Base)
	if err != nil {
		return "", nil, nil, err
	}
	left, best := maxDescendants, minLikeness
	for id := range descendants {
		if left--; left < 0 || best == 1 {
			break
		}
		files, err := h.FilesAt(ref, id, pair.Gold...)
		if err != nil {
			return "", nil, nil, err
		}
		if like := likeness(pair, before, files); like > best {
			commit, after, best = id, files, like
		}
	}
	if commit == "" {
		return "", nil, nil, errNoFix
	}
	return commit, before, after, nil
}

// minLikeness is how much of the lines that a pair has, and that a commit changes, must be the same, at least. Programs
// differ in which of several equal lines they say was removed, and even more in how they take a rewritten part apart.
const minLikeness = 0.4

// likeness returns how much of the lines that a pair has, and that were changed, are the same: from 0, also if a file
// of the pair was not changed, to 1.
func likeness(pair eval.Pair, before, after [][]byte) float64 {
	for i := range pair.Gold {
		if after[i] == nil || bytes.Equal(before[i], after[i]) {
			return 0
		}
	}
	same, all, within := 0, 0, true
	for i, name := range pair.Gold {
		if len(pair.Lines[name]) == 0 {
			continue
		}
		want := map[int]bool{}
		for _, line := range pair.Lines[name] {
			want[line] = true
		}
		all += len(want)
		within = within && keepsOthers(string(before[i]), string(after[i]), want)
		for line := range changedLines(string(before[i]), string(after[i]), want) {
			if want[line] {
				same++
			} else {
				all++
			}
		}
	}
	if all == 0 {
		return 1
	}
	like := float64(same) / float64(all)
	if within {
		like = (1 + like) / 2
	}
	return like
}

// keepsOthers reports whether all lines of a text but some, given from 1, are still there, in their order.
func keepsOthers(before, after string, some map[int]bool) bool {
	var kept []string
	n := 0
	for line := range strings.Lines(before) {
		if n++; !some[n] {
			kept = append(kept, line)
		}
	}
	hunks := text.Diff(nil, kept, slices.Collect(strings.Lines(after)))
	return !slices.ContainsFunc(hunks, func(h text.Hunk) bool { return h.From < h.To })
}

// changedLines returns the lines of a text that were removed or inserted at, from 1. Where several equal lines may have
// been, it prefers those that are wanted.
func changedLines(before, after string, want map[int]bool) map[int]bool {
	old, out := linesOf(before), map[int]bool{}
	for _, h := range hunksOf(before, after) {
		best, most := h, -1
		for _, moved := range h.slides(old) {
			n := 0
			for _, line := range moved.lines() {
				if want[line] {
					n++
				}
			}
			if n > most {
				best, most = moved, n
			}
		}
		for _, line := range best.lines() {
			out[line] = true
		}
	}
	return out
}

// hunk is a change of the lines [from,to) of a text, from 0.
type hunk struct {
	from, to int
	put      []string // in their place, without the ends of lines
}

// lines returns the lines that a hunk removes or inserts at, from 1.
func (h hunk) lines() (out []int) {
	for line := h.from; line < h.to; line++ {
		out = append(out, line+1)
	}
	if len(h.put) > 0 {
		out = append(out, h.to+1)
	}
	return out
}

// slides returns the hunks that change lines in the same way: a hunk that only removes or only inserts can move by a
// line if the line that it leaves equals the one that it reaches.
func (h hunk) slides(old []string) []hunk {
	out := []hunk{h}
	up, down := h, h
	switch {
	case h.from == h.to:
		for up.from > 0 && old[up.from-1] == up.put[len(up.put)-1] {
			up = hunk{up.from - 1, up.to - 1, slices.Concat(up.put[len(up.put)-1:], up.put[:len(up.put)-1])}
			out = append(out, up)
		}
		for down.to < len(old) && old[down.to] == down.put[0] {
			down = hunk{down.from + 1, down.to + 1, slices.Concat(down.put[1:], down.put[:1])}
			out = append(out, down)
		}
	case len(h.put) == 0:
		for up.from > 0 && old[up.from-1] == old[up.to-1] {
			up = hunk{from: up.from - 1, to: up.to - 1}
			out = append(out, up)
		}
		for down.to < len(old) && old[down.to] == old[down.from] {
			down = hunk{from: down.from + 1, to: down.to + 1}
			out = append(out, down)
		}
	}
	return out
}

// hunksOf returns how one text became another.
func hunksOf(before, after string) (out []hunk) {
	put := linesOf(after)
	for _, h := range text.Diff(nil, slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))) {
		out = append(out, hunk{h.From, h.To, put[h.NewFrom:h.NewTo]})
	}
	return out
}

// linesOf returns the lines of a text, without their ends.
func linesOf(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}
