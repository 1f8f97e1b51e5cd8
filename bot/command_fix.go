package bot

import (
	"context"
	"fmt"
)

// runFix is the main job: open, context, ask, apply and commit, report; each recorded before the next begins.
func runFix(ctx context.Context, s *session) error {
	model, err := s.model()
	if err != nil {
		return err
	}
	head, err := step(ctx, s, "open", func() (pinned, error) { return s.open(ctx) })
	if err != nil {
		return err
	}
	question, err := step(ctx, s, "context", func() (question, error) {
		q, err := s.gather(ctx, head)
		q.Request.Model = model.Name
		return q, err
	})
	if err != nil {
		return err
	}
	head.SHA = question.Base
	talk, err := s.converse(ctx, head, question)
	if err != nil {
		return err
	}
	question = question.with(talk)
	made, err := step(ctx, s, "commit", func() (committed, error) { return s.applyAndCommit(ctx, head, question, talk) })
	if err != nil {
		return err
	}
	if _, err := s.answer(ctx, s.report(head, question, talk, made)); err != nil {
		return err
	}
	s.react(ctx, made.reaction())
	return nil
}

// pinned is the commit that the run works on, and where its result goes.
type pinned struct {
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
	Title  string `json:"title"`
}

func (p pinned) ref() string { return "refs/heads/" + p.Branch }

// open pins the head of the pull request, or says why nothing can be committed to it.
func (s *session) open(ctx context.Context) (pinned, error) {
	if !s.ev.Thread.Pull {
		return pinned{}, &UserError{"tenon commits to the branch of a pull request, and this is an issue. Open a pull request and give the command there."}
	}
	if s.ev.Repo.Archived {
		return pinned{}, &UserError{"This repository is archived, so nothing can be committed to it."}
	}
	pull, err := s.GitHub.PullRequest(ctx, s.ev.Repo, s.ev.Thread.Number)
	if err != nil {
		return pinned{}, fmt.Errorf("reading pull request %d: %w", s.ev.Thread.Number, err)
	}
	if why := pull.closedTo(s.ev.Repo); why != "" {
		return pinned{}, &UserError{why}
	}
	return pinned{Branch: pull.Head.Branch, SHA: pull.Head.SHA, Title: pull.Title}, nil
}

// closedTo says why tenon cannot commit to the pull request; empty when it can.
func (p PullRequest) closedTo(repo RepoRef) string {
	switch {
	case p.Merged:
		return "This pull request is merged, so nothing was done. Give the command on an open one."
	case p.State != "open":
		return "This pull request is closed, so nothing was done. Reopen it, and give the command again."
	case p.Locked:
		return "This conversation is locked, so nothing was done. Unlock it, and give the command again."
	case p.Head.Repo.ID != repo.ID:
		return "This pull request comes from another repository, a fork, and tenon commits only to branches of this one. Push the branch here, open a pull request from it, and give the command there."
	}
	return ""
}
