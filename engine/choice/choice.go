// Package choice settles the conflicts of a merge by choosing among the lines of their sides, so that every line of the
// result has a known origin.
package choice

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/merge"
)

// Origin says where a line of a settled conflict comes from.
type Origin byte

// The origins. New is of lines that no side has.
const (
	Base Origin = 1 + iota
	Ours
	Theirs
	New
)

var originNames = [...]string{Base: "base", Ours: "ours", Theirs: "theirs", New: "new"}

// String returns the name of an origin, as choices write it.
func (o Origin) String() string {
	if int(o) < len(originNames) {
		return originNames[o]
	}
	return ""
}

// Line is a line of a settled conflict. Its text has the line's ending.
type Line struct {
	Text   string
	Origin Origin
}

// Take is a side of a conflict, or the lines From to To of it, counted from 1, both included. From is 0 for the whole
// side. The origin is not New.
type Take struct {
	Origin   Origin
	From, To int
}

// Choice says what becomes of a conflict. The zero value leaves it open without a question. Choices are immutable.
type Choice struct {
	settles bool
	take    []Take
	// written is true for a text; its lines are without endings.
	written  bool
	text     []string
	noEnding bool
	question string
}

// Of returns the choice of lines of the sides, one after the other; of nothing, the conflict becomes no lines.
func Of(take ...Take) Choice { return Choice{settles: true, take: slices.Clone(take)} }

// Sides returns the choice of whole sides, one after the other.
func Sides(origins ...Origin) Choice {
	c := Choice{settles: true}
	for _, o := range origins {
		c.take = append(c.take, Take{Origin: o})
	}
	return c
}

// Text returns the choice of a text, whose line endings become those of the conflict. A text that is not empty and does
// not end with a line feed has no ending after its last line, if that is the last one of the file.
func Text(text string) Choice {
	c := Choice{settles: true, written: true}
	for line := range strings.Lines(text) {
		c.text = append(c.text, strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r"))
	}
	c.noEnding = text != "" && !strings.HasSuffix(text, "\n")
	return c
}

// Open returns the choice to leave a conflict to a person, with a question, which may be empty.
func Open(question string) Choice { return Choice{question: question} }

// Question returns the question of a choice that leaves the conflict open; ok is false for any other choice.
func (c Choice) Question() (question string, ok bool) { return c.question, !c.settles }

// The errors of Settle; a reply that makes such a choice has a Problem with the text.
var (
	errOpen    = errors.New("the conflict is left open")
	errNoLines = errors.New("the side does not have these lines")
	errTooMany = errors.New("more lines are chosen than twice those that the conflict has")
)

// Settle returns the lines that the sides of a conflict become. last reports whether nothing follows the conflict in
// the file: otherwise its last line gets an ending if it has none. The error says why the choice does not fit the
// sides; a conflict that is left open is one too. A line can be chosen several times, but not more lines than twice
// those of all sides, so that the cost grows with the sides and the text.
func (c Choice) Settle(s merge.Sides, last bool) ([]Line, error) {
	if !c.settles {
		return nil, errOpen
	}
	var out []Line
	var err error
	if c.written {
		out = c.writtenLines(s)
	} else if out, err = c.taken(s); err != nil {
		return nil, err
	}
	for i := range out {
		if end := strings.HasSuffix(out[i].Text, "\n"); !end && (i < len(out)-1 || !last) {
			out[i].Text += ending(s)
		}
	}
	return out, nil
}

// taken returns the chosen lines of the sides.
func (c Choice) taken(s merge.Sides) ([]Line, error) {
	room := 2 * (len(s.Base) + len(s.Ours) + len(s.Theirs))
	var out []Line
	for _, t := range c.take {
		side := side(s, t.Origin)
		if t.From == 0 {
			t.From, t.To = 1, len(side)
		}
		if t.From < 1 || t.To > len(side) || t.From > t.To+1 || t.Origin == New {
			return nil, fmt.Errorf("%w: %s of %d", errNoLines, t, len(side))
		}
		if room -= t.To - t.From + 1; room < 0 {
			return nil, errTooMany
		}
		for _, line := range side[t.From-1 : t.To] {
			out = append(out, Line{line, t.Origin})
		}
	}
	return out, nil
}

// writtenLines returns the lines of a text. Those that a side has are from there, each as often as the side has it. If
// the sides have different line endings, all lines get that of the conflict.
func (c Choice) writtenLines(s merge.Sides) []Line {
	type source struct {
		origin Origin
		text   string
	}
	sources := map[string][]source{}
	for _, o := range []Origin{Ours, Theirs, Base} {
		for _, line := range side(s, o) {
			bare := strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
			sources[bare] = append(sources[bare], source{o, line})
		}
	}
	converted := endingOf(s.Ours) != endingOf(s.Theirs) && len(s.Ours) > 0 && len(s.Theirs) > 0
	out := make([]Line, len(c.text))
	for i, text := range c.text {
		out[i] = Line{text + ending(s), New}
		if from := sources[text]; len(from) > 0 {
			out[i].Origin = from[0].origin
			if !converted {
				out[i].Text = from[0].text
			}
			sources[text] = from[1:]
		}
		switch end := strings.HasSuffix(out[i].Text, "\n"); {
		case i < len(out)-1:
		case c.noEnding:
			out[i].Text = text
		case !end:
			out[i].Text += ending(s)
		}
	}
	return out
}

// side returns the lines of a side.
func side(s merge.Sides, o Origin) []string {
	switch o {
	case Base:
		return s.Base
	case Ours:
		return s.Ours
	case Theirs:
		return s.Theirs
	}
	return nil
}

// ending returns the line ending of a conflict: that of the first line of ours, or of theirs if only they changed it.
func ending(s merge.Sides) string {
	ours, theirs, base := endingOf(s.Ours), endingOf(s.Theirs), endingOf(s.Base)
	switch {
	case len(s.Ours) == 0 && len(s.Theirs) == 0:
		return base
	case len(s.Ours) == 0, len(s.Theirs) > 0 && len(s.Base) > 0 && ours == base:
		return theirs
	}
	return ours
}

// endingOf returns the ending of the first line; that of Unix if it has none.
func endingOf(lines []string) string {
	if len(lines) > 0 && strings.HasSuffix(lines[0], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// String returns the lines of a side as a choice writes them: "o1-4", "t2", or the side's name.
func (t Take) String() string {
	name := t.Origin.String()
	switch {
	case t.From == 0 || name == "":
		return name
	case t.From == t.To:
		return name[:1] + strconv.Itoa(t.From)
	}
	return name[:1] + strconv.Itoa(t.From) + "-" + strconv.Itoa(t.To)
}
