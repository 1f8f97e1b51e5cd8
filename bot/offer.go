package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// offer keeps what could not be pushed for people to take over: as a patch, and as suggestions on the pull request's
// diff.
func (c committer) offer(ctx context.Context, head record.Target, checkout repo.Checkout,
	commit *record.Committed) error {
	if c.journal.Record().Merges() { // git makes it again
		return nil
	}
	changes, err := c.fileChanges(ctx, head, checkout)
	if err != nil {
		return err
	}
	commit.Patch = report.MakePatch(changes)
	if head.Pull == 0 || !c.github.Has(port.FeatureSuggestions) {
		return nil
	}
	diff, err := changedFiles(ctx, c.github, c.ev.Repo, head.Pull)
	if err != nil {
		return err
	}
	commit.Notes, commit.Unoffered = report.Suggestions(changes, diff)
	return nil
}

// offerOnly is offer for what is not pushed. If that is because of the branch, another one may take it.
func (c committer) offerOnly(ctx context.Context, head record.Target, checkout repo.Checkout,
	commit *record.Committed) (err error) {
	if commit.Unpushed == head.ReadOnly {
		if commit.Staged, err = offerable(head, checkout, nil); err != nil {
			return err
		}
	}
	return c.offer(ctx, head, checkout, commit)
}

// keepPatch keeps it as a patch alone.
func (c committer) keepPatch(ctx context.Context, head record.Target, checkout repo.Checkout,
	commit *record.Committed) error {
	if c.journal.Record().Merges() {
		return nil
	}
	changes, err := c.fileChanges(ctx, head, checkout)
	commit.Patch = report.MakePatch(changes)
	return err
}

// fileChanges are the files that were staged, as they were and as they are to be.
func (c committer) fileChanges(ctx context.Context, head record.Target, checkout repo.Checkout) ([]report.FileChange,
	error) {
	staged, err := stagedIn(ctx, checkout)
	if err != nil {
		return nil, err
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
	hidden := map[string]bool{} // the bytes of files of which nothing is shown, which may have been moved
	for i, s := range staged {
		old, err := before.ReadFile(s.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading %s: %w", s.Path, err)
		}
		if s.Data == nil && !s.Removed() {
			s.Data = []byte{} // nil would be no file
		}
		out[i] = report.FileChange{Path: s.Path, Before: old, After: s.Data, Executable: s.Mode == "100755",
			Blobs: [2]string{s.OldBlob, s.Blob}, Mode: s.Mode,
			Secret: retrieve.SecretName(c.policy, s.Path) || policy.FitsGlob(c.policy.Ignore, s.Path)}
		if out[i].Secret && old != nil {
			hidden[string(old)] = true
		}
	}
	for i, change := range out {
		out[i].Secret = change.Secret || change.After != nil && hidden[string(change.After)]
	}
	return out, nil
}

// stagedIn lists what was staged, with the content of files that were moved without being loaded.
func stagedIn(ctx context.Context, checkout repo.Checkout) ([]port.Change, error) {
	staged, err := checkout.Changes()
	if err != nil {
		return nil, fmt.Errorf("listing what was staged: %w", err)
	}
	var names []string
	for _, s := range staged {
		if !s.Removed() && s.Data == nil {
			names = append(names, s.Path)
		}
	}
	if len(names) == 0 {
		return staged, nil
	}
	if err := checkout.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading %d files that were moved: %w", len(names), err)
	}
	if staged, err = checkout.Changes(); err != nil {
		return nil, fmt.Errorf("listing what was staged: %w", err)
	}
	return staged, nil
}

// suggest puts the suggestions on the diff, once, and returns what the answer tells of them. What they say is in the
// answer's patch too, so if GitHub takes none, because the diff has changed meanwhile, that is logged, no more.
func (c committer) suggest(ctx context.Context, head record.Target, commit record.Committed) (record.Committed, error) {
	if len(commit.Notes) == 0 {
		return commit, nil
	}
	review, err := record.Do(ctx, c.journal, record.Suggested, func(ctx context.Context) (record.AnswerComment, error) {
		return c.suggestOnce(ctx, head, commit)
	})
	if review.Comment == 0 {
		commit.Notes, commit.Unoffered = nil, commit.Unoffered+len(commit.Notes)
	}
	return commit, err
}

// findSuggestions looks for the review with the suggestions of the run.
func (c committer) findSuggestions(ctx context.Context, pull int) (port.Comment, bool, error) {
	at := port.Place{Number: pull, Kind: port.Review}
	return c.github.FindComment(ctx, c.ev.Repo, at, suggestionsMarker(c.messages.run), c.ev.Received.Add(-clockSkew))
}

func (c committer) suggestOnce(ctx context.Context, head record.Target, commit record.Committed) (record.AnswerComment,
	error) {
	find := func() (port.Comment, bool, error) { return c.findSuggestions(ctx, head.Pull) }
	if c.journal.Record().Resumed {
		if found, exists, err := find(); err != nil || exists {
			return record.AnswerComment{Kind: port.Review, Comment: found.ID, URL: found.URL}, err
		}
	}
	body := cmp.Or(c.answer, report.SuggestionSentence(len(commit.Notes), commit.Unoffered)) + "\n\n" +
		suggestionsMarker(c.messages.run)
	review, err := c.github.Suggest(ctx, c.ev.Repo, head.Pull, commit.Base, body, commit.Notes)
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

func suggestionsMarker(run string) string { return fmt.Sprintf("<!-- tenon:suggestions=%s -->", run) }
