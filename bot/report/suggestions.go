package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxSuggestions is how many suggestions are made on one pull request.
const maxSuggestions = 30

// Suggestions makes a suggestion of each change that lies on lines of a pull request's diff. The files are those at its
// head. unoffered is how many changes cannot be suggested.
func Suggestions(changes []FileChange, diff []port.ChangedFile) (list []port.Suggestion, unoffered int) {
	patches := map[string]string{}
	for _, f := range diff {
		patches[f.Path] = f.Patch
	}
	for _, c := range changes {
		spans := newSide(patches[c.Path])
		for _, e := range c.edits() {
			s, ok := e.suggestion(c, spans)
			if !ok || len(list) == maxSuggestions || len(list) > 0 && overlap(list[len(list)-1], s) {
				unoffered++
				continue
			}
			list = append(list, s)
		}
	}
	return list, unoffered
}

// lineEdit replaces the lines of a span, which is empty if To is From-1.
type lineEdit struct {
	retrieve.Span
	lines string
}

func (c FileChange) edits() []lineEdit {
	after := slices.Collect(strings.Lines(string(c.After)))
	var out []lineEdit
	for _, h := range text.Diff(nil, slices.Collect(strings.Lines(string(c.Before))), after) {
		lines := strings.Join(after[h.NewFrom:h.NewTo], "")
		out = append(out, lineEdit{retrieve.Span{From: h.From + 1, To: h.To}, lines})
	}
	return out
}

// suggestion makes a suggestion of an edit. ok is false if its lines are not in the diff, or GitHub would not write
// exactly these bytes.
func (e lineEdit) suggestion(c FileChange, diff []retrieve.Span) (s port.Suggestion, ok bool) {
	before := string(c.Before)
	switch {
	case c.Before == nil || c.After == nil || c.unfit() != "",
		!strings.HasSuffix(before, "\n"),
		e.lines != "" && !strings.HasSuffix(e.lines, "\n"):
		return s, false
	}
	for _, span := range diff {
		if w, ok := e.within(span, strings.SplitAfter(before, "\n")); ok {
			fence := strings.Repeat("`", max(3, markdown.LongestRun(w.lines, '`')+1))
			s = port.Suggestion{Path: c.Path, StartLine: w.From, Line: w.To, Body: fence + "suggestion\n" + w.lines + fence}
			if s.StartLine == s.Line {
				s.StartLine = 0
			}
			return s, true
		}
	}
	return s, false
}

// within returns the edit as one of lines of a span. An edit that replaces no lines becomes one of the line before it,
// or after it.
func (e lineEdit) within(s retrieve.Span, file []string) (lineEdit, bool) {
	switch {
	case s.From <= e.From && e.To <= s.To && e.From <= e.To:
		return e, true
	case e.From <= e.To:
		return e, false
	case s.From <= e.From-1 && e.From-1 <= s.To:
		return lineEdit{retrieve.Span{From: e.From - 1, To: e.From - 1}, file[e.From-2] + e.lines}, true
	case s.From <= e.From && e.From <= s.To:
		return lineEdit{retrieve.Span{From: e.From, To: e.From}, e.lines + file[e.From-1]}, true
	}
	return e, false
}

// overlap reports whether a suggestion is on lines of the one before it: whichever is taken first would replace the
// other's.
func overlap(before, s port.Suggestion) bool {
	return s.Path == before.Path && cmp.Or(s.StartLine, s.Line) <= before.Line
}

var hunkHeader = regexp.MustCompile(`(?m)^@@ -[0-9]+(?:,[0-9]+)? \+([0-9]+)(?:,([0-9]+))? @@`)

// newSide returns the lines of the new side of a patch, hunk by hunk: those that a suggestion can be on.
func newSide(patch string) []retrieve.Span {
	var out []retrieve.Span
	for _, m := range hunkHeader.FindAllStringSubmatch(patch, -1) {
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

// SuggestionSentence says how many changes are suggestions on the diff, of those that are and those that cannot be.
func SuggestionSentence(offered, unoffered int) string {
	switch {
	case offered == 0:
		return ""
	case offered == 1 && unoffered == 0:
		return "The change is a suggestion on the diff: the author can commit it there."
	case unoffered == 0:
		return fmt.Sprintf("Each of the %d changes is a suggestion on the diff: the author can commit them there.", offered)
	}
	if offered == 1 {
		return fmt.Sprintf("1 of the %d changes is a suggestion on the diff: the author can commit it there.",
			offered+unoffered)
	}
	return fmt.Sprintf("%d of the %d changes are suggestions on the diff: the author can commit them there.", offered,
		offered+unoffered)
}
