package sim

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// OpenIssue opens an issue as a user who can read the repository. It returns the number after the response to the
// delivery.
func (s Threads) OpenIssue(as, repo, title, body string) (int, error) {
	is, err := s.openIssue(as, repo, title, body)
	if err != nil {
		return 0, err
	}
	s.Events.WaitFor("issues", is.ID)
	return is.Number, nil
}

func (s Threads) openIssue(as, repo, title, body string) (*model.Issue, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	is, err := s.newThread(as, repo, title, body)
	if err == nil {
		s.Events.EmitIssue("opened", is, is.User, nil)
	}
	return is, err
}

func (s Threads) newThread(as, repo, title, body string) (*model.Issue, error) {
	u, r, err := s.actor(as, repo, model.RoleRead)
	if err != nil {
		return nil, err
	}
	if err := CheckThread("Issue", &title, &body); err != nil {
		return nil, err
	}
	return s.AddThread(r, u, title, body), nil
}

// AddThread adds an issue or pull request with the next number.
func (s Threads) AddThread(r *model.Repository, by *model.User, title, body string) *model.Issue {
	now := s.Now()
	r.LastNumber++
	is := &model.Issue{ID: s.State.ID("issue"), Number: r.LastNumber, Repo: r, Title: title, Body: body, User: by,
		Open:    true,
		Created: now, Updated: now}
	r.Issues[is.Number] = is
	return is
}

// actor returns the user who acts and the repository, or an error if the user's role does not allow it or the
// repository is archived. Bots of other Apps are considered as installed.
func (s Threads) actor(as, repo string, least model.Role) (*model.User, *model.Repository, error) {
	u, err := s.State.User(as)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.State.Repo(repo)
	switch {
	case err != nil:
		return nil, nil, err
	case r.Archived:
		return nil, nil, fmt.Errorf("%s is archived and read-only", repo)
	case !r.RoleOf(u).AtLeast(least) && u.Kind != UserBot:
		return nil, nil, fmt.Errorf("%s has no %s permission on %s", as, least, repo)
	}
	return u, r, nil
}

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

func (s PullRequests) openPullBy(in Pull) (*model.Issue, error) {
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

// openPull makes a pull request of an issue, which is new or existed before.
func (s PullRequests) AddPull(is *model.Issue, p *model.Pull, by *model.User) error {
	is.Pull = p
	if is.Repo.Lag != nil {
		is.Repo.Lag.Opened[is] = true
	}
	if err := writePullRef(is); err != nil {
		return err
	}
	s.Events.EmitPull("opened", is, by, nil)
	return nil
}

// NewPull resolves head and base as GitHub does: both must exist, and the head must have a commit that the base has
// not.
func (s PullRequests) NewPull(r *model.Repository, in Pull) (*model.Pull, error) {
	head, err := s.headRepo(r, in.Head)
	if err != nil {
		return nil, err
	}
	branch := in.Head[strings.LastIndex(in.Head, ":")+1:]
	p := &model.Pull{ID: s.State.ID("pull"), HeadRepo: head, HeadRef: branch, HeadLabel: head.Owner.Login + ":" + branch,
		BaseRef: model.OrElse(in.Base, r.DefaultBranch), Draft: in.Draft, MergeableState: "clean"}
	p.CanModify = head != r && head.Owner.Kind == userPerson && !in.NoMaintainerEdits
	p.HeadSHA, p.BaseSHA = head.Git.Branch(branch), r.Git.Branch(p.BaseRef)
	yes := true
	p.Mergeable = &yes
	switch {
	case p.HeadSHA == "":
		return nil, model.Invalid(PullResource, "head", "invalid", "")
	case p.BaseSHA == "":
		return nil, model.Invalid(PullResource, "base", "invalid", "")
	case p.Draft && r.NoDrafts:
		return nil, PullRefused("Draft pull requests are not supported in this repository.")
	case s.openPullOf(r, p) != nil:
		return nil, PullRefused("A pull request already exists for " + p.HeadLabel + ".")
	}
	return p, s.checkAhead(r, p)
}

// checkAhead returns an error unless both have a common history and the head has a commit that the base has not.
func (s PullRequests) checkAhead(r *model.Repository, p *model.Pull) error {
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

func (s PullRequests) headRepo(r *model.Repository, head string) (*model.Repository, error) {
	owner, _, has := strings.Cut(head, ":")
	if !has || strings.EqualFold(owner, r.Owner.Login) {
		return r, nil
	}
	for _, f := range s.State.Repos {
		if !f.Deleted && f.Parent == r && strings.EqualFold(f.Owner.Login, owner) {
			return f, nil
		}
	}
	return nil, model.Invalid(PullResource, "head", "invalid", "")
}

// Branch creates a branch at the tip of another one; an empty from means the default branch.
func (s branches) Branch(repo, name, from string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	sha := r.Git.Branch(model.OrElse(from, r.DefaultBranch))
	if sha == "" {
		return fmt.Errorf("no branch %q in %s", from, repo)
	}
	if !git.ValidRef("refs/heads/"+name) || strings.HasPrefix(name, "-") {
		return fmt.Errorf("git allows no branch %q", name)
	}
	if err := r.Git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.RefsMoved(r, people(s).AdminOf(r.Owner))
}

// DeleteBranch deletes a branch; its open pull requests are closed.
func (s branches) DeleteBranch(repo, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	if r.Git.Branch(name) == "" {
		return fmt.Errorf("no branch %q in %s", name, repo)
	}
	if err := r.Git.SetRef("refs/heads/"+name, ""); err != nil {
		return err
	}
	return s.RefsMoved(r, people(s).AdminOf(r.Owner))
}
