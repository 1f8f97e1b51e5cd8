package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// offer keeps what could not be pushed for people to take over: as a patch, and as suggestions on the pull request's
// diff.
func (c committer) offer(ctx context.Context, head record.Target, checkout repo.Checkout,
	made *record.Committed) error {
	changes, err := c.fileChanges(ctx, head, checkout)
	if err != nil {
		return err
	}
	made.Patch = report.MakePatch(changes)
	diff, err := changedFiles(ctx, c.github, c.ev.Repo, head.Pull)
	if err != nil {
		return err
	}
	made.Notes, made.Unoffered = report.Suggestions(changes, diff)
	return nil
}

// keepPatch keeps it as a patch alone.
func (c committer) keepPatch(ctx context.Context, head record.Target, checkout repo.Checkout,
	made *record.Committed) error {
	changes, err := c.fileChanges(ctx, head, checkout)
	made.Patch = report.MakePatch(changes)
	return err
}

// fileChanges are the files that were staged, as they were and as they are to be.
func (c committer) fileChanges(ctx context.Context, head record.Target, checkout repo.Checkout) ([]report.FileChange,
	error) {
	staged, err := checkout.Changes()
	if err != nil {
		return nil, fmt.Errorf("listing what was staged: %w", err)
	}
	names := make([]string, len(staged))
	for i, s := range staged {
		names[i] = s.Path
	}
	before, err := c.files.branches().open(ctx, head, checkout.SHA(), names...)
	if err != nil {
		return nil, err
	}
	if err := before.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading %d files: %w", len(names), err)
	}
	out := make([]report.FileChange, len(staged))
	for i, s := range staged {
		old, err := before.ReadFile(s.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading %s: %w", s.Path, err)
		}
		out[i] = report.FileChange{Path: s.Path, Before: old, After: s.Data, Executable: s.Mode == "100755"}
	}
	return out, nil
}

// suggest puts the suggestions on the diff, once, and returns what the answer tells of them. What they say is in the
// answer's patch too, so if GitHub takes none, because the diff has changed meanwhile, that is logged, no more.
func (c committer) suggest(ctx context.Context, head record.Target, made record.Committed) (record.Committed, error) {
	if len(made.Notes) == 0 {
		return made, nil
	}
	review, err := record.Do(ctx, c.journal, record.Suggested, func() (record.AnswerComment, error) {
		return c.suggestOnce(ctx, head, made)
	})
	if review.Comment == 0 {
		made.Notes, made.Unoffered = nil, made.Unoffered+len(made.Notes)
	}
	return made, err
}

func (c committer) suggestOnce(ctx context.Context, head record.Target, made record.Committed) (record.AnswerComment,
	error) {
	marker := fmt.Sprintf("<!-- tenon:suggestions=%s -->", c.messages.run)
	find := func() (port.Comment, bool, error) {
		at := port.Place{Number: head.Pull, Kind: port.Review}
		return c.github.FindComment(ctx, c.ev.Repo, at, marker, c.ev.Received.Add(-clockSkew))
	}
	if c.journal.Record().Resumed {
		if found, exists, err := find(); err != nil || exists {
			return record.AnswerComment{Kind: port.Review, Comment: found.ID, URL: found.URL}, err
		}
	}
	body := report.SuggestionSentence(len(made.Notes), made.Unoffered) + "\n\n" + marker
	review, err := c.github.Suggest(ctx, c.ev.Repo, head.Pull, made.Base, body, made.Notes)
	if failed := err; failed != nil {
		c.log.WarnContext(ctx, "suggestions not made", "error", failed)
		var exists bool
		if review, exists, err = find(); err != nil { // only the response may be lost
			return record.AnswerComment{}, fmt.Errorf("looking for the suggestions: %w", err)
		}
		var wait *port.WaitError
		if !exists && errors.As(failed, &wait) && !permanent(failed) {
			return record.AnswerComment{}, fmt.Errorf("making suggestions: %w", failed)
		}
	}
	return record.AnswerComment{Kind: port.Review, Comment: review.ID, URL: review.URL}, nil
}
