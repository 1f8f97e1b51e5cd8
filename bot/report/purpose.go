package report

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxPurpose bounds what is shown of the purpose of an edit, in characters.
const maxPurpose = 200

// purposeText returns what the model says that an edit is for, as Markdown on one line that GitHub shows safely; empty
// if it does not say. It has no full stop at its end, since other words follow on the line.
func purposeText(r record.Result) string {
	return strings.TrimSuffix(markdown.Spans(markdown.Clip(r.Purpose, maxPurpose)), ".")
}

// joinDots joins those of the texts of a line that are not empty.
func joinDots(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), " · ")
}
