package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/unusual"
	"github.com/tenon-bot/tenon/engine"
)

// maxWhole bounds a diff that is shown whole where there is much room, in bytes: it fits in a check run.
const maxWhole = 60_000

// unshown returns why a text, which the diff came to, is not all of an edit, letter by letter; empty if it is.
func (d lineDiff) unshown(e engine.Edit, text string) string {
	changed := slices.Concat(e.Removed, e.Added)
	switch {
	case !d.isOf(e):
		return "it has a secret, which is not shown"
	case slices.ContainsFunc(changed, unusual.IsHidden):
		return "it has characters that are not shown"
	case slices.ContainsFunc(d.lines, func(line string) bool { return utf8.RuneCountInString(line) > maxDiffLine }):
		return fmt.Sprintf("it has a line of more than %d characters", maxDiffLine)
	case len(d.lines) > maxDiffLines:
		return fmt.Sprintf("it has more than %d lines", maxDiffLines)
	case strings.Count(text, "\n") < len(d.lines):
		return "it is too long"
	}
	return ""
}

// isOf reports whether the lines of the diff are those of an edit: no secret was taken out.
func (d lineDiff) isOf(e engine.Edit) bool {
	var before, after []string
	for _, line := range d.lines {
		if line == "" {
			return false
		}
		if line[0] != '+' {
			before = append(before, line[1:])
		}
		if line[0] != '-' {
			after = append(after, line[1:])
		}
	}
	return slices.Equal(before, slices.Concat(e.ContextBefore, e.Removed, e.ContextAfter)) &&
		slices.Equal(after, slices.Concat(e.ContextBefore, e.Added, e.ContextAfter))
}

// whole returns all of the diff of an edit in at most room bytes, with its hidden characters spelled out; empty if it
// is longer, or has a secret.
func (d lineDiff) whole(e engine.Edit, room int) string {
	if !d.isOf(e) {
		return ""
	}
	var b strings.Builder
	if d.head != "" {
		b.WriteString(d.head + "\n")
	}
	for _, line := range d.lines {
		b.WriteString(unusual.Spelled(line) + "\n")
		if b.Len() > room {
			return ""
		}
	}
	return b.String()
}

// Shown tells where people were shown the edits of a preview whole, by their numbers.
type Shown struct {
	// Boxes have a box beside their diff, Answer are further ones in the answer. Check are those in the text of the
	// check run, if one was made.
	Boxes  []int `json:"boxes,omitempty"`
	Answer []int `json:"answer,omitempty"`
	Check  []int `json:"check,omitempty"`
}

// WholeDiff returns the diff of a result if it is known whole, with its hidden characters spelled out; else "".
func (r Result) WholeDiff() string {
	if r.Unshown == "" {
		return r.Diff
	}
	return r.Whole
}

// In reports whether a text, which was shown to people, has the whole diff of the result.
func (r Result) In(text string) bool {
	diff := r.WholeDiff()
	return diff != "" && strings.Contains(text, markdown.Fenced("diff", diff))
}
