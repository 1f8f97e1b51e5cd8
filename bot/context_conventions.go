package bot

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/prompts"
)

// conventionNames are the files in which projects tell models how they work.
var conventionNames = []string{"AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"}

// Bounds on conventions, in bytes.
const (
	maxConvention  = 8 << 10
	maxConventions = 12 << 10
)

// conventions are the project's own, from its default branch: what a pull request says of them counts when it is merged.
func (s *session) conventions(ctx context.Context) ([]prompts.Convention, error) {
	ref := "HEAD"
	if s.ev.Repo.DefaultBranch != "" {
		ref = "refs/heads/" + s.ev.Repo.DefaultBranch
	}
	base, err := s.Repos.Open(ctx, s.ev.Repo, ref, "", conventionNames...)
	if errors.Is(err, ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the default branch: %w", err)
	}
	if err := base.Load(ctx, conventionNames...); err != nil {
		return nil, fmt.Errorf("loading the project's conventions: %w", err)
	}
	var out []prompts.Convention
	room := maxConventions
	for _, name := range conventionNames {
		data, err := base.ReadFile(name)
		if err != nil || hiddenText(data) != "" || room == 0 {
			continue // there is none, or none that can be shown
		}
		text := clipBytes(redacted(shownText(string(data))), min(maxConvention, room))
		if text == "" || len(out) > 0 && out[0].Text == text {
			continue
		}
		room -= min(room, len(text))
		out = append(out, prompts.Convention{Path: name, Text: text})
	}
	return out, nil
}
