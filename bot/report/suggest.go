package report

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// maxNotes is how many suggestions are offered on one pull request.
const maxNotes = 30

// suggested makes a note with a suggestion of each change that lies on lines of a pull request's diff, as files are at its
// head. rest is how many changes cannot be offered like that.
func Suggested(changes []FileChange, diff []port.ChangedFile) (notes []port.Suggestion, rest int) {
	patches := map[string]string{}
	for _, f := range diff {
		patches[f.Path] = f.Patch
	}
	for _, c := range changes {
		spans := newSide(patches[c.Path])
		for _, e := range c.edits() {
			note, ok := e.note(c, spans)
			if !ok || len(notes) == maxNotes || len(notes) > 0 && overlaps(note, notes[len(notes)-1]) {
				rest++
				continue
			}
			notes = append(notes, note)
		}
	}
	return notes, rest
}

// lineEdit puts lines in the place of those from From to To, counted from 1; To is From-1 where nothing is taken out.
type lineEdit struct {
	retrieve.Span
	put string
}

func (c FileChange) edits() []lineEdit {
	before := string(c.Before)
	var out []lineEdit
	for _, e := range udiff.Lines(before, string(c.After)) {
		from := strings.Count(before[:e.Start], "\n") + 1
		out = append(out, lineEdit{retrieve.Span{From: from, To: from + len(strings.SplitAfter(before[e.Start:e.End], "\n")) - 2}, e.New})
	}
	return out
}

// note makes a suggestion of an edit. It is no good where lines are not on the page, and where GitHub would not put in
// exactly these bytes.
func (e lineEdit) note(c FileChange, spans []retrieve.Span) (port.Suggestion, bool) {
	if c.Before == nil || c.After == nil || c.unfit() != "" || !strings.HasSuffix(string(c.Before), "\n") || e.put != "" && !strings.HasSuffix(e.put, "\n") {
		return port.Suggestion{}, false
	}
	for _, s := range spans {
		if w, ok := e.within(s, strings.SplitAfter(string(c.Before), "\n")); ok {
			return w.noteOn(c.Path), true
		}
	}
	return port.Suggestion{}, false
}

// within is the edit on lines of s. One that takes nothing out is told by the line before it, or after it.
func (e lineEdit) within(s retrieve.Span, lines []string) (lineEdit, bool) {
	switch {
	case s.From <= e.From && e.To <= s.To && e.From <= e.To:
		return e, true
	case e.From <= e.To:
		return e, false
	case s.From <= e.From-1 && e.From-1 <= s.To:
		return lineEdit{retrieve.Span{From: e.From - 1, To: e.From - 1}, lines[e.From-2] + e.put}, true
	case s.From <= e.From && e.From <= s.To:
		return lineEdit{retrieve.Span{From: e.From, To: e.From}, e.put + lines[e.From-1]}, true
	}
	return e, false
}

func (e lineEdit) noteOn(path string) port.Suggestion {
	fence := strings.Repeat("`", max(3, markdown.LongestRun(e.put, '`')+1))
	n := port.Suggestion{Path: path, StartLine: e.From, Line: e.To, Body: fence + "suggestion\n" + e.put + fence}
	if n.StartLine == n.Line {
		n.StartLine = 0
	}
	return n
}

// on says that a note stands on lines of the one before it: the suggestion that is taken first would take the place of the other.
func overlaps(n, before port.Suggestion) bool {
	return n.Path == before.Path && cmp.Or(n.StartLine, n.Line) <= before.Line
}

var hunkHead = regexp.MustCompile(`(?m)^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,([0-9]+))? @@`)

// newSide lists the lines of a patch's new side, hunk by hunk: those that a note can stand on.
func newSide(patch string) []retrieve.Span {
	var out []retrieve.Span
	for _, m := range hunkHead.FindAllStringSubmatch(patch, -1) {
		from, err := strconv.Atoi(m[1])
		n := 1
		if m[2] != "" && err == nil {
			n, err = strconv.Atoi(m[2])
		}
		if err == nil && n > 0 {
			out = append(out, retrieve.Span{From: from, To: from + n - 1})
		}
	}
	return out
}

// suggestedWords says in the answer what the diff offers.
func SuggestedWords(notes, rest int) string {
	switch {
	case notes == 0:
		return ""
	case notes == 1 && rest == 0:
		return "The change is offered as a suggestion on the diff."
	case rest == 0:
		return fmt.Sprintf("Each of the %d changes is offered as a suggestion on the diff.", notes)
	}
	return fmt.Sprintf("%d of the %d changes are offered as suggestions on the diff.", notes, notes+rest)
}
