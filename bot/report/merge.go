package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// OfUpdate returns the end of an update from what is known of every run: m is what was to be merged, and undo the run
// that undid an earlier update; empty if none did.
func OfUpdate(m record.Merge, undo string, r Summary) Summary {
	if undo != "" {
		r.undoneMerge = sentence.UndoneMerge(m.Branch, undo)
	}
	if r.deed, r.mergedFrom = merging, m.Branch; r.SHA == "" {
		r.Subject = ""
	}
	base := markdown.Code(markdown.Clip(m.Branch, markdown.MaxCell))
	commit := CommitLink(r.Links, m.SHA)
	switch {
	case r.SHA != "":
		r.about = fmt.Sprintf("merges %s at %s", base, commit)
	case r.upToDate():
		r.lead = fmt.Sprintf("%s has everything of %s at %s, so nothing was committed.",
			markdown.Code(markdown.Clip(r.Branch, markdown.MaxCell)), base, commit)
	default:
		r.about = fmt.Sprintf("with %s at %s", base, commit)
	}
	return r
}

// upToDate reports whether there was nothing to merge.
func (r Summary) upToDate() bool {
	return r.does() == merging && r.SHA == "" && len(r.Results) == 0 && r.Unpushed == ""
}

// byHand says how people make a merge that a fork did not take.
func (r Summary) byHand() string {
	if r.does() != merging || !sentence.IsOfFork(r.Unpushed) {
		return ""
	}
	return sentence.MergeIntoFork(r.mergedFrom, r.Upstream)
}

// unmerged lists what a merge left undone, and says how to do it by hand. It returns the room that is left.
func (r Summary) unmerged(room int) (string, int) {
	settle, text := "", ""
	for _, row := range r.Results {
		if row.Reason == string(edit.ReasonMergeConflict) {
			settle = sentence.SettleAtTerminal(r.mergedFrom, r.Upstream)
			if r.offers(command.Resolve) {
				settle += " `/tenon resolve` settles it here."
			}
		}
	}
	left := room - utf8.RuneCountInString(settle) - foldRoom
	for i, row := range r.Results {
		detail := markdown.Plain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
		if row.Reason != string(edit.ReasonMergeConflict) {
			detail = r.fault(row)
		}
		line := fmt.Sprintf("- %s: %s\n", r.placeLink(row, markdown.Code), detail)
		if left -= utf8.RuneCountInString(line); left < 0 {
			text += fmt.Sprintf("- … and %d more%s\n", len(r.Results)-i, r.elsewhere())
			break
		}
		text += line
	}
	text = markdown.JoinSections([]string{strings.TrimSuffix(text, "\n"), settle})
	return text, room - size(text)
}
