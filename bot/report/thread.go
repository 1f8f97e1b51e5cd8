package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// Bounds on an answer in a review thread.
const (
	// maxThreadRemark bounds what the model says, in characters.
	maxThreadRemark = 1000
	maxThreadEdits  = 10
)

// ThreadBody returns the answer in a review thread that a run was about.
func ThreadBody(a conversation.ThreadOutcome, r Summary) string {
	said := markdown.Spans(markdown.Clip(a.Remark, maxThreadRemark))
	if len(a.Results) == 0 {
		return "**No change**: " + said
	}
	var list strings.Builder
	for _, row := range a.Results[:min(len(a.Results), maxThreadEdits)] {
		if !row.Status.Applied() {
			fmt.Fprintf(&list, "\n- %s %s: %s", r.mark(row), r.placeLink(row, markdown.Code), r.faultAndRemedy(row))
			continue
		}
		fmt.Fprintf(&list, "\n- %s %s", r.mark(row), r.placeLink(row, markdown.Code))
		if w := warning(row); w != "" {
			list.WriteString(" " + w)
		}
		if m := marks(row); m != "" {
			list.WriteString(" " + m)
		}
	}
	list.WriteString(andMore(len(a.Results), maxThreadEdits))
	text := strings.TrimPrefix(list.String(), "\n")
	if len(a.Results) == 1 {
		if text = strings.TrimPrefix(text, "- "); r.SHA != "" && a.Results[0].Status.Applied() {
			return markdown.JoinSections([]string{said, text + " in " + CommitLink(r.Links, r.SHA)})
		}
	}
	return markdown.JoinSections([]string{said, text, r.threadCommit()})
}

// mark shows in one character the result of an edit.
func (r Summary) mark(row record.Result) string {
	switch {
	case row.Status.Applied() && r.SHA == "":
		return "✅ fits:"
	case row.Status.Applied():
		return "✅"
	case needless(row):
		return "💬"
	}
	return "❌"
}

// threadCommit says where the edits of a thread are.
func (r Summary) threadCommit() string {
	switch {
	case r.SHA != "":
		return "Committed as " + CommitLink(r.Links, r.SHA) + "."
	case r.Held || r.Unpushed != "":
		return "Nothing was committed; the answer in the conversation says why."
	}
	return ""
}

// threads says in the answer of the run in how many review threads it answered as well.
func (r Summary) threads() string {
	if len(r.Addressed) == 0 {
		return ""
	}
	var silent []string
	for _, a := range r.Addressed {
		if a.Silent() {
			silent = append(silent, threadLink(a))
		}
	}
	all := len(r.Addressed)
	text := fmt.Sprintf("Answered in %d of %d review %s.", all-len(silent), all, english.PluralWord(all, "thread", ""))
	if len(silent) > 0 {
		text += " The model left out " + english.WordSeries(silent, "and") + "; `/tenon address` asks again."
	}
	if n := r.Context.MoreReviews; n > 0 {
		text += fmt.Sprintf(" %d more %s not looked at: give `/tenon address` again when these are resolved.",
			n, english.PluralWord(n, "was", "were"))
	}
	return text
}

// threadLink names a thread by its place, with a link to it.
func threadLink(a conversation.ThreadOutcome) string {
	name := markdown.Clip(a.Path, markdown.MaxCell)
	if a.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, a.Line)
	}
	if a.URL == "" {
		return markdown.Code(name)
	}
	return fmt.Sprintf("[%s](%s)", markdown.Code(name), a.URL)
}
