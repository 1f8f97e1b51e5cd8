package ghtest

import (
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// waitFor waits for the response to the delivery of an event, so that it can be inspected.
func (s *Server) waitFor(event string, subject int64) {
	s.mu.Lock()
	var last *delivery
	for _, d := range s.state.deliveries {
		if d.Event == event && d.Subject == subject {
			last = d
		}
	}
	s.mu.Unlock()
	s.wait(last)
}

// Comment comments on an issue or pull request as a user. It returns the comment's id after the response to the
// delivery.
func (s *Server) Comment(as, repo string, number int, body string) (int64, error) {
	return s.CommentVia(as, "", repo, number, body)
}

// CommentVia is Comment for what an App with that slug writes on behalf of the user.
func (s *Server) CommentVia(as, app, repo string, number int, body string) (int64, error) {
	id, err := s.comment(as, app, repo, number, body)
	if err == nil {
		s.waitFor("issue_comment", id)
	}
	return id, err
}

func (s *Server) comment(as, app, repo string, number int, body string) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, _, err := s.actor(as, repo, RoleRead)
	if err != nil {
		return 0, err
	}
	is, err := s.state.issue(repo, number)
	if err != nil {
		return 0, err
	}
	if err := checkNewComment(is, u, body); err != nil {
		return 0, err
	}
	return s.addCommentVia(is, u, app, body).id, nil
}

// EditComment edits a comment of a conversation as its author, or as a user with write permission.
func (s *Server) EditComment(as string, id int64, body string) error {
	err := s.withComment(as, id, func(co *comment, u *user) error {
		if err := checkText("IssueComment", body); err != nil {
			return err
		}
		s.editComment(co, u, body)
		return nil
	})
	if err == nil {
		s.waitFor("issue_comment", id)
	}
	return err
}

// DeleteComment deletes a comment of a conversation as its author, or as a user with write permission.
func (s *Server) DeleteComment(as string, id int64) error {
	err := s.withComment(as, id, func(co *comment, u *user) error {
		s.dropComment(co, u)
		return nil
	})
	if err == nil {
		s.waitFor("issue_comment", id)
	}
	return err
}

func (s *Server) withComment(as string, id int64, do func(*comment, *user) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	co := s.state.comments[id]
	if co == nil {
		return fmt.Errorf("no comment %d", id)
	}
	u, r, err := s.actor(as, co.issue.repo.fullName(), RoleRead)
	if err != nil {
		return err
	}
	if co.user != u && !r.roleOf(u).atLeast(RoleWrite) {
		return fmt.Errorf("%s may not change the comment of %s", as, co.user.login)
	}
	return do(co, u)
}

// SetOpen closes or reopens an issue or pull request, as an owner of its repository.
func (s *Server) SetOpen(repo string, number int, open bool) error {
	return s.withIssue(repo, number, func(is *issue) error {
		if open {
			if err := s.mayReopen(is); err != nil {
				return err
			}
		}
		return s.setOpen(is, s.adminOf(is.repo.owner), open, "completed")
	})
}

// setOpen closes or reopens; reason is why an issue was closed. A reopened pull request moves to the tip of its branch.
func (s *Server) setOpen(is *issue, by *user, open bool, reason string) error {
	if is.open == open {
		return nil
	}
	now, action := s.now(), "reopened"
	is.open, is.closed, is.closedBy, is.stateReason, is.updated = open, nil, nil, "reopened", now
	if !open {
		is.closed, is.closedBy, is.stateReason, action = &now, by, reason, "closed"
	}
	if is.pull == nil {
		s.emitIssue(action, is, by, nil)
		return nil
	}
	is.stateReason = ""
	s.emitPull(action, is, by, nil)
	if !open {
		return nil
	}
	return s.followHead(is, by)
}

// Merge merges a pull request by a merge commit, as an owner of its repository; a conflict is an error.
func (s *Server) Merge(repo string, number int) error {
	return s.withIssue(repo, number, func(is *issue) error {
		p, r := is.pull, is.repo
		if p == nil || !is.open {
			return fmt.Errorf("%s#%d is no open pull request", repo, number)
		}
		base, now := r.git.Branch(p.baseRef), s.now()
		message := fmt.Sprintf("Merge pull request #%d from %s\n", number, p.headLabel)
		sha, err := r.git.MergeCommit(base, p.headSHA,
			git.Commit{Author: hubSignature(now), Committer: hubSignature(now), Message: message})
		if err != nil {
			return err
		}
		if err := r.git.Update(git.Update{Name: "refs/heads/" + p.baseRef, From: base, To: sha}); err != nil {
			return err
		}
		p.merged, p.mergedBy, p.mergeSHA = &now, s.adminOf(r.owner), sha
		if err := s.setOpen(is, s.adminOf(r.owner), false, ""); err != nil {
			return err
		}
		return s.refsMoved(r, s.adminOf(r.owner))
	})
}

// Lock locks a conversation, or unlocks it.
func (s *Server) Lock(repo string, number int, locked bool) error {
	return s.withIssue(repo, number, func(is *issue) error {
		is.locked = locked
		action := "unlocked"
		if locked {
			action = "locked"
		}
		s.emitThread(action, is, s.adminOf(is.repo.owner), nil)
		return nil
	})
}

// DeleteIssue deletes an issue. Requests for it are answered with 410.
func (s *Server) DeleteIssue(repo string, number int) error {
	return s.withIssue(repo, number, func(is *issue) error {
		if is.pull != nil {
			return errors.New("GitHub deletes no pull request")
		}
		is.gone = true
		s.emitIssue("deleted", is, s.adminOf(is.repo.owner), nil)
		return nil
	})
}

func (s *Server) withIssue(repo string, number int, do func(*issue) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	is, err := s.state.issue(repo, number)
	if err != nil {
		return err
	}
	return do(is)
}

// SetMergeable sets mergeable (nil while GitHub computes it) and the mergeable state: "clean", "dirty", "blocked",
// "behind", "unstable" or "unknown".
func (s *Server) SetMergeable(repo string, number int, mergeable *bool, state string) error {
	return s.withIssue(repo, number, func(is *issue) error {
		if is.pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		is.pull.mergeable, is.pull.mergeableState = mergeable, state
		return nil
	})
}
