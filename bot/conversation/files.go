package conversation

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxNeeds is how many files a model may ask for, once.
const maxFileRequests = 5

// needs are the files that a reply asks for.
func FileRequests(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.Trim(line, "*- \t\r\n"), "NEED:")
		name = strings.Trim(name, "*`\" \t")
		if ok && name != "" && !markdown.Unprintable(name) && len(out) < maxFileRequests && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// extend returns the question and what was shown after it.
func (t Conversation) Extend(q record.Prompt) record.Prompt {
	q.Shown, q.ReadOnly = maps.Clone(q.Shown), maps.Clone(q.ReadOnly)
	q.Files, q.LeftOut = slices.Clone(q.Files), slices.Clone(q.LeftOut)
	for _, turn := range t.Turns {
		if turn.More == nil {
			continue
		}
		maps.Copy(q.Shown, turn.More.Shown)
		maps.Copy(q.ReadOnly, turn.More.ReadOnly)
		q.Files = append(q.Files, turn.More.Files...)
		q.LeftOut = append(q.LeftOut, turn.More.LeftOut...)
	}
	return q
}
