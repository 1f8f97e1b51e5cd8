package ceiling

import (
	"slices"
	"strings"
)

// patch is what a fix changes in a file.
type patch struct {
	path  string
	old   []string // the lines of the file before the fix
	hunks []hunk
}

func newPatch(path string, before, after []byte) patch {
	return patch{path: path, old: linesOf(string(before)), hunks: joined(hunksOf(string(before), string(after)),
		linesOf(string(before)))}
}

// nearby is how many lines may be between changes that belong in one block, as the prompt has it.
const nearby = 3

// joined joins changes that are so near to each other that they belong in one block.
func joined(hunks []hunk, old []string) (out []hunk) {
	for _, h := range hunks {
		if n := len(out); n > 0 && h.from-out[n-1].to <= nearby {
			last := &out[n-1]
			last.put = slices.Concat(last.put, old[last.to:h.from], h.put)
			last.to = h.to
			continue
		}
		out = append(out, h)
	}
	return out
}

// block is an edit block: the lines [from,to) of the file as the fix found it, from 0, and what is to replace the lines
// of its hunks.
type block struct {
	from, to int
	hunks    []hunk
}

// blocks returns the blocks for what is shown of a file, which has each shown line by its number from 1, and the lines,
// from 1 and sorted, without which a hunk has no block: those that it changes, and those that make its place unique.
func (p patch) blocks(lines map[int]string) (out []block, missing []int) {
	for i, h := range p.hunks {
		low, high := 0, len(p.old) // what may be around it
		if i > 0 {
			low = p.hunks[i-1].to
		}
		if i+1 < len(p.hunks) {
			high = p.hunks[i+1].from
		}
		find := finder{file: p.old, edited: p.after(i), low: low, high: high}
		from, to, ok := find.place(h, func(line int) bool { _, is := lines[line+1]; return is })
		if ok {
			out = append(out, block{from, to, []hunk{h}})
			continue
		}
		from, to, _ = find.place(h, func(int) bool { return true })
		for line := from; line < to; line++ {
			if _, is := lines[line+1]; !is {
				missing = append(missing, line+1)
			}
		}
	}
	return out, missing
}

// after returns the file after its first n hunks.
func (p patch) after(n int) (out []string) {
	at := 0
	for _, h := range p.hunks[:n] {
		out = slices.Concat(out, p.old[at:h.from], h.put)
		at = h.to
	}
	return append(out, p.old[at:]...)
}

// finder finds lines by which a place in a file is known: both as the file is and as the edits above left it.
type finder struct {
	file, edited []string
	// low and high bound the lines [low,high) that no other hunk changes.
	low, high int
}

// place returns the fewest lines around a hunk that are at one place alone, of those that are shown; ok is false if
// there are none.
func (f finder) place(h hunk, isShown func(line int) bool) (from, to int, ok bool) {
	if len(f.file) == 0 {
		return 0, 0, true // an empty file has one place
	}
	for line := h.from; line < h.to; line++ {
		if !isShown(line) {
			return h.from, h.to, false
		}
	}
	from, to = h.from, h.to
	for {
		above, below := from > f.low && isShown(from-1), to < f.high && isShown(to)
		if above {
			from--
		}
		if below {
			to++
		}
		find := f.file[from:to]
		switch {
		case from < to && count(f.file, find) == 1 && count(f.edited, find) == 1:
			return from, to, true
		case !above && !below:
			return from, to, false
		}
	}
}

// count returns how often some lines are in a file.
func count(file, find []string) (n int) {
	for at := range len(file) - len(find) + 1 {
		if slices.Equal(file[at:at+len(find)], find) {
			n++
		}
	}
	return n
}

// text writes a block as the prompt asks for it, with the lines to find as they were shown.
func (p patch) text(b block, lines map[int]string) string {
	var find, put []string
	at := b.from
	for _, h := range b.hunks {
		for ; at < h.from; at++ {
			put = append(put, lines[at+1])
		}
		put, at = append(put, h.put...), h.to
	}
	for ; at < b.to; at++ {
		put = append(put, lines[at+1])
	}
	for line := b.from; line < b.to; line++ {
		find = append(find, lines[line+1])
	}
	fence, marks := "```", 7
	for _, line := range slices.Concat(find, put) {
		line = strings.TrimSpace(line)
		for strings.HasPrefix(line, fence) {
			fence += "`"
		}
		if n := markLength(line); n >= marks {
			marks = n + 1
		}
	}
	var out strings.Builder
	write := func(lines ...string) {
		for _, line := range lines {
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	write(p.path, fence, strings.Repeat("<", marks)+" SEARCH")
	write(find...)
	write(strings.Repeat("=", marks))
	write(put...)
	write(strings.Repeat(">", marks)+" REPLACE", fence)
	return out.String()
}

// markLength returns how long the marker is that a line begins with; 0 if it begins with none.
func markLength(line string) int {
	for _, mark := range []string{"<", "=", ">"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n > 0 {
			return n
		}
	}
	return 0
}
