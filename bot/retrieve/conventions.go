package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// ConventionNames are the files in which projects tell models how they work.
var ConventionNames = []string{"AGENTS.md", "CLAUDE.md", ".github/copilot-instructions.md"}

// Bounds on conventions, in bytes.
const (
	maxConvention  = 8 << 10
	maxConventions = 12 << 10
)

// Conventions returns the instructions of the settings, and the project's own files as they are on base, the branch
// that the work is to be merged into: what a pull request says of them counts when it is merged. An empty base is the
// default branch. tip is the commit that base pointed to a moment ago; empty if that is unknown.
func Conventions(
	ctx context.Context, repos repo.Opener, at port.RepoRef, base, tip string, p policy.Policy,
) ([]prompts.Convention, error) {
	out := instructions(p)
	ref := repo.DefaultRef
	if base = cmp.Or(base, at.DefaultBranch); base != "" {
		ref = "refs/heads/" + base
	}
	checkout, err := repos.Open(ctx, at, ref, tip, ConventionNames...)
	if errors.Is(err, port.ErrMoved) {
		checkout, err = repos.Open(ctx, at, ref, "", ConventionNames...)
	}
	if errors.Is(err, port.ErrNotFound) {
		return out, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the base branch: %w", err)
	}
	if err := checkout.Load(ctx, ConventionNames...); err != nil {
		return nil, fmt.Errorf("loading the project's conventions: %w", err)
	}
	return append(out, conventionFiles(checkout)...), nil
}

// instructions returns those of the settings, of the highest origin first.
func instructions(p policy.Policy) (out []prompts.Convention) {
	for _, i := range p.Instructions {
		if text := secret.Redacted(markdown.Shown(secret.Redacted(i.Text))); text != "" {
			out = append(out, prompts.Convention{Path: "of the " + string(i.Origin), Text: text})
		}
	}
	return out
}

// conventionFiles returns the files of a checkout that may be shown, as far as there is room.
func conventionFiles(checkout repo.Checkout) (out []prompts.Convention) {
	room := maxConventions
	for _, name := range ConventionNames {
		data, err := checkout.ReadFile(name)
		if err != nil || withheldText(data) != "" || room == 0 {
			continue
		}
		text := markdown.ClipBytes(secret.Redacted(markdown.Shown(secret.Redacted(string(data)))), min(maxConvention, room))
		if text == "" || len(out) > 0 && out[0].Text == text {
			continue
		}
		room -= min(room, len(text))
		out = append(out, prompts.Convention{Path: name, Text: text})
	}
	return out
}
