package ci

import (
	"strings"
)

// Bounds on the lines of an excerpt.
const (
	maxShown  = 300 // bytes of one line
	scriptMax = 6   // lines of the script of the step
	endLines  = 6   // lines before the end, if others say why it failed
	aloneMax  = 60  // lines before the end, if no others do
	headedMax = 40  // lines above a line for its head
	maxMisses = 10  // lines for which there was no room; behind so many, none are tried
	// endPart is the part of the room that is left for the end of the log while errors are chosen.
	endPart = 6
	gapMark = "…"
)

// choice is which lines of a log are shown.
type choice struct {
	lines []line
	shown []bool
	room  int
}

// chosen returns the lines of a log that say why it failed, in their order, in so many bytes: those that surely say
// it, from the first on, then those that likely do, and its end. "…" is where lines are left out.
func chosen(lines []line, room int) string {
	c := &choice{lines: lines, shown: make([]bool, len(lines)), room: room - room/endPart}
	script := 0
	for i, l := range lines {
		if l.script && script < scriptMax {
			script++
			c.take([]int{i}, c.room/4)
		}
	}
	best := nothing
	for _, l := range lines {
		best = max(best, l.weight())
	}
	for w := best; w >= hinting && w >= best-1; w-- {
		c.takeAll(w)
	}
	c.room += room / endPart
	end := endLines
	if best <= hinting {
		end = aloneMax
	}
	for i := len(lines) - 1; i >= 0 && end > 0; i-- {
		if lines[i].text != "" && !noise.MatchString(lines[i].text) {
			end--
			c.take([]int{i}, c.room)
		}
	}
	return c.text()
}

// takeAll takes the lines of a weight, each with those around it that belong to it. Of equal lines the first is taken;
// of those that do not surely tell why, also if they differ in numbers alone.
func (c *choice) takeAll(w weight) {
	known := map[string]bool{}
	misses := 0
	for i, l := range c.lines {
		if l.weight() != w || misses == maxMisses {
			continue
		}
		key := l.text
		if w < certain {
			key = withoutDigits(key)
		}
		if known[key] {
			continue
		}
		known[key] = true
		if !c.take(c.around(i), c.room) && !c.take([]int{i}, c.room) {
			misses++
		}
		if l.form.headed {
			c.takeHead(i)
		}
	}
}

// around returns which lines belong to one: those before it, itself, and those after it but for frames that lead out
// of the repository, which do not count.
func (c *choice) around(i int) (out []int) {
	f := c.lines[i].form
	from := i
	for from > 0 && i-from < f.before && c.together(from-1) && !noise.MatchString(c.lines[from-1].text) {
		from--
	}
	for ; from <= i; from++ {
		out = append(out, from)
	}
	for to, left := i+1, f.after; to < len(c.lines) && left > 0 && c.together(to-1); to++ {
		text := c.lines[to].text
		if noise.MatchString(text) || f.block && text == "" {
			break
		}
		if !foreign.MatchString(text) {
			out = append(out, to)
			left--
		}
	}
	return out
}

// together reports whether the line behind one was behind it in the log, too.
func (c *choice) together(i int) bool {
	return c.lines[i+1].number == c.lines[i].number+1 && c.lines[i].script == c.lines[i+1].script
}

// takeHead takes the line above one that is not indented.
func (c *choice) takeHead(i int) {
	for at := i - 1; at >= 0 && i-at <= headedMax && c.together(at); at-- {
		if text := c.lines[at].text; text != "" && text[0] != ' ' && text[0] != '\t' {
			c.take([]int{at}, c.room)
			return
		}
	}
}

// take shows lines if they fit into a room, and reports whether they do.
func (c *choice) take(which []int, room int) bool {
	cost := 0
	for _, i := range which {
		if !c.shown[i] {
			cost += len(clip(c.lines[i].text, maxShown)) + 1
		}
	}
	if cost > 0 {
		cost += len(gapMark) + 1
	}
	if cost > min(room, c.room) {
		return false
	}
	c.room -= cost
	for _, i := range which {
		c.shown[i] = true
	}
	return true
}

// text returns the lines that are shown.
func (c *choice) text() string {
	var b strings.Builder
	last := -1
	for i, l := range c.lines {
		if !c.shown[i] {
			continue
		}
		if last >= 0 && l.number != c.lines[last].number+1 && c.leavesOut(last, i) {
			b.WriteString(gapMark + "\n")
		}
		b.WriteString(clip(l.text, maxShown) + "\n")
		last = i
	}
	return strings.ReplaceAll(b.String(), gapMark+"\n\n"+gapMark+"\n", gapMark+"\n")
}

// leavesOut reports whether something that is not empty is left out between two lines.
func (c *choice) leavesOut(from, to int) bool {
	for i := from; i < to; i++ {
		if !c.together(i) || i > from && c.lines[i].text != "" {
			return true
		}
	}
	return false
}
