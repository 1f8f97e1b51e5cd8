package bot

import (
	"context"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// keepConflicts keeps the edits of files that got other changes in the same lines, as a patch for the files that the
// edits were written for: git merges it, where people can decide what tenon does not guess.
func (c committer) keepConflicts(ctx context.Context, head record.Target, ch change, commit *record.Committed) error {
	var files []string
	for _, res := range commit.Results {
		if res.Reason == string(engine.Conflict) && !slices.Contains(files, res.Path) {
			files = append(files, res.Path)
		}
	}
	if len(files) == 0 || ch.apart == nil {
		return nil
	}
	rows := slices.Clone(commit.Results)
	for i := range rows {
		if !slices.Contains(files, rows[i].Path) {
			rows[i].Path = ""
		}
	}
	checkout, err := ch.apart(ctx, rows, c.policy)
	if checkout == nil || err != nil {
		return err
	}
	changes, err := c.fileChanges(ctx, head, checkout)
	if err != nil {
		return err
	}
	commit.Conflicts = report.MakeMergePatch(changes)
	return nil
}

// editsApart makes those edits of a conversation whose results name a file, on the commit that they were written for:
// where they are for several, on that of the first.
func (m changer) editsApart(ctx context.Context, j conversation.Job, seen versions, results []record.Result,
	p policy.Policy) (repo.Checkout, error) {
	var blocks []engine.Block
	var names []string
	base := ""
	for i, b := range j.Conversation.Blocks() {
		if i >= len(results) || results[i].Path == "" {
			continue
		}
		if at := seen.at(results[i].Path); base == "" || at == base {
			base, blocks, names = at, append(blocks, b), append(names, results[i].Path)
		}
	}
	if len(blocks) == 0 || base == "" {
		return nil, nil
	}
	before, err := m.files.branches().open(ctx, j.Target, base, names...)
	if repo.IsGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = applyBlocks(ctx, before, blocks,
		applyOptions{policy: p, masked: m.files.masked, shown: seen.prompt.Selection, allow: anyFile})
	return before, err
}
