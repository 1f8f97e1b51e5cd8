package view

import (
	"unicode"
	"unicode/utf8"
)

// Bounds on the search for changed words: in the lines of one diff, in bytes, and between two lines, in pairs of words.
// Lines and words beyond them are not compared, and count as changed.
const (
	maxMarked = 64 << 10
	maxPairs  = 10_000
)

// Mark marks, in each removed line that another one replaces and in that line, the words that differ. It takes time in
// proportion to the text.
func (d Diff) Mark() {
	room := maxMarked
	for _, h := range d.Hunks {
		for i := 0; i < len(h.Lines); i++ {
			out, in, end := h.change(i)
			for _, p := range pairs(out, in, &room) {
				p[0].Marks, p[1].Marks = changedWords(p[0].Text, p[1].Text)
			}
			i = max(i, end-1)
		}
	}
}

// change returns the lines that are removed from i on, those that are added after them, and where these end.
func (h Hunk) change(i int) (out, in []*Line, end int) {
	for end = i; end < len(h.Lines) && h.Lines[end].Kind == Removed; end++ {
		out = append(out, &h.Lines[end])
	}
	for ; end < len(h.Lines) && h.Lines[end].Kind == Added; end++ {
		in = append(in, &h.Lines[end])
	}
	return out, in, end
}

// ahead is how many added lines are compared with a removed one to find which replaces it.
const ahead = 8

// pairs returns which of the added lines replaces which of the removed ones, in order: of equally many, the one at the
// same place if it is alike, else the next that is.
func pairs(out, in []*Line, room *int) (found [][2]*Line) {
	next := 0
	for i, line := range out {
		candidates := in[min(next, len(in)):min(next+ahead, len(in))]
		if len(out) == len(in) && i > next && *room > 0 && alike(line.Text, in[i].Text) {
			candidates, next = in[i:i+1], i
		}
		for j, other := range candidates {
			if *room -= len(line.Text) + len(other.Text); *room < 0 {
				return found
			}
			if alike(line.Text, other.Text) {
				found, next = append(found, [2]*Line{line, other}), next+j+1
				break
			}
		}
	}
	return found
}

// alike reports whether two lines have much in common at their ends, indentation excepted.
func alike(a, b string) bool {
	a, b = trimIndent(a), trimIndent(b)
	same := commonPrefix(a, b)
	same += commonSuffix(a[same:], b[same:])
	return same > 0 && (3*same >= max(len(a), len(b)) || 2*same >= min(len(a), len(b)))
}

func trimIndent(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	return s
}

func commonPrefix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// changedWords returns the parts of two lines that differ, as offsets: whole words, runs of blanks, and other
// characters by themselves. There are none if all of the words differ.
func changedWords(a, b string) (inA, inB [][2]int) {
	x, y := wordsOf(a), wordsOf(b)
	from := 0
	for from < min(len(x), len(y)) && word(a, x[from]) == word(b, y[from]) {
		from++
	}
	toX, toY := len(x), len(y)
	for toX > from && toY > from && word(a, x[toX-1]) == word(b, y[toY-1]) {
		toX, toY = toX-1, toY-1
	}
	keptX, keptY := common(a, b, x[from:toX], y[from:toY])
	inA, inB = unkept(a, x[from:toX], keptX), unkept(b, y[from:toY], keptY)
	if whole(inA, a) && whole(inB, b) {
		return nil, nil
	}
	return inA, inB
}

// whole reports whether marks are all of a text.
func whole(marks [][2]int, text string) bool {
	return text == "" || len(marks) == 1 && marks[0] == [2]int{0, len(text)}
}

func word(text string, at [2]int) string { return text[at[0]:at[1]] }

// wordsOf returns where the words of a text are.
func wordsOf(text string) (out [][2]int) {
	const (
		other = iota
		letter
		blank
	)
	kind := func(r rune) int {
		switch {
		case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			return letter
		case r == ' ' || r == '\t':
			return blank
		}
		return other
	}
	last := other
	for i, r := range text {
		now := kind(r)
		if now == other || now != last {
			out = append(out, [2]int{i, i})
		}
		last = now
		_, size := utf8.DecodeRuneInString(text[i:])
		out[len(out)-1][1] = i + size
	}
	return out
}

// common returns which words two lists have in common, in order: the most, unless the lists are long.
func common(a, b string, x, y [][2]int) (inX, inY []bool) {
	inX, inY = make([]bool, len(x)), make([]bool, len(y))
	if len(x)*len(y) > maxPairs {
		return inX, inY
	}
	// most[i][j] is how many bytes the words from i and j on have in common.
	most := make([]int, (len(x)+1)*(len(y)+1))
	at := func(i, j int) *int { return &most[i*(len(y)+1)+j] }
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			if w := word(a, x[i]); w == word(b, y[j]) {
				*at(i, j) = max(*at(i, j), *at(i+1, j+1)+len(w))
			}
		}
	}
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch w := word(a, x[i]); {
		case w == word(b, y[j]) && *at(i, j) == *at(i+1, j+1)+len(w):
			inX[i], inY[j] = true, true
			i, j = i+1, j+1
		case *at(i, j) == *at(i+1, j):
			i++
		default:
			j++
		}
	}
	return inX, inY
}

// unkept joins the words that are not kept. Blanks between two of them are one with them.
func unkept(text string, all [][2]int, kept []bool) (out [][2]int) {
	for i, at := range all {
		blanks := trimIndent(word(text, at)) == ""
		between := blanks && kept[i] && i > 0 && i+1 < len(all) && !kept[i-1] && !kept[i+1]
		if kept[i] && !between {
			continue
		}
		if n := len(out); n > 0 && out[n-1][1] == at[0] {
			out[n-1][1] = at[1]
			continue
		}
		out = append(out, at)
	}
	return out
}

// Rows returns the lines of a hunk side by side: each removed line beside the added one that replaces it.
func (h Hunk) Rows() (rows []Row) {
	for i := 0; i < len(h.Lines); i++ {
		if h.Lines[i].Kind == Context {
			rows = append(rows, Row{&h.Lines[i], &h.Lines[i]})
			continue
		}
		out, in, end := h.change(i)
		rows = append(rows, beside(out, in)...)
		i = end - 1
	}
	return rows
}

// beside puts removed and added lines side by side.
func beside(out, in []*Line) (rows []Row) {
	room, i, j := maxMarked, 0, 0
	until := func(toOut, toIn int) {
		for ; i < toOut || j < toIn; i, j = min(i+1, toOut), min(j+1, toIn) {
			var row Row
			if i < toOut {
				row.Left = out[i]
			}
			if j < toIn {
				row.Right = in[j]
			}
			rows = append(rows, row)
		}
	}
	for _, p := range pairs(out, in, &room) {
		toOut, toIn := i, j
		for out[toOut] != p[0] {
			toOut++
		}
		for in[toIn] != p[1] {
			toIn++
		}
		until(toOut, toIn)
		rows = append(rows, Row{p[0], p[1]})
		i, j = toOut+1, toIn+1
	}
	until(len(out), len(in))
	return rows
}
