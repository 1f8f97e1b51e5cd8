package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// SetOpen closes or reopens an issue or pull request, as an owner of its repository.
func (s PullRequests) SetOpen(repo string, number int, open bool) error {
	return s.ChangeIssue(repo, number, func(is *entity.Issue) error {
		if open {
			if err := s.MayReopen(is); err != nil {
				return err
			}
		}
		return s.ChangeState(is, s.AdminOf(is.Repo.Owner), open, "completed")
	})
}

// Retarget gives a pull request another base branch, as an owner of its repository.
func (s PullRequests) Retarget(repo string, number int, base string) error {
	return s.ChangeIssue(repo, number, func(is *entity.Issue) error {
		if is.Pull == nil || is.Repo.Git.Branch(base) == "" {
			return fmt.Errorf("%s#%d is no pull request, or there is no branch %s", repo, number, base)
		}
		s.ChangeBase(is, s.AdminOf(is.Repo.Owner), base)
		return nil
	})
}

// ChangeBase gives a pull request another base branch, which exists.
func (s PullRequests) ChangeBase(is *entity.Issue, actor *entity.User, base string) {
	p := is.Pull
	from := entity.Object{"ref": entity.Object{"from": p.BaseRef}, "sha": entity.Object{"from": p.BaseSHA}}
	p.BaseRef, p.BaseSHA = base, is.Repo.Git.Branch(base)
	s.Events.EmitPull("edited", is, actor, entity.Object{"changes": entity.Object{"base": from}})
}

// MayReopen returns GitHub's refusal of reopening a pull request, or nil: also for an issue and for one that is open.
func (s PullRequests) MayReopen(is *entity.Issue) error {
	p := is.Pull
	if is.Open || p == nil {
		return nil
	}
	refused := func(why string) error {
		return entity.Invalid(PullResource, "state", "invalid", "state cannot be changed. "+why)
	}
	sha := ""
	if p.HeadRepo != nil && !p.HeadRepo.Deleted {
		sha = p.HeadRepo.Git.Branch(p.HeadRef)
	}
	switch {
	case p.Merged != nil:
		return refused("The pull request cannot be reopened.")
	case sha == "":
		return refused("The " + p.HeadRef + " branch has been deleted.")
	case s.openPullOf(is.Repo, p) != nil:
		return refused("There is already an open pull request from " + p.HeadLabel + " to " + p.BaseRef + ".")
	}
	if !p.HeadRepo.Git.IsAncestor(p.HeadSHA, sha) {
		return refused("The " + p.HeadRef + " branch was force-pushed or recreated.")
	}
	return nil
}

// ChangeState closes or reopens; reason is why an issue was closed. A reopened pull request moves to the tip of its
// branch.
func (s PullRequests) ChangeState(is *entity.Issue, actor *entity.User, open bool, reason string) error {
	if is.Open == open {
		return nil
	}
	now, action := s.Now(), "reopened"
	is.Open, is.Closed, is.ClosedBy, is.StateReason, is.Updated = open, nil, nil, "reopened", now
	if !open {
		is.Closed, is.ClosedBy, is.StateReason, action = &now, actor, reason, "closed"
	}
	if is.Pull == nil {
		s.Events.EmitIssue(action, is, actor, nil)
		return nil
	}
	is.StateReason = ""
	s.Events.EmitPull(action, is, actor, nil)
	if !open {
		return nil
	}
	return s.followHead(is, actor)
}

// followHead moves a pull request to its branch's tip. Without the branch, it is closed, as on GitHub.
func (s PullRequests) followHead(is *entity.Issue, actor *entity.User) error {
	p := is.Pull
	sha, before := p.HeadRepo.Git.Branch(p.HeadRef), p.HeadSHA
	switch sha {
	case before:
		return nil
	case "":
		return s.ChangeState(is, actor, false, "")
	}
	p.HeadSHA, p.BaseSHA = sha, entity.OrElse(is.Repo.Git.Branch(p.BaseRef), p.BaseSHA)
	if err := writePullRef(is); err != nil {
		return err
	}
	is.Updated = s.Now()
	reviewLines(s).outdate(is)
	s.Events.EmitPull("synchronize", is, actor, entity.Object{"before": before, "after": sha})
	return nil
}

// writePullRef sets refs/pull/N/head of the base repository, which shares its objects with its forks.
func writePullRef(is *entity.Issue) error {
	return is.Repo.Git.SetRef(fmt.Sprintf("refs/pull/%d/head", is.Number), is.Pull.HeadSHA)
}

// SetMergeable sets mergeable (nil while GitHub computes it) and the mergeable state: "clean", "dirty", "blocked",
// "behind", "unstable" or "unknown".
func (s PullRequests) SetMergeable(repo string, number int, mergeable *bool, mergeableState string) error {
	return s.WithIssue(repo, number, func(is *entity.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		is.Pull.Mergeable, is.Pull.MergeableState = mergeable, mergeableState
		return nil
	})
}
