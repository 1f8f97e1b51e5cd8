package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// Bounds on an answer in a review thread: characters of the model's sentence, and edits.
const (
	maxThreadRemark = 1000
	maxThreadEdits  = 10
)

// threadBody says in the thread what was done about it.
func ThreadBody(a conversation.Addressed, r Summary) string {
	said := markdown.Spans(markdown.Clip(a.Remark, maxThreadRemark))
	if len(a.Rows) == 0 {
		return "**No change**: " + said
	}
	var list []string
	for _, row := range a.Rows[:min(len(a.Rows), maxThreadEdits)] {
		list = append(list, "- "+r.badge(row.Status)+": "+r.placeLink(row, markdown.Code)+because(row))
	}
	if more := len(a.Rows) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("- … and %d more", more))
	}
	return markdown.JoinSections([]string{said, strings.Join(list, "\n"), r.threadCommit()})
}

func because(r record.Result) string {
	if r.Detail == "" {
		return ""
	}
	return ". " + markdown.Plain(markdown.Clip(r.Detail, markdown.MaxCell), r.Path)
}

// threadCommit says where the edits are.
func (r Summary) threadCommit() string {
	switch {
	case r.SHA != "":
		return fmt.Sprintf("Committed as [`%.7s`](%s/commit/%s).", r.SHA, r.RepoURL, r.SHA)
	case r.Held || r.Unpushed != "":
		return "Nothing was committed; the answer in the conversation says why."
	}
	return ""
}

// threads says in the answer of the run in which review threads it answered too.
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
	text := fmt.Sprintf("Answered in %d of %d review %s.", len(r.Addressed)-len(silent), len(r.Addressed), markdown.Plural(len(r.Addressed), "thread"))
	if len(silent) > 0 {
		text += " The model said nothing about " + strings.Join(silent, ", ") + "."
	}
	if n := r.Context.MoreReviews; n > 0 {
		text += fmt.Sprintf(" %d more %s not looked at: give `/tenon address` again when these are resolved.", n, map[bool]string{true: "was", false: "were"}[n == 1])
	}
	return text
}

// threadLink names a thread by its place.
func threadLink(a conversation.Addressed) string {
	name := markdown.Clip(a.Path, markdown.MaxCell)
	if a.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, a.Line)
	}
	if a.URL == "" {
		return markdown.Code(name)
	}
	return fmt.Sprintf("[%s](%s)", markdown.Code(name), a.URL)
}
