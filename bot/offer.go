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

// offer keeps what could not be pushed for people to take over: as a patch, and as suggestions on the pull request's diff.
func (s *session) offer(ctx context.Context, head record.Target, checkout repo.Checkout, made *record.Committed) error {
	changes, err := s.fileChanges(ctx, head, checkout)
	if err != nil {
		return err
	}
	made.Patch = report.MakePatch(changes)
	diff, err := s.changedFiles(ctx, head.Pull)
	if err != nil {
		return err
	}
	made.Notes, made.Unoffered = report.Suggested(changes, diff)
	return nil
}

// keep keeps it as a patch alone.
func (s *session) keepPatch(ctx context.Context, head record.Target, checkout repo.Checkout, made *record.Committed) error {
	changes, err := s.fileChanges(ctx, head, checkout)
	made.Patch = report.MakePatch(changes)
	return err
}

// fileChanges are the files that were staged, as they were and as they are to be.
func (s *session) fileChanges(ctx context.Context, head record.Target, checkout repo.Checkout) ([]report.FileChange, error) {
	staged, err := checkout.Changes()
	if err != nil {
		return nil, fmt.Errorf("listing what was staged: %w", err)
	}
	names := make([]string, len(staged))
	for i, c := range staged {
		names[i] = c.Path
	}
	before, err := s.Repos.Open(ctx, s.ev.Repo, head.Ref(), checkout.SHA(), names...)
	if err != nil {
		return nil, err
	}
	if err := before.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading %d files: %w", len(names), err)
	}
	out := make([]report.FileChange, len(staged))
	for i, c := range staged {
		old, err := before.ReadFile(c.Path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("reading %s: %w", c.Path, err)
		}
		out[i] = report.FileChange{Path: c.Path, Before: old, After: c.Data, Executable: c.Mode == "100755"}
	}
	return out, nil
}

// suggest puts the suggestions on the diff, once, and returns what is told of them. What they say stands in the answer's patch
// too, so a diff that has changed meanwhile, of which GitHub takes none, is logged and no more.
func (s *session) suggest(ctx context.Context, head record.Target, made record.Committed) (record.Committed, error) {
	if len(made.Notes) == 0 {
		return made, nil
	}
	said, err := record.Do(ctx, s.Journal, "suggest", func() (record.AnswerComment, error) { return s.suggestOnce(ctx, head, made) })
	if said.Comment == 0 {
		made.Notes, made.Unoffered = nil, made.Unoffered+len(made.Notes)
	}
	return made, err
}

func (s *session) suggestOnce(ctx context.Context, head record.Target, made record.Committed) (record.AnswerComment, error) {
	marker := fmt.Sprintf("<!-- tenon:suggestions=%s -->", s.Run.ID)
	find := func() (port.Comment, bool, error) {
		return s.GitHub.FindComment(ctx, s.ev.Repo, port.Place{Number: head.Pull, Kind: port.Review}, marker, s.ev.Received.Add(-clockSkew))
	}
	if s.resumed() {
		if c, stands, err := find(); err != nil || stands {
			return record.AnswerComment{Kind: port.Review, Comment: c.ID, URL: c.URL}, err
		}
	}
	c, err := s.GitHub.Suggest(ctx, s.ev.Repo, head.Pull, made.Base, report.SuggestedWords(len(made.Notes), made.Unoffered)+"\n\n"+marker, made.Notes)
	if err != nil {
		s.log.WarnContext(ctx, "suggestions not made", "error", err)
		if c, _, err = find(); err != nil { // only the answer to it may have been lost
			return record.AnswerComment{}, fmt.Errorf("looking for the suggestions: %w", err)
		}
	}
	return record.AnswerComment{Kind: port.Review, Comment: c.ID, URL: c.URL}, nil
}
