package choice

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/merge"
)

// Conflict is a conflict that can be settled. IDs are positive and differ.
type Conflict struct {
	ID    int
	Sides merge.Sides
	// Last reports whether nothing follows the conflict in its file.
	Last bool
}

// Name returns what replies and people call the conflict of an ID, like "C3".
func Name(id int) string { return "C" + strconv.Itoa(id) }

// Answer is what a reply says of one conflict.
type Answer struct {
	ID     int
	Choice Choice
	// Lines are what the conflict becomes; none if it is left open.
	Lines []Line
}

// Reason says what is wrong with a reply.
type Reason string

// The reasons. An answer with a problem counts for nothing.
const (
	// NoAnswer: the reply does not say what becomes of a conflict.
	NoAnswer Reason = "no-answer"
	// Twice: the reply has two answers for a conflict, neither of which counts.
	Twice Reason = "answered-twice"
	// Unknown: there is no such conflict.
	Unknown Reason = "unknown-conflict"
	// NoChoice: what is after the colon is no choice.
	NoChoice Reason = "no-choice"
	// NoText: a new text is not between two fences.
	NoText Reason = "no-text"
	// NoLines: a side does not have the lines that are chosen, or they are too many.
	NoLines Reason = "no-lines"
	// Marker: a line of a new text is a conflict marker, or one that is chosen is one of a conflict within a version.
	Marker Reason = "conflict-marker"
)

// Problem is something wrong with a reply.
type Problem struct {
	ID int
	// Line is that of the answer in the reply, counted from 1; 0 if there is none.
	Line   int
	Reason Reason
	// Detail says more, in words; it may be empty, and may contain what the reply says.
	Detail string
}

// String returns a sentence about a problem for the author of the reply.
func (p Problem) String() string {
	name := Name(p.ID)
	switch p.Reason {
	case NoAnswer:
		return fmt.Sprintf("%s has no answer.", name)
	case Twice:
		return fmt.Sprintf("%s has two answers, and neither counts.", name)
	case Unknown:
		return fmt.Sprintf("There is no conflict %s.", name)
	case NoText:
		return fmt.Sprintf("%s: the line after \"new\" must be a fence like ```, and another one must follow the text.", name)
	case Marker:
		return fmt.Sprintf("%s: a line of it is a conflict marker.", name)
	case NoLines:
		return fmt.Sprintf("%s: %s.", name, p.Detail)
	}
	return fmt.Sprintf("%s: %q is no choice.", name, p.Detail)
}

var answerLine = regexp.MustCompile(`^C([1-9][0-9]{0,5}):[ \t]*(.*?)[ \t]*$`)

// Parse reads a reply with one answer for each conflict. An answer is a line that begins with the conflict's name:
//
//	C1: ours
//	C2: theirs, ours
//	C3: lines o1-4 t2 o6
//	C4: none
//	C5: open Which of the two limits is right?
//	C6: new
//	```
//	text that no side has
//	```
//
// The sides are ours, theirs and base; lines of them are counted from 1. Other lines mean nothing, nor do those in a
// fence that does not follow "new". The answers are those that count, in the order of the conflicts; each conflict has
// an answer or a problem. The cost grows with the reply and the sides.
func Parse(reply string, conflicts []Conflict) ([]Answer, []Problem) {
	p := parser{lines: strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n"), found: map[int]found{}}
	for p.at < len(p.lines) {
		p.next()
	}
	var answers []Answer
	var problems []Problem
	for _, c := range conflicts {
		a, problem := p.found[c.ID].answer(c)
		delete(p.found, c.ID)
		if problem != nil {
			problems = append(problems, *problem)
			continue
		}
		answers = append(answers, a)
	}
	for id, f := range p.found {
		problems = append(problems, Problem{ID: id, Line: f.line, Reason: Unknown})
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.ID - b.ID })
	return answers, problems
}

// found is an answer of a reply.
type found struct {
	line, times int
	choice      Choice
	wrong       Reason
	detail      string
}

// answer returns an answer to a conflict, or what is wrong with it.
func (f found) answer(c Conflict) (Answer, *Problem) {
	problem := Problem{ID: c.ID, Line: f.line, Reason: f.wrong, Detail: f.detail}
	switch {
	case f.times == 0:
		problem.Reason = NoAnswer
		return Answer{}, &problem
	case f.times > 1:
		problem.Reason = Twice
		return Answer{}, &problem
	case f.wrong != "":
		return Answer{}, &problem
	}
	a := Answer{ID: c.ID, Choice: f.choice}
	if _, open := f.choice.Question(); open {
		return a, nil
	}
	var err error
	if a.Lines, err = f.choice.Settle(c.Sides, c.Last); err != nil {
		problem.Reason, problem.Detail = NoLines, err.Error()
		return Answer{}, &problem
	}
	if slices.ContainsFunc(a.Lines, isMarker) {
		problem.Reason = Marker
		return Answer{}, &problem
	}
	return a, nil
}

// isMarker reports whether a line is a conflict marker that may not be chosen. New lines must not look like one. What
// the branches have themselves may, as in a document about git, unless it is of a conflict within a version: git writes
// those with longer markers, where it merged several merge bases or two renamed files. The marker between the sides is
// not looked for: it also underlines headings, and is never alone.
func isMarker(l Line) bool {
	n := MarkerLength(l.Text)
	return n >= 7 && l.Origin == New || n > 7 && strings.HasPrefix(l.Text[n:], " ")
}

// MarkerLength returns how many of the same signs of conflict markers, but for "=", a line begins with.
func MarkerLength(line string) int {
	if line == "" || !strings.Contains("<|>", line[:1]) {
		return 0
	}
	return len(line) - len(strings.TrimLeft(line, line[:1]))
}

// parser reads a reply, line by line.
type parser struct {
	lines []string
	at    int
	found map[int]found
}

// next reads the line at which the parser is, and the fence that belongs to it.
func (p *parser) next() {
	line := p.lines[p.at]
	p.at++
	if m := answerLine.FindStringSubmatch(line); m != nil {
		id, err := strconv.Atoi(m[1])
		if err != nil {
			return // it has at most six digits
		}
		f := found{line: p.at, times: p.found[id].times + 1}
		if m[2] == wordNew {
			var ok bool
			if f.choice, ok = p.text(); !ok {
				f.wrong = NoText
			}
		} else if f.choice, f.wrong = parseChoice(m[2]); f.wrong != "" {
			f.detail = m[2]
		}
		p.found[id] = f
		return
	}
	if mark := fenceMark(line); mark != "" {
		p.fence(mark)
	}
}

// text reads the fence after "new".
func (p *parser) text() (Choice, bool) {
	if p.at == len(p.lines) {
		return Choice{}, false
	}
	mark := fenceMark(p.lines[p.at])
	if mark == "" {
		return Choice{}, false
	}
	p.at++
	lines, closed := p.fence(mark)
	c := Choice{settles: true, written: true, text: lines}
	if n := len(lines); n > 1 && lines[n-1] == noNewline {
		c.text, c.noEnding = lines[:n-1], true
	}
	return c, closed
}

// fence returns the lines to the end of a fence; closed is false if it has none.
func (p *parser) fence(mark string) (lines []string, closed bool) {
	from := p.at
	for ; p.at < len(p.lines); p.at++ {
		if line := p.lines[p.at]; len(fenceMark(line)) >= len(mark) && strings.Trim(line, mark[:1]) == "" {
			p.at++
			return p.lines[from : p.at-1], true
		}
	}
	return nil, false
}

// parseChoice reads what is after the colon.
func parseChoice(s string) (Choice, Reason) {
	word, rest, _ := strings.Cut(s, " ")
	switch {
	case word == wordOpen:
		return Open(strings.TrimSpace(rest)), ""
	case s == wordNone:
		return Of(), ""
	case word == wordLines:
		return parseLines(strings.Fields(rest))
	}
	var sides []Origin
	for name := range strings.SplitSeq(s, ",") {
		o := slices.Index(originNames[:New], strings.TrimSpace(name))
		if o < int(Base) || slices.Contains(sides, Origin(o)) {
			return Choice{}, NoChoice
		}
		sides = append(sides, Origin(o))
	}
	return Sides(sides...), ""
}

var takeWord = regexp.MustCompile(`^([bot])([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?$`)

func parseLines(words []string) (Choice, Reason) {
	var take []Take
	for _, word := range words {
		m := takeWord.FindStringSubmatch(strings.TrimSuffix(word, ","))
		if m == nil {
			return Choice{}, NoChoice
		}
		t := Take{Origin: Origin(strings.Index("bot", m[1])) + Base}
		t.From, _ = strconv.Atoi(m[2]) // both have at most seven digits
		if t.To = t.From; m[3] != "" {
			t.To, _ = strconv.Atoi(m[3])
		}
		if t.To < t.From {
			return Choice{}, NoChoice
		}
		take = append(take, t)
	}
	if len(take) == 0 {
		return Choice{}, NoChoice
	}
	return Of(take...), ""
}
