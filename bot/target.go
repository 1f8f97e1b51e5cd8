package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
)

// target is the branch that a run works on, pinned to a commit.
type target struct {
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
	// Title is that of the issue or pull request.
	Title string `json:"title"`
	// About is the text of the issue, Author who wrote it.
	About  string `json:"about,omitempty"`
	Author User   `json:"author,omitzero"`
	// Base is the branch that Branch is to be merged into.
	Base string `json:"base,omitempty"`
	// Pull is the branch's pull request; 0 when there is none yet.
	Pull    int    `json:"pull,omitempty"`
	PullURL string `json:"pull_url,omitempty"`
	// Unopened is why GitHub opens no pull request for it, in GitHub's words.
	Unopened string `json:"unopened,omitempty"`
	// New says that the branch is yet to be made, and From the ref that the work starts from: the base of a new branch, or
	// where GitHub keeps the head of a fork's pull request. Empty is the branch itself.
	New  bool   `json:"new,omitempty"`
	From string `json:"from,omitempty"`
	// Fork is where the branch is, when that is another repository; ReadOnly says why tenon cannot write there.
	Fork     *RepoRef `json:"fork,omitempty"`
	ReadOnly string   `json:"read_only,omitempty"`
}

// ref is the full name of the ref that holds, or held, SHA.
func (t target) ref() string { return cmp.Or(t.From, "refs/heads/"+t.Branch) }

// open pins what the run works on, or says why nothing can be done here.
func (s *session) open(ctx context.Context) (target, error) {
	if s.ev.Repo.Archived {
		return target{}, isArchived.userError()
	}
	if s.ev.Thread.Pull {
		return s.openPull(ctx)
	}
	return s.openIssue(ctx)
}

func (s *session) openPull(ctx context.Context) (target, error) {
	pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, s.ev.Thread.Number)
	if errors.Is(err, ErrNotFound) {
		return target{}, &UserError{fmt.Sprintf("Pull request %d is not there any more, so nothing was done.", s.ev.Thread.Number)}
	}
	if err != nil {
		return target{}, fmt.Errorf("reading pull request %d: %w", s.ev.Thread.Number, err)
	}
	over := pull.State != "open"
	if s.inv.command.Reads {
		pull.State, pull.Merged = "open", false // what is closed can be read
	}
	if why := closedPull(pull); why != (closed{}) {
		return target{}, why.userError()
	}
	t := target{Branch: pull.Head.Branch, SHA: pull.Head.SHA, Title: pull.Title, Base: pull.Base, Pull: pull.Number, PullURL: pull.URL}
	if over { // its branch may be gone
		t.From = fmt.Sprintf("refs/pull/%d/head", pull.Number)
	}
	if pull.Head.Repo.ID != s.ev.Repo.ID {
		t.From = fmt.Sprintf("refs/pull/%d/head", pull.Number)
		t.Fork, t.ReadOnly = &pull.Head.Repo, readOnly(pull)
	}
	return t, nil
}

// readOnly says why tenon cannot write to the fork that the pull request comes from.
func readOnly(p PullRequest) string {
	switch {
	case p.Head.Repo.ID == 0:
		return "the fork that this pull request comes from was deleted"
	case !p.Head.User:
		return "the fork belongs to an organisation, and GitHub lets nobody else write to such forks"
	case !p.Maintainable:
		return "the author has not allowed edits by maintainers (a box at the side of the pull request)"
	}
	return ""
}

// maxBranches is how many branches one issue can have: each is taken anew only when the pull request of the former is closed.
const maxBranches = 20

// openIssue finds the issue's branch: that of its open pull request, else a new one.
func (s *session) openIssue(ctx context.Context) (target, error) {
	number := s.ev.Thread.Number
	issue, repo, err := s.issue(ctx)
	if errors.Is(err, ErrNotFound) {
		return target{}, &UserError{fmt.Sprintf("Issue %d is not there any more, so nothing was done.", number)}
	}
	if err != nil {
		return target{}, fmt.Errorf("reading issue %d: %w", number, err)
	}
	if s.inv.command.Reads {
		issue.State = "open" // what is closed can be read
	}
	if why := closedIssue(issue, repo); why != (closed{}) {
		return target{}, why.userError()
	}
	s.ev.Repo = repo
	t := target{Title: issue.Title, About: issue.Body, Author: issue.Author, Base: cmp.Or(s.inv.options.base, s.policy.Base, repo.DefaultBranch)}
	for i := range maxBranches {
		t.Branch = fmt.Sprintf("tenon/issue-%d", number)
		if i > 0 {
			t.Branch += fmt.Sprintf("-%d", i+1)
		}
		pull, ok, err := s.GitHub.FindPull(ctx, repo, t.Branch)
		if err != nil {
			return target{}, fmt.Errorf("looking for the pull request of %s: %w", t.Branch, err)
		}
		if ok && closedPull(pull) == (closed{}) {
			return s.continuing(t, pull)
		}
		if !ok {
			return s.starting(ctx, t)
		}
	}
	return target{}, &UserError{fmt.Sprintf("This issue has had %d pull requests by tenon, all closed. Delete some of the branches `tenon/issue-%d-…`, and give the command again.", maxBranches, number)}
}

// continuing is the branch of an open pull request.
func (s *session) continuing(t target, pull PullRequest) (target, error) {
	if base := s.inv.options.base; base != "" && base != pull.Base {
		return target{}, &UserError{fmt.Sprintf("The pull request of this issue, #%d, goes to %s. Close it to start again from %s.", pull.Number, codeSpan(pull.Base), codeSpan(base))}
	}
	t.SHA, t.Base, t.Pull, t.PullURL = pull.Head.SHA, pull.Base, pull.Number, pull.URL
	return t, nil
}

// starting is a branch without a pull request: left by a run that died, or new.
func (s *session) starting(ctx context.Context, t target) (target, error) {
	c, err := s.Repos.Open(ctx, s.ev.Repo, t.ref(), "", s.likely()...)
	if errors.Is(err, ErrNotFound) {
		t.New, t.From = true, "refs/heads/"+t.Base
		if s.inv.command.Reads { // no branch will be made
			t.New, t.Branch = false, t.Base
		}
		c, err = s.Repos.Open(ctx, s.ev.Repo, t.From, "", s.likely()...)
	}
	if errors.Is(err, ErrNotFound) {
		return target{}, &UserError{fmt.Sprintf("There is no branch %s to start from. Name another by `--base`.", codeSpan(t.Base))}
	}
	if err != nil {
		return target{}, err
	}
	s.opened, t.SHA = c, c.SHA()
	return t, nil
}
