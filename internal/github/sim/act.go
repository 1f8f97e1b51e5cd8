package sim

import (
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Comment comments on an issue or pull request as a user. It returns the comment's id after the response to the
// delivery.
func (s Threads) Comment(as, repo string, number int, body string) (int64, error) {
	return s.CommentVia(as, "", repo, number, body)
}

// CommentVia is Comment for what an App with that slug writes on behalf of the user.
func (s Threads) CommentVia(as, app, repo string, number int, body string) (int64, error) {
	id, err := s.comment(as, app, repo, number, body)
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return id, err
}

func (s Threads) comment(as, app, repo string, number int, body string) (int64, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, _, err := s.actor(as, repo, model.RoleRead)
	if err != nil {
		return 0, err
	}
	is, err := s.State.Issue(repo, number)
	if err != nil {
		return 0, err
	}
	if err := CheckNewComment(is, u, body); err != nil {
		return 0, err
	}
	return s.addCommentVia(is, u, app, body).ID, nil
}

// EditComment edits a comment of a conversation as its author, or as a user with write permission.
func (s Threads) EditComment(as string, id int64, body string) error {
	err := s.withComment(as, id, func(co *model.Comment, u *model.User) error {
		if err := CheckText("IssueComment", body); err != nil {
			return err
		}
		s.RewriteComment(co, u, body)
		return nil
	})
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return err
}

// DeleteComment deletes a comment of a conversation as its author, or as a user with write permission.
func (s Threads) DeleteComment(as string, id int64) error {
	err := s.withComment(as, id, func(co *model.Comment, u *model.User) error {
		s.DropComment(co, u)
		return nil
	})
	if err == nil {
		s.Events.WaitFor("issue_comment", id)
	}
	return err
}

func (s Threads) withComment(as string, id int64, do func(*model.Comment, *model.User) error) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	co := s.State.Comments[id]
	if co == nil {
		return fmt.Errorf("no comment %d", id)
	}
	u, r, err := s.actor(as, co.Issue.Repo.FullName(), model.RoleRead)
	if err != nil {
		return err
	}
	if co.User != u && !r.RoleOf(u).AtLeast(model.RoleWrite) {
		return fmt.Errorf("%s may not change the comment of %s", as, co.User.Login)
	}
	return do(co, u)
}

// SetOpen closes or reopens an issue or pull request, as an owner of its repository.
func (s PullRequests) SetOpen(repo string, number int, open bool) error {
	return Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		if open {
			if err := s.MayReopen(is); err != nil {
				return err
			}
		}
		return s.ChangeState(is, people(s).AdminOf(is.Repo.Owner), open, "completed")
	})
}

// ChangeState closes or reopens; reason is why an issue was closed. A reopened pull request moves to the tip of its
// branch.
func (s PullRequests) ChangeState(is *model.Issue, by *model.User, open bool, reason string) error {
	if is.Open == open {
		return nil
	}
	now, action := s.Now(), "reopened"
	is.Open, is.Closed, is.ClosedBy, is.StateReason, is.Updated = open, nil, nil, "reopened", now
	if !open {
		is.Closed, is.ClosedBy, is.StateReason, action = &now, by, reason, "closed"
	}
	if is.Pull == nil {
		s.Events.EmitIssue(action, is, by, nil)
		return nil
	}
	is.StateReason = ""
	s.Events.EmitPull(action, is, by, nil)
	if !open {
		return nil
	}
	return s.followHead(is, by)
}

// Merge merges a pull request by a merge commit, as an owner of its repository; a conflict is an error.
func (s branches) Merge(repo string, number int) error {
	return Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		p, r := is.Pull, is.Repo
		if p == nil || !is.Open {
			return fmt.Errorf("%s#%d is no open pull request", repo, number)
		}
		base, now := r.Git.Branch(p.BaseRef), s.Now()
		message := fmt.Sprintf("Merge pull request #%d from %s\n", number, p.HeadLabel)
		sha, err := r.Git.MergeCommit(base, p.HeadSHA,
			git.Commit{Author: HubSignature(now), Committer: HubSignature(now), Message: message})
		if err != nil {
			return err
		}
		if err := r.Git.Update(git.Update{Name: "refs/heads/" + p.BaseRef, From: base, To: sha}); err != nil {
			return err
		}
		p.Merged, p.MergedBy, p.MergeSHA = &now, people(s).AdminOf(r.Owner), sha
		if err := (PullRequests(s)).ChangeState(is, (people(s)).AdminOf(r.Owner), false, ""); err != nil {
			return err
		}
		return s.RefsMoved(r, people(s).AdminOf(r.Owner))
	})
}

// Lock locks a conversation, or unlocks it.
func (s Threads) Lock(repo string, number int, locked bool) error {
	return s.withIssue(repo, number, func(is *model.Issue) error {
		is.Locked = locked
		action := "unlocked"
		if locked {
			action = "locked"
		}
		s.Events.EmitThread(action, is, people(s).AdminOf(is.Repo.Owner), nil)
		return nil
	})
}

// DeleteIssue deletes an issue. Requests for it are answered with 410.
func (s Threads) DeleteIssue(repo string, number int) error {
	return s.withIssue(repo, number, func(is *model.Issue) error {
		if is.Pull != nil {
			return errors.New("GitHub deletes no pull request")
		}
		is.Gone = true
		s.Events.EmitIssue("deleted", is, people(s).AdminOf(is.Repo.Owner), nil)
		return nil
	})
}

func (s Threads) withIssue(repo string, number int, do func(*model.Issue) error) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	is, err := s.State.Issue(repo, number)
	if err != nil {
		return err
	}
	return do(is)
}

// SetMergeable sets mergeable (nil while GitHub computes it) and the mergeable state: "clean", "dirty", "blocked",
// "behind", "unstable" or "unknown".
func (s PullRequests) SetMergeable(repo string, number int, mergeable *bool, state string) error {
	return Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		is.Pull.Mergeable, is.Pull.MergeableState = mergeable, state
		return nil
	})
}
