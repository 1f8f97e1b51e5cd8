package sim

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Pull is a pull request to open.
type Pull struct {
	// As is the user who opens it.
	As, Repo, Title, Body string
	// Head is "branch" of the same repository, or "owner:branch" of a fork. An empty Base means the default branch.
	Head, Base string
	Draft      bool
	// NoMaintainerEdits disallows maintainers to push to a fork's branch.
	NoMaintainerEdits bool
}

// OpenPull opens a pull request. It returns the number after the response to the delivery.
func (s PullRequests) OpenPull(in Pull) (int, error) {
	is, err := s.openPullBy(in)
	if err != nil {
		return 0, err
	}
	s.Events.WaitFor("pull_request", is.Pull.ID)
	return is.Number, nil
}

func (s PullRequests) openPullBy(in Pull) (*entity.Issue, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(in.Repo)
	if err != nil {
		return nil, err
	}
	p, err := s.NewPull(r, in)
	if err != nil {
		return nil, fmt.Errorf("opening a pull request of %s: %w", in.Head, err)
	}
	is, err := Threads(s).newThread(in.As, in.Repo, in.Title, in.Body)
	if err != nil {
		return nil, err
	}
	return is, s.AddPull(is, p, is.User)
}

// AddPull makes a pull request of an issue, which is new or existed before.
func (s PullRequests) AddPull(is *entity.Issue, p *entity.Pull, actor *entity.User) error {
	is.Pull = p
	if is.Repo.Lag != nil {
		is.Repo.Lag.Opened[is] = true
	}
	if err := writePullRef(is); err != nil {
		return err
	}
	s.Events.EmitPull("opened", is, actor, nil)
	return nil
}

// NewPull resolves head and base as GitHub does: both must exist, and the head must have a commit that the base has
// not.
func (s PullRequests) NewPull(r *entity.Repository, in Pull) (*entity.Pull, error) {
	head, err := s.headRepo(r, in.Head)
	if err != nil {
		return nil, err
	}
	branch := in.Head[strings.LastIndex(in.Head, ":")+1:]
	p := &entity.Pull{ID: s.State.ID("pull"), HeadRepo: head, HeadRef: branch, HeadLabel: head.Owner.Login + ":" + branch,
		BaseRef: entity.OrElse(in.Base, r.DefaultBranch), Draft: in.Draft, MergeableState: "clean"}
	p.CanModify = head != r && head.Owner.Kind == entity.UserPerson && !in.NoMaintainerEdits
	p.HeadSHA, p.BaseSHA = head.Git.Branch(branch), r.Git.Branch(p.BaseRef)
	yes := true
	p.Mergeable = &yes
	switch {
	case p.HeadSHA == "":
		return nil, entity.Invalid(PullResource, "head", "invalid", "")
	case p.BaseSHA == "":
		return nil, entity.Invalid(PullResource, "base", "invalid", "")
	case p.Draft && r.NoDrafts:
		return nil, PullRefused("Draft pull requests are not supported in this repository.")
	case s.openPullOf(r, p) != nil:
		return nil, PullRefused("A pull request already exists for " + p.HeadLabel + ".")
	}
	return p, s.checkAhead(r, p)
}

// checkAhead returns an error unless both have a common history and the head has a commit that the base has not.
func (s PullRequests) checkAhead(r *entity.Repository, p *entity.Pull) error {
	common, err := r.Git.MergeBase(p.BaseSHA, p.HeadSHA)
	switch {
	case err != nil:
		return err
	case common == "":
		return PullRefused(fmt.Sprintf("The %s branch has no history in common with %s", p.HeadRef, p.BaseRef))
	case common == p.HeadSHA:
		return PullRefused(fmt.Sprintf("No commits between %s and %s", p.BaseRef, p.HeadRef))
	}
	return nil
}

// headRepo returns the repository of a head, "branch" or "owner:branch": the base itself or one of its forks.
func (s PullRequests) headRepo(r *entity.Repository, head string) (*entity.Repository, error) {
	owner, _, has := strings.Cut(head, ":")
	if !has || strings.EqualFold(owner, r.Owner.Login) {
		return r, nil
	}
	for _, f := range s.State.Repos {
		if !f.Deleted && f.Parent == r && strings.EqualFold(f.Owner.Login, owner) {
			return f, nil
		}
	}
	return nil, entity.Invalid(PullResource, "head", "invalid", "")
}
