package merge

import "github.com/tenon-bot/tenon/engine/text"

// maxOccurrences is how often a line may be in a span of base for it to begin a common block, as in git.
const maxOccurrences = 64

// histogram aligns a side with base as git does when it merges branches: it takes the longest block of lines that both
// have around the line that base has least often, and goes on above and below it. Where all common lines are frequent,
// it compares as Merge does.
type histogram struct {
	base, side lines
	marks      text.Marks
	work       *int
	// seen and next are where a line of a span of base is first and where it is again, or -1; count is how often.
	seen, count, next []int
}

// alignByHistogram returns the hunks that lead from base to a side; ok is false if that is more than work.
func alignByHistogram(base, side lines, work *int) (hunks []text.Hunk, ok bool) {
	ids := max(base.ids, side.ids)
	h := histogram{
		base: base, side: side, marks: text.NewMarks(len(base.id), len(side.id)), work: work,
		seen: make([]int, ids), count: make([]int, ids), next: make([]int, len(base.id)),
	}
	if !h.align(text.Span{To: len(base.id)}, text.Span{To: len(side.id)}) {
		return nil, false
	}
	text.Compact(base.id, h.marks.Old, h.marks.New, false)
	text.Compact(side.id, h.marks.New, h.marks.Old, false)
	return h.marks.Hunks(), true
}

// align marks the lines of two spans that have no partner; false if that is more than work.
func (h *histogram) align(a, b text.Span) bool {
	for length(a) > 0 && length(b) > 0 {
		h.index(a)
		common, frequent := h.longest(a, b)
		switch {
		case *h.work <= 0:
			return false
		case frequent:
			return h.compare(a, b)
		case length(common.a) == 0:
			h.mark(a, b)
			return true
		}
		part, rest := common.above(a, b), common.below(a, b)
		if length(part.a) > length(rest.a) { // the shorter one by a call, so that the calls are not deep
			part, rest = rest, part
		}
		if !h.align(part.a, part.b) {
			return false
		}
		a, b = rest.a, rest.b
	}
	h.mark(a, b)
	return true
}

func (h *histogram) mark(a, b text.Span) {
	for i := a.From; i < a.To; i++ {
		h.marks.Old[i] = true
	}
	for i := b.From; i < b.To; i++ {
		h.marks.New[i] = true
	}
}

// index notes where the lines of a span of base are.
func (h *histogram) index(a text.Span) {
	*h.work -= length(a)
	for _, id := range h.base.id[a.From:a.To] {
		h.seen[id], h.count[id] = -1, 0
	}
	for i := a.To - 1; i >= a.From; i-- {
		id := h.base.id[i]
		h.next[i], h.seen[id] = h.seen[id], i
		h.count[id]++
	}
}

// occurrences returns how often a line is in the indexed span, and where first.
func (h *histogram) occurrences(id int, a text.Span) (n, first int) {
	first = h.seen[id]
	if first < a.From || first >= a.To || h.base.id[first] != id {
		return 0, -1
	}
	return h.count[id], first
}

// block is a span of base and one of a side.
type block struct{ a, b text.Span }

// above returns what of two spans is above a block in them.
func (c block) above(a, b text.Span) block {
	return block{text.Span{From: a.From, To: c.a.From}, text.Span{From: b.From, To: c.b.From}}
}

// below returns what of two spans is below a block in them.
func (c block) below(a, b text.Span) block {
	return block{text.Span{From: c.a.To, To: a.To}, text.Span{From: c.b.To, To: b.To}}
}

func length(s text.Span) int { return s.To - s.From }

// longest returns the longest block of two spans around one of the lines that base has least often; frequent reports
// whether all lines that they have in common are too frequent for that.
func (h *histogram) longest(a, b text.Span) (best block, frequent bool) {
	fewest, some := maxOccurrences+1, false
	for at := b.From; at < b.To && *h.work > 0; {
		next := at + 1
		*h.work--
		n, i := h.occurrences(h.side.id[at], a)
		some = some || n > 0
		if n > fewest {
			i = -1
		}
		for i >= 0 && *h.work > 0 {
			common, rarest := h.around(i, at, a, b)
			next = max(next, common.b.To)
			if length(common.a) > length(best.a) || rarest < fewest {
				best, fewest = common, rarest
			}
			for i = h.next[i]; i >= 0 && i < common.a.To; i = h.next[i] {
				*h.work--
			}
		}
		at = next
	}
	return best, some && fewest > maxOccurrences
}

// around returns the block around lines that are equal, and how often base has the rarest of its lines.
func (h *histogram) around(i, j int, a, b text.Span) (block, int) {
	out := block{text.Span{From: i, To: i + 1}, text.Span{From: j, To: j + 1}}
	rarest := h.count[h.base.id[i]]
	for out.a.From > a.From && out.b.From > b.From && h.base.id[out.a.From-1] == h.side.id[out.b.From-1] {
		out.a.From--
		out.b.From--
		rarest = min(rarest, h.count[h.base.id[out.a.From]])
	}
	for out.a.To < a.To && out.b.To < b.To && h.base.id[out.a.To] == h.side.id[out.b.To] {
		rarest = min(rarest, h.count[h.base.id[out.a.To]])
		out.a.To++
		out.b.To++
	}
	*h.work -= length(out.a)
	return out, rarest
}

// compare aligns spans whose common lines are all frequent.
func (h *histogram) compare(a, b text.Span) bool {
	marks := text.Marks{Old: h.marks.Old[a.From:a.To], New: h.marks.New[b.From:b.To]}
	return compare(h.base.part(a), h.side.part(b), marks, false, h.work)
}
