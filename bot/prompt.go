package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// gather chooses the files and writes the request.
func (s *session) buildPrompt(ctx context.Context, head record.Target, what task) (record.Prompt, error) {
	var checkout repo.Checkout
	var changed []port.ChangedFile
	var conventions []prompts.Convention
	var remarks []prompts.Remark
	// None needs another's answer, and each waits for GitHub.
	err := together(
		func() (err error) { checkout, err = s.checkoutOrTip(ctx, head); return err },
		func() (err error) { changed, err = s.changedFiles(ctx, head.Pull); return err },
		func() (err error) {
			conventions, err = retrieve.Conventions(ctx, s.Repos, s.ev.Repo, head.Base, s.policy)
			return err
		},
		func() (err error) { remarks, err = s.comments(ctx, head); return err },
	)
	if err != nil {
		return record.Prompt{}, err
	}
	model, err := s.model()
	if err != nil {
		return record.Prompt{}, err
	}
	q := record.Prompt{Kind: what.kind, Base: checkout.SHA(), Format: cmp.Or(s.inv.Options.Format, s.policy.Format, model.Format, prompts.FormatFor(model.Name))}
	q.Reviews, q.MoreReviews = what.reviews.kept, what.reviews.more
	found, err := retrieve.Select(ctx, checkout, s.query(head, what, changed), retrieve.ContextBytes(model))
	if err != nil {
		return record.Prompt{}, err
	}
	q.Selection = found.Selection
	system, user := what.write(prompts.Input{
		Format:      q.Format,
		Conventions: conventions,
		Files:       found.Files,
		Listings:    found.Listings,
		Missing:     found.Missing,
		Thread:      remarks,
		Title:       secret.Redacted(markdown.Shown(head.Title)),
		Task:        secret.Redacted(markdown.Shown(what.text)),
		Place:       s.place(),
		Hunk:        secret.Redacted(s.hunk()),
		Retry:       what.retry,
		Reviews:     what.reviews.shown,
		Nonce:       s.Run.ID,
	})
	q.Request = port.Request{System: system, Messages: []port.Message{{Role: "user", Text: user}}}
	return q, nil
}

// query is what files are selected for.
func (s *session) query(head record.Target, what task, changed []port.ChangedFile) retrieve.Query {
	return retrieve.Query{
		Repos: s.Repos, Repo: s.ev.Repo, Branch: head.Branch, Policy: s.policy, Comment: s.about(), Page: s.ev.Thread.URL,
		Options: s.inv.Options.Files, Task: what.files, Texts: append(what.sources, head.Title, head.About), Changed: changed,
	}
}

// changedFiles are those of a pull request; none where there is no pull request.
func (s *session) changedFiles(ctx context.Context, pull int) ([]port.ChangedFile, error) {
	if pull == 0 {
		return nil, nil
	}
	changed, err := s.GitHub.ChangedFiles(ctx, s.ev.Repo, pull)
	if err != nil {
		return nil, fmt.Errorf("listing the files of pull request %d: %w", pull, err)
	}
	return changed, nil
}

// spot says, for a comment on a line of the diff, where it stood when it was written.
func (s *session) place() string {
	c := s.about()
	switch {
	case c.Path == "" || markdown.Unprintable(c.Path):
		return ""
	case c.Line == 0:
		return c.Path
	case c.StartLine != 0 && c.StartLine != c.Line:
		return fmt.Sprintf("%s, lines %d to %d", c.Path, c.StartLine, c.Line)
	default:
		return fmt.Sprintf("%s, line %d", c.Path, c.Line)
	}
}

// maxHunk bounds what is shown of the diff that a comment stands at, in bytes: its last lines, which are commented on.
const maxHunk = 3000

func (s *session) hunk() string {
	hunk := s.about().Hunk
	if retrieve.Hides(s.policy, s.about().Path) != "" {
		return ""
	}
	return strings.ToValidUTF8(hunk[max(0, len(hunk)-maxHunk):], "")
}

// checkout opens the repository at a commit; the steps of one attempt share it as long as they want the same one.
func (s *session) checkout(ctx context.Context, ref, sha string) (repo.Checkout, error) {
	if s.opened != nil && s.opened.SHA() == sha {
		return s.opened, nil
	}
	c, err := s.Repos.Open(ctx, s.ev.Repo, ref, sha, s.likelyFiles()...)
	if err != nil {
		return nil, err
	}
	s.opened = c
	return c, nil
}

// maxLikely bounds the files that are fetched on suspicion.
const maxLikely = 20

// likely are files that the comment seems to name, so that they can come with the commit: whether they are there is seen later.
func (s *session) likelyFiles() []string {
	names := slices.Clone(s.inv.Options.Files)
	if path := s.about().Path; path != "" {
		names = append(names, path)
	}
	for _, r := range retrieve.FindReferences(markdown.Shown(s.about().Body)) {
		for _, name := range r.Names {
			if len(names) < maxLikely && retrieve.LooksLikePath(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// checkoutOrTip opens the pinned commit, or where the branch stands now when a push by force has taken that commit away.
func (s *session) checkoutOrTip(ctx context.Context, head record.Target) (repo.Checkout, error) {
	c, err := s.checkout(ctx, head.Ref(), head.SHA)
	if errors.Is(err, port.ErrMoved) {
		return s.tip(ctx, head)
	}
	return c, err
}

// tip opens the branch where it stands now, by git: GitHub's API may lag behind a push.
func (s *session) tip(ctx context.Context, head record.Target) (repo.Checkout, error) {
	c, err := s.Repos.Open(ctx, s.ev.Repo, head.Ref(), "", s.likelyFiles()...)
	if errors.Is(err, port.ErrNotFound) {
		return nil, &port.UserError{Text: fmt.Sprintf("The branch %s was deleted meanwhile, so nothing was committed.", markdown.Code(head.Branch))}
	}
	if err != nil {
		return nil, err
	}
	s.opened = c
	return c, nil
}

// together does several things at once and returns the first error, in the order of the functions.
func together(do ...func() error) error {
	errs := make([]error, len(do))
	var all sync.WaitGroup
	for i, f := range do {
		all.Go(func() { errs[i] = f() })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
