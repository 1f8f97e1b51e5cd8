package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// need gathers files that the model asked for, under the rules for those of a comment, in half of their room. It returns what
// they add to the question, and what the model is told, which is to answer a question or else to edit.
func (s *session) requestedFiles(ctx context.Context, head record.Target, names []string, asked bool) (record.Prompt, string, error) {
	checkout, err := s.checkoutOrTip(ctx, head)
	if err != nil {
		return record.Prompt{}, "", err
	}
	files, more, err := retrieve.Requested(ctx, checkout, s.query(head, task{}, nil), names)
	if err != nil {
		return record.Prompt{}, "", err
	}
	in := prompts.NeedInput{Nonce: s.Run.ID, Asked: asked, Files: files}
	for _, l := range more.LeftOut {
		in.Withheld = append(in.Withheld, prompts.Withheld{Path: l.Path, Why: l.Why})
	}
	return record.Prompt{Selection: more}, prompts.Need(in), nil
}
