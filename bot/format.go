package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// format returns the format to ask a model for. The command counts more than the settings, and these more than the
// server's of the model.
func (p prompter) format(ctx context.Context, model port.ModelInfo) (string, error) {
	usual := cmp.Or(model.Format, prompts.FormatFor(model.Name))
	chosen := cmp.Or(p.options.Format, p.policy.Format)
	if chosen == "" && model.AutoFormat {
		chosen = prompts.AutoFormat
	}
	switch {
	case chosen != prompts.AutoFormat:
		return cmp.Or(chosen, usual), nil
	case p.formats == nil:
		return usual, nil
	}
	counts, err := p.formats.FormatsOf(ctx, model.Name)
	if err != nil {
		return "", fmt.Errorf("reading in which formats %s writes: %w", model.Name, err)
	}
	return bestFormat(counts, usual), nil
}

// minFormatBlocks is how many edits a model must have written in a format before it is asked for that.
const minFormatBlocks = 20

// bestFormat returns the format in which the largest share of a model's edits was applied; of equal ones, that with
// more edits. It is the usual one if none has enough edits, and also if that is read as the best one is.
func bestFormat(counts []port.FormatCount, usual string) string {
	best, most := usual, port.FormatCount{}
	infos := engine.Formats()
	for _, c := range counts {
		i := slices.IndexFunc(infos, func(f engine.FormatInfo) bool { return string(f.ParsesAs) == c.Format })
		better := cmp.Or(cmp.Compare(c.Applied*most.Blocks, most.Applied*c.Blocks), cmp.Compare(c.Blocks, most.Blocks)) > 0
		if i < 0 || c.Blocks < minFormatBlocks || c.Applied == 0 || !better {
			continue
		}
		best, most = infos[i].Name, c
		if slices.ContainsFunc(infos, func(f engine.FormatInfo) bool {
			return f.Name == usual && f.ParsesAs == infos[i].ParsesAs
		}) {
			best = usual
		}
	}
	return best
}
