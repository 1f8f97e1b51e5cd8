package policy

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/schema"
)

// NewLines is what becomes of the lines that a model writes to settle a conflict, and that no side has.
type NewLines string

// What becomes of them.
const (
	AllowNew  NewLines = "allow"
	ShowNew   NewLines = "show"
	RefuseNew NewLines = "refuse"
)

// strictness are the values, from the one that permits most.
var strictness = []NewLines{AllowNew, ShowNew, RefuseNew}

// newLines is allow, show or refuse.
func newLines() kind[NewLines, NewLines] {
	parse := func(text string) (NewLines, error) {
		if n := NewLines(text); slices.Contains(strictness, n) {
			return n, nil
		}
		return "", fmt.Errorf("must be %s, %s or %s, not %q", AllowNew, ShowNew, RefuseNew, clip(text))
	}
	form := schema.Words(string(AllowNew), string(ShowNew), string(RefuseNew))
	return kind[NewLines, NewLines]{scalar(parse), func(n NewLines) string { return markdown.Code(string(n)) }, form}
}

// tightenNewLines is the rule of new lines: the first layer that says something decides, and those below it can only be
// stricter.
func tightenNewLines() rule[NewLines, NewLines] {
	return rule[NewLines, NewLines]{"be stricter", func(m *merger, field *NewLines, v NewLines) {
		switch {
		case m.marked() && slices.Index(strictness, v) < slices.Index(strictness, *field):
			m.ignore(0, "%s has it stricter, %s", m.above(), *field)
		case *field != v || !m.marked():
			*field = v
			m.replace()
		}
	}}
}

// newLinesRow is the setting for new lines.
var newLinesRow = setting{
	name: "resolve.new",
	about: "what becomes of lines that the model writes to settle a conflict, and that no side has: `show` them, and " +
		"commit nothing until somebody ticks or applies them, `allow` and commit them at once, or `refuse` them; see " +
		"[conflicts](resolve.md#on-github)",
	closes: true,
	value: typed[NewLines, NewLines]{
		field:   func(p *Policy) *NewLines { return &p.NewLines },
		initial: ShowNew,
		kind:    newLines(),
		rule:    tightenNewLines(),
	},
}
