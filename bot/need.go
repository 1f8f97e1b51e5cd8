package bot

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/prompts"
)

// maxNeeds is how many files a model may ask for, once.
const maxNeeds = 5

// needs are the files that a reply asks for.
func needs(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		name, ok := strings.CutPrefix(strings.Trim(line, "*- \t\r\n"), "NEED:")
		name = strings.Trim(name, "*`\" \t")
		if ok && name != "" && !unprintable(name) && len(out) < maxNeeds && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// need gathers files that the model asked for, under the rules for those of a comment, in half of their room. It returns what
// they add to the question, and what the model is told, which is to answer a question or else to edit.
func (s *session) need(ctx context.Context, head target, names []string, asked bool) (question, string, error) {
	checkout, err := s.checkoutOrTip(ctx, head)
	if err != nil {
		return question{}, "", err
	}
	files, more, err := Requested(ctx, checkout, s.query(head, task{}, nil), names)
	if err != nil {
		return question{}, "", err
	}
	in := prompts.NeedInput{Nonce: s.run.ID, Asked: asked, Files: files}
	for _, l := range more.LeftOut {
		in.Withheld = append(in.Withheld, prompts.Withheld{Path: l.Path, Why: l.Why})
	}
	return question{Selection: more}, prompts.Need(in), nil
}

// extend returns the question and what was shown after it.
func (t talk) extend(q question) question {
	q.Shown, q.ReadOnly = maps.Clone(q.Shown), maps.Clone(q.ReadOnly)
	q.Files, q.LeftOut = slices.Clone(q.Files), slices.Clone(q.LeftOut)
	for _, turn := range t.turns {
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
