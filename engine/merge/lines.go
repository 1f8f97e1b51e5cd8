package merge

import (
	"bytes"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// lines are the lines of a version, with their endings, and a number for each: equal lines have the same number.
type lines struct {
	text []string
	id   []int
	// ids is greater than the number of any line of a version.
	ids int
	// size is in bytes.
	size int
}

// table has the number of each line.
type table map[string]int

func (t table) split(data []byte) lines {
	n := bytes.Count(data, []byte("\n")) + 1
	l := lines{text: make([]string, 0, n), id: make([]int, 0, n), size: len(data)}
	for s := range strings.SplitAfterSeq(string(data), "\n") {
		if s == "" {
			break
		}
		id, ok := t[s]
		if !ok {
			id = len(t)
			t[s] = id
		}
		l.text, l.id = append(l.text, s), append(l.id, id)
	}
	l.ids = len(t)
	return l
}

// region returns the lines [from,to) for people.
func (l lines) region(s text.Span) Region {
	r := Region{Line: s.From + 1}
	for _, line := range l.text[s.From:s.To] {
		r.Lines = append(r.Lines, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	return r
}

// part returns some of the lines.
func (l lines) part(s text.Span) lines {
	return lines{text: l.text[s.From:s.To], id: l.id[s.From:s.To], ids: l.ids}
}

// renumbered returns the lines with numbers that are no greater than they need to be. numbers has the new number of
// each old one.
func (l lines) renumbered(numbers map[int]int) lines {
	id := make([]int, len(l.id))
	for i, old := range l.id {
		n, ok := numbers[old]
		if !ok {
			n = len(numbers)
			numbers[old] = n
		}
		id[i] = n
	}
	return lines{text: l.text, id: id, ids: len(numbers)}
}
