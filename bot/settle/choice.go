package settle

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
)

// The choices that people make by a box, as package engine/choice writes them.
const (
	Ours   = "ours"
	Theirs = "theirs"
	Both   = "ours, theirs"
)

// Fits returns what a choice, as package engine/choice writes it, makes of a conflict of lines, and why it does not fit
// a conflict, as a sentence; empty if it does. For any other kind of conflict only Ours and Theirs fit, and there are
// no lines.
func (c Conflict) Fits(text string) (a choice.Answer, why string) {
	switch {
	case !c.Whole():
		return a, "it is about several paths, and has to be settled with git"
	case c.Protected != "" && text != Theirs:
		return a, "only `theirs` can be chosen, since the path is protected. " + c.Protected
	case c.Lines == nil && text != Ours && text != Theirs:
		return a, "only `ours` or `theirs` can be chosen, since it is not a conflict of lines"
	case c.Lines == nil:
		return choice.Answer{ID: c.ID, Choice: choice.Sides(map[string]choice.Origin{Ours: choice.Ours,
			Theirs: choice.Theirs}[text])}, ""
	}
	answers, problems := choice.Parse(choice.Name(c.ID)+": "+text, []choice.Conflict{*c.Lines})
	if len(problems) > 0 || len(answers) != 1 {
		why = "it is no choice"
		for _, p := range problems {
			if p.ID == c.ID {
				why = strings.TrimPrefix(strings.TrimSuffix(p.String(), "."), choice.Name(c.ID)+": ")
			}
		}
		return a, why
	}
	if _, open := answers[0].Choice.Question(); open {
		return a, "`open` settles nothing"
	}
	return answers[0], ""
}

// NewLines returns the lines of an answer that no side has, without their endings.
func NewLines(a choice.Answer) (lines []string) {
	for _, l := range a.Lines {
		if l.Origin == choice.New {
			lines = append(lines, strings.TrimRight(l.Text, "\r\n"))
		}
	}
	return lines
}
