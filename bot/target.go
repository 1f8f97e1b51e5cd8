package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// open pins what the run works on, or says why nothing can be done here.
func (s *session) open(ctx context.Context) (record.Target, error) {
	if s.ev.Repo.Archived {
		return record.Target{}, archived.userError()
	}
	if s.ev.Thread.Pull {
		return s.openPull(ctx)
	}
	return s.openIssue(ctx)
}

func (s *session) openPull(ctx context.Context) (record.Target, error) {
	pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, s.ev.Thread.Number)
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("Pull request %d is not there any more, so nothing was done.", s.ev.Thread.Number)}
	}
	if err != nil {
		return record.Target{}, fmt.Errorf("reading pull request %d: %w", s.ev.Thread.Number, err)
	}
	over := pull.State != "open"
	if s.inv.Command.Reads {
		pull.State, pull.Merged = "open", false // what is closed can be read
	}
	if why := pullState(pull); why != (threadState{}) {
		return record.Target{}, why.userError()
	}
	t := record.Target{Branch: pull.Head.Branch, SHA: pull.Head.SHA, Title: pull.Title, Base: pull.Base, Pull: pull.Number, PullURL: pull.URL}
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
func readOnly(p port.PullRequest) string {
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
func (s *session) openIssue(ctx context.Context) (record.Target, error) {
	number := s.ev.Thread.Number
	issue, repo, err := s.issue(ctx)
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("Issue %d is not there any more, so nothing was done.", number)}
	}
	if err != nil {
		return record.Target{}, fmt.Errorf("reading issue %d: %w", number, err)
	}
	if s.inv.Command.Reads {
		issue.State = "open" // what is closed can be read
	}
	if why := issueState(issue, repo); why != (threadState{}) {
		return record.Target{}, why.userError()
	}
	s.ev.Repo = repo
	t := record.Target{Title: issue.Title, About: issue.Body, Author: issue.Author, Base: cmp.Or(s.inv.Options.Base, s.policy.Base, repo.DefaultBranch)}
	for i := range maxBranches {
		t.Branch = fmt.Sprintf("tenon/issue-%d", number)
		if i > 0 {
			t.Branch += fmt.Sprintf("-%d", i+1)
		}
		pull, ok, err := s.GitHub.FindPull(ctx, repo, t.Branch)
		if err != nil {
			return record.Target{}, fmt.Errorf("looking for the pull request of %s: %w", t.Branch, err)
		}
		if ok && pullState(pull) == (threadState{}) {
			return s.continuing(t, pull)
		}
		if !ok {
			return s.starting(ctx, t)
		}
	}
	return record.Target{}, &port.UserError{Text: fmt.Sprintf("This issue has had %d pull requests by tenon, all closed. Delete some of the branches `tenon/issue-%d-…`, and give the command again.", maxBranches, number)}
}

// continuing is the branch of an open pull request.
func (s *session) continuing(t record.Target, pull port.PullRequest) (record.Target, error) {
	if base := s.inv.Options.Base; base != "" && base != pull.Base {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("The pull request of this issue, #%d, goes to %s. Close it to start again from %s.", pull.Number, markdown.Code(pull.Base), markdown.Code(base))}
	}
	t.SHA, t.Base, t.Pull, t.PullURL = pull.Head.SHA, pull.Base, pull.Number, pull.URL
	return t, nil
}

// starting is a branch without a pull request: left by a run that died, or new.
func (s *session) starting(ctx context.Context, t record.Target) (record.Target, error) {
	c, err := s.Repos.Open(ctx, s.ev.Repo, t.Ref(), "", s.likelyFiles()...)
	if errors.Is(err, port.ErrNotFound) {
		t.New, t.From = true, "refs/heads/"+t.Base
		if s.inv.Command.Reads { // no branch will be made
			t.New, t.Branch = false, t.Base
		}
		c, err = s.Repos.Open(ctx, s.ev.Repo, t.From, "", s.likelyFiles()...)
	}
	if errors.Is(err, port.ErrNotFound) {
		return record.Target{}, &port.UserError{Text: fmt.Sprintf("There is no branch %s to start from. Name another by `--base`.", markdown.Code(t.Base))}
	}
	if err != nil {
		return record.Target{}, err
	}
	s.opened, t.SHA = c, c.SHA()
	return t, nil
}
