package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/prompts"
)

// question is what the model is asked, and what it was shown for it.
type question struct {
	Request Request `json:"request"`
	// Format is the edit format that the model was asked for.
	Format string `json:"format,omitempty"`
	// Kind is what the model is asked for; empty means edits.
	Kind turnKind `json:"kind,omitempty"`
	// Base is the commit whose files were shown.
	Base string `json:"base"`
	Selection
	// Reviews are the threads that the model was asked to settle, MoreReviews how many there are beside those.
	Reviews     []reviewThread `json:"reviews,omitempty"`
	MoreReviews int            `json:"more_reviews,omitempty"`
}

type shownFile struct {
	Path  string `json:"path"`
	Why   string `json:"why"`
	Score int    `json:"score"`
	// Parts are the lines that were shown, none when all were; Lines is how many there are.
	Parts []span `json:"parts,omitempty"`
	Lines int    `json:"lines"`
}

type leftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// gather chooses the files and writes the request.
func (s *session) gather(ctx context.Context, head target, what task) (question, error) {
	var checkout Checkout
	var changed []ChangedFile
	var conventions []prompts.Convention
	var remarks []prompts.Remark
	// None needs another's answer, and each waits for GitHub.
	err := together(
		func() (err error) { checkout, err = s.checkoutOrTip(ctx, head); return err },
		func() (err error) { changed, err = s.changedFiles(ctx, head.Pull); return err },
		func() (err error) {
			conventions, err = Conventions(ctx, s.Repos, s.ev.Repo, head.Base, s.policy)
			return err
		},
		func() (err error) { remarks, err = s.remarks(ctx, head); return err },
	)
	if err != nil {
		return question{}, err
	}
	model, err := s.model()
	if err != nil {
		return question{}, err
	}
	q := question{Kind: what.kind, Base: checkout.SHA(), Format: cmp.Or(s.inv.options.format, s.policy.Format, model.Format, prompts.FormatFor(model.Name))}
	q.Reviews, q.MoreReviews = what.reviews.kept, what.reviews.more
	found, err := Select(ctx, checkout, s.query(head, what, changed), contextBytes(model))
	if err != nil {
		return question{}, err
	}
	q.Selection = found.Selection
	system, user := what.write(prompts.Input{
		Format:      q.Format,
		Conventions: conventions,
		Files:       found.Files,
		Listings:    found.Listings,
		Missing:     found.Missing,
		Thread:      remarks,
		Title:       redacted(shownText(head.Title)),
		Task:        redacted(shownText(what.text)),
		Place:       s.spot(),
		Hunk:        redacted(s.hunk()),
		Retry:       what.retry,
		Reviews:     what.reviews.shown,
		Nonce:       s.run.ID,
	})
	q.Request = Request{System: system, Messages: []Message{{Role: "user", Text: user}}}
	return q, nil
}

// query is what files are selected for.
func (s *session) query(head target, what task, changed []ChangedFile) Query {
	return Query{
		Repos: s.Repos, Repo: s.ev.Repo, Branch: head.Branch, Policy: s.policy, Comment: s.about(), Page: s.ev.Thread.URL,
		Options: s.inv.options.files, Task: what.files, Texts: append(what.sources, head.Title, head.About), Changed: changed,
	}
}

// changedFiles are those of a pull request; none where there is no pull request.
func (s *session) changedFiles(ctx context.Context, pull int) ([]ChangedFile, error) {
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
func (s *session) spot() string {
	c := s.about()
	switch {
	case c.Path == "" || unprintable(c.Path):
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
	if hides(s.policy, s.about().Path) != "" {
		return ""
	}
	return strings.ToValidUTF8(hunk[max(0, len(hunk)-maxHunk):], "")
}

// checkout opens the repository at a commit; the steps of one attempt share it as long as they want the same one.
func (s *session) checkout(ctx context.Context, ref, sha string) (Checkout, error) {
	if s.opened != nil && s.opened.SHA() == sha {
		return s.opened, nil
	}
	c, err := s.Repos.Open(ctx, s.ev.Repo, ref, sha, s.likely()...)
	if err != nil {
		return nil, err
	}
	s.opened = c
	return c, nil
}

// maxLikely bounds the files that are fetched on suspicion.
const maxLikely = 20

// likely are files that the comment seems to name, so that they can come with the commit: whether they are there is seen later.
func (s *session) likely() []string {
	names := slices.Clone(s.inv.options.files)
	if path := s.about().Path; path != "" {
		names = append(names, path)
	}
	for _, r := range findReferences(shownText(s.about().Body)) {
		for _, name := range r.names {
			if len(names) < maxLikely && looksLikePath(name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// checkoutOrTip opens the pinned commit, or where the branch stands now when a push by force has taken that commit away.
func (s *session) checkoutOrTip(ctx context.Context, head target) (Checkout, error) {
	c, err := s.checkout(ctx, head.ref(), head.SHA)
	if errors.Is(err, ErrMoved) {
		return s.tip(ctx, head)
	}
	return c, err
}

// tip opens the branch where it stands now, by git: GitHub's API may lag behind a push.
func (s *session) tip(ctx context.Context, head target) (Checkout, error) {
	c, err := s.Repos.Open(ctx, s.ev.Repo, head.ref(), "", s.likely()...)
	if errors.Is(err, ErrNotFound) {
		return nil, &UserError{fmt.Sprintf("The branch %s was deleted meanwhile, so nothing was committed.", codeSpan(head.Branch))}
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
