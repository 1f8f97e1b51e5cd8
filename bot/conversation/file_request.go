package conversation

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxFileRequests is how many files a model may ask for. It may ask once.
const maxFileRequests = 5

// FileRequests returns the files that an answer asks for, by lines such as "NEED: server/start.go".
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

// ExtendPrompt returns the first prompt with the files added that the model was shown later.
func (c Conversation) ExtendPrompt(p record.Prompt) record.Prompt {
	p.Shown, p.ReadOnly = maps.Clone(p.Shown), maps.Clone(p.ReadOnly)
	p.Files, p.LeftOut = slices.Clone(p.Files), slices.Clone(p.LeftOut)
	for _, turn := range c.Turns {
		if turn.More == nil {
			continue
		}
		p.Shown = merged(p.Shown, turn.More.Shown)
		p.ReadOnly = merged(p.ReadOnly, turn.More.ReadOnly)
		p.Files = append(p.Files, turn.More.Files...)
		p.LeftOut = append(p.LeftOut, turn.More.LeftOut...)
	}
	return p
}

// merged adds the entries of another map to a map, which may be nil: a recorded prompt has no empty maps.
func merged(m, more map[string]string) map[string]string {
	if m == nil && len(more) > 0 {
		m = map[string]string{}
	}
	maps.Copy(m, more)
	return m
}
