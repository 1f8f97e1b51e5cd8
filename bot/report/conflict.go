package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/engine/choice"
)

// Bounds on what is shown of a conflict.
const (
	// maxSideLines is how many lines are shown of each side, and of what a conflict becomes; maxNewLines how many new
	// ones.
	maxSideLines = 20
	maxNewLines  = 60
	// maxConflictLine is the length of a line that is shown whole, in characters.
	maxConflictLine = 200
	// maxChosen is how much is shown of a choice.
	maxChosen = 120
)

// Conflict is a conflict as an answer shows it. Lines are without endings and without secrets.
type Conflict struct {
	ID   int
	Path string
	// Line is where it begins, 0 if it is not one of lines.
	Line int
	// About says what it is, if lines alone do not, and Protected why only theirs can be chosen, as Markdown.
	About, Protected string
	// Whole reports that a side can be taken; otherwise it has to be settled with git.
	Whole bool
	// Proposal and Choice are those of its record, ByHand says that a person made the choice, Note is what the model says.
	Proposal, Choice string
	ByHand           bool
	Note             string
	// Base, Ours and Theirs are the lines of the sides; Hidden is why they are not shown.
	Base, Ours, Theirs []string
	Hidden             string
	// OursGone and TheirsGone report that a side has no such file.
	OursGone, TheirsGone bool
	// Result is what it becomes by the choice, or else by the proposal. Unshown is why its new lines are not shown whole;
	// empty if there is no reason but room.
	Result  []choice.Line
	Unshown string
}

// isOfLines reports whether it is a conflict of lines.
func (c Conflict) isOfLines() bool { return c.Line > 0 }

// count returns how many lines of the result are from an origin.
func (c Conflict) count(of choice.Origin) (n int) {
	for _, l := range c.Result {
		if l.Origin == of {
			n++
		}
	}
	return n
}

// head says in a line which conflict it is and what it becomes, and below that what a reader has to know.
func (c Conflict) head() string {
	place := markdown.Clip(c.Path, markdown.MaxCell)
	if c.Line > 0 {
		place += fmt.Sprintf(":%d", c.Line)
	}
	text := fmt.Sprintf("**%s** %s · %s", choice.Name(c.ID), markdown.Code(place), c.state())
	if c.Choice == "" && c.About != "" {
		text = joinLines(text, c.About)
	}
	if c.Choice == "" && c.Protected != "" && c.Whole {
		text = joinLines(text, "Only `theirs` can be chosen, since the path is protected. "+c.Protected+".")
	}
	if c.Choice == "" && c.Note != "" {
		text = joinLines(text, upperFirst(markdown.Plain(markdown.Clip(c.Note, markdown.MaxCell), c.Path)))
	}
	return text
}

// state says what a conflict becomes.
func (c Conflict) state() string {
	switch {
	case c.Choice != "":
		text := "✅ " + c.chosen(c.Choice)
		if c.ByHand {
			text += " · chosen by a person"
		}
		return text
	case c.Proposal != "":
		return "👀 proposed: " + c.chosen(c.Proposal)
	case !c.Whole:
		return "❌ to be settled with git"
	}
	return "❔ open"
}

// chosen shows a choice, with the lines that it makes by their origin.
func (c Conflict) chosen(text string) string {
	name, _, written := strings.Cut(text, "\n")
	if written {
		name = "new text"
	} else {
		name = markdown.Code(markdown.Clip(name, maxChosen))
	}
	if !c.isOfLines() {
		return name
	}
	var parts []string
	for _, o := range []choice.Origin{choice.New, choice.Ours, choice.Theirs, choice.Base} {
		switch n := c.count(o); {
		case n == 0:
		case o == choice.New:
			parts = append(parts, fmt.Sprintf("**%s new**", humanize.Comma(int64(n))))
		default:
			parts = append(parts, fmt.Sprintf("%s of %s", humanize.Comma(int64(n)), o))
		}
	}
	lines := english.Plural(len(c.Result), "line", "")
	if len(parts) > 0 {
		lines += ": " + strings.Join(parts, ", ")
	}
	return name + " · " + lines
}

// hasBoxes reports whether there can be boxes for the conflict.
func (c Conflict) hasBoxes() bool {
	return c.Whole && markdown.ChoiceNumber(c.ID, markdown.Choices-1) <= markdown.MaxNumber
}

// boxes are the boxes of a conflict; shown reports whether people see all new lines of the proposal.
func (c Conflict) boxes(shown bool) string {
	if !c.hasBoxes() {
		return ""
	}
	rows := []struct{ text, label string }{
		{"ours", sideLabel("ours", c.OursGone)}, {"theirs", sideLabel("theirs", c.TheirsGone)}, {"ours, theirs", "both"},
		{c.Proposal, "as proposed"},
	}
	var lines []string
	for i, row := range rows {
		switch {
		case c.Protected != "" && row.text != "theirs", row.text == "", i == 2 && !c.isOfLines():
			continue
		case i == 3 && (!shown || c.isBox(row.text)):
			continue
		}
		lines = append(lines, markdown.ChoiceBox(c.ID, i, c.Choice == row.text, row.label))
	}
	return strings.Join(lines, "\n")
}

// isBox reports whether a choice is that of one of the first three boxes.
func (c Conflict) isBox(text string) bool {
	return text == "ours" || text == "theirs" || text == "ours, theirs"
}

func sideLabel(name string, gone bool) string {
	if gone {
		return name + ": delete the file"
	}
	return name
}

// newLines shows the new lines of a result, counted; empty if there are none or not all can be shown.
func (c Conflict) newLines() string {
	n := c.count(choice.New)
	if n == 0 || c.Unshown != "" || n > maxNewLines {
		return ""
	}
	var lines []string
	for _, l := range c.Result {
		if l.Origin == choice.New {
			lines = append(lines, "+ "+unusual.Spelled(l.Text))
		}
	}
	return english.Plural(n, "new line", "") + ", which no side has:\n\n" +
		markdown.Fenced("diff", strings.Join(lines, "\n"))
}

// WhyUnshown returns why lines are not shown letter by letter, as a clause; empty if they are.
func WhyUnshown(lines []string) string {
	if len(lines) > maxNewLines {
		return fmt.Sprintf("there are more than %d", maxNewLines)
	}
	for _, line := range lines {
		switch {
		case utf8.RuneCountInString(line) > maxConflictLine:
			return fmt.Sprintf("one has more than %d characters", maxConflictLine)
		case unusual.IsHidden(line):
			return "one has characters that are not shown"
		}
	}
	return ""
}

// lines shows the lines of a conflict, as far as there is room: those that no side has first, then what it becomes, and
// the sides. whole reports whether people see all new lines.
func (c Conflict) lines(room int) (text string, whole bool) {
	if !c.isOfLines() {
		return "", true
	}
	fresh := c.newLines()
	whole = c.count(choice.New) == 0
	var parts []string
	add := func(part string) bool {
		if part == "" || size(part) > room {
			return false
		}
		parts, room = append(parts, part), room-size(part)
		return true
	}
	if add(fresh) {
		whole = true
	}
	if !whole && c.Proposal != "" && c.Choice == "" {
		why := c.Unshown
		if why == "" {
			why = "there is no room for them"
		}
		add("Its new lines are not shown whole, because " + why + ": choose a side, or settle it in the file.")
	}
	if c.Hidden != "" {
		add("Its lines are not shown, because " + markdown.Plain(c.Hidden, "") + ".")
		return markdown.JoinSections(parts), whole
	}
	sides := markdown.Fenced("text", c.sides())
	switch {
	case c.Choice != "":
		add(markdown.Fold("Lines of both sides", sides))
	case c.Proposal != "":
		if c.count(choice.New) < len(c.Result) || len(c.Result) == 0 {
			add(markdown.Fenced("text", resultLines(c.Result)))
		}
		add(markdown.Fold("Lines of both sides", sides))
	default:
		add(sides)
	}
	return markdown.JoinSections(parts), whole
}

// sides are the lines of all sides, each with the name by which it can be chosen.
func (c Conflict) sides() string {
	var b strings.Builder
	for _, side := range []struct {
		name  choice.Origin
		lines []string
	}{{choice.Ours, c.Ours}, {choice.Theirs, c.Theirs}, {choice.Base, c.Base}} {
		if len(side.lines) == 0 {
			fmt.Fprintf(&b, "%s: no lines\n", side.name)
			continue
		}
		fmt.Fprintf(&b, "%s:\n", side.name)
		for i, line := range side.lines[:min(len(side.lines), maxSideLines)] {
			fmt.Fprintf(&b, "%-5s%s\n", fmt.Sprintf("%s%d", side.name.String()[:1], i+1), shownLine(line))
		}
		if more := len(side.lines) - maxSideLines; more > 0 {
			fmt.Fprintf(&b, "     … and %d more\n", more)
		}
	}
	return b.String()
}

// resultLines are lines, each with its origin.
func resultLines(lines []choice.Line) string {
	if len(lines) == 0 {
		return "no lines"
	}
	var b strings.Builder
	for _, l := range lines[:min(len(lines), maxSideLines)] {
		fmt.Fprintf(&b, "%-7s%s\n", l.Origin, shownLine(l.Text))
	}
	if more := len(lines) - maxSideLines; more > 0 {
		fmt.Fprintf(&b, "… and %d more\n", more)
	}
	return b.String()
}

func shownLine(line string) string {
	return unusual.Spelled(markdown.Clip(line, maxConflictLine))
}
