package ghtest

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// OpenIssue opens an issue as a user who can read the repository. It returns the number after the response to the
// delivery.
func (s *Server) OpenIssue(as, repo, title, body string) (int, error) {
	is, err := s.openIssue(as, repo, title, body)
	if err != nil {
		return 0, err
	}
	s.waitFor("issues", is.id)
	return is.number, nil
}

func (s *Server) openIssue(as, repo, title, body string) (*issue, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is, err := s.newThread(as, repo, title, body)
	if err == nil {
		s.emitIssue("opened", is, is.user, nil)
	}
	return is, err
}

func (s *Server) newThread(as, repo, title, body string) (*issue, error) {
	u, r, err := s.actor(as, repo, RoleRead)
	if err != nil {
		return nil, err
	}
	if err := checkThread("Issue", &title, &body); err != nil {
		return nil, err
	}
	return s.addThread(r, u, title, body), nil
}

// addThread adds an issue or pull request with the next number.
func (s *Server) addThread(r *repository, by *user, title, body string) *issue {
	now := s.now()
	r.lastNumber++
	is := &issue{id: s.state.id("issue"), number: r.lastNumber, repo: r, title: title, body: body, user: by, open: true,
		created: now, updated: now}
	r.issues[is.number] = is
	return is
}

// actor returns the user who acts and the repository, or an error if the user's role does not allow it or the
// repository is archived. Bots of other Apps are considered as installed.
func (s *Server) actor(as, repo string, least Role) (*user, *repository, error) {
	u, err := s.state.user(as)
	if err != nil {
		return nil, nil, err
	}
	r, err := s.state.repo(repo)
	switch {
	case err != nil:
		return nil, nil, err
	case r.archived:
		return nil, nil, fmt.Errorf("%s is archived and read-only", repo)
	case !r.roleOf(u).atLeast(least) && u.kind != userBot:
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
func (s *Server) OpenPull(in Pull) (int, error) {
	is, err := s.openPullBy(in)
	if err != nil {
		return 0, err
	}
	s.waitFor("pull_request", is.pull.id)
	return is.number, nil
}

func (s *Server) openPullBy(in Pull) (*issue, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(in.Repo)
	if err != nil {
		return nil, err
	}
	p, err := s.newPull(r, in)
	if err != nil {
		return nil, fmt.Errorf("opening a pull request of %s: %w", in.Head, err)
	}
	is, err := s.newThread(in.As, in.Repo, in.Title, in.Body)
	if err != nil {
		return nil, err
	}
	return is, s.openPull(is, p, is.user)
}

// openPull makes a pull request of an issue, which is new or existed before.
func (s *Server) openPull(is *issue, p *pull, by *user) error {
	is.pull = p
	if is.repo.lag != nil {
		is.repo.lag.opened[is] = true
	}
	if err := writePullRef(is); err != nil {
		return err
	}
	s.emitPull("opened", is, by, nil)
	return nil
}

// newPull resolves head and base as GitHub does: both must exist, and the head must have a commit that the base has
// not.
func (s *Server) newPull(r *repository, in Pull) (*pull, error) {
	head, err := s.headRepo(r, in.Head)
	if err != nil {
		return nil, err
	}
	branch := in.Head[strings.LastIndex(in.Head, ":")+1:]
	p := &pull{id: s.state.id("pull"), headRepo: head, headRef: branch, headLabel: head.owner.login + ":" + branch,
		baseRef: orElse(in.Base, r.defaultBranch), draft: in.Draft, mergeableState: "clean"}
	p.canModify = head != r && head.owner.kind == userPerson && !in.NoMaintainerEdits
	p.headSHA, p.baseSHA = head.git.Branch(branch), r.git.Branch(p.baseRef)
	yes := true
	p.mergeable = &yes
	switch {
	case p.headSHA == "":
		return nil, invalid(pullResource, "head", "invalid", "")
	case p.baseSHA == "":
		return nil, invalid(pullResource, "base", "invalid", "")
	case p.draft && r.noDrafts:
		return nil, pullRefused("Draft pull requests are not supported in this repository.")
	case s.openPullOf(r, p) != nil:
		return nil, pullRefused("A pull request already exists for " + p.headLabel + ".")
	}
	return p, s.checkAhead(r, p)
}

// checkAhead returns an error unless both have a common history and the head has a commit that the base has not.
func (s *Server) checkAhead(r *repository, p *pull) error {
	common, err := r.git.MergeBase(p.baseSHA, p.headSHA)
	switch {
	case err != nil:
		return err
	case common == "":
		return pullRefused(fmt.Sprintf("The %s branch has no history in common with %s", p.headRef, p.baseRef))
	case common == p.headSHA:
		return pullRefused(fmt.Sprintf("No commits between %s and %s", p.baseRef, p.headRef))
	}
	return nil
}

func (s *Server) headRepo(r *repository, head string) (*repository, error) {
	owner, _, has := strings.Cut(head, ":")
	if !has || strings.EqualFold(owner, r.owner.login) {
		return r, nil
	}
	for _, f := range s.state.repos {
		if !f.deleted && f.parent == r && strings.EqualFold(f.owner.login, owner) {
			return f, nil
		}
	}
	return nil, invalid(pullResource, "head", "invalid", "")
}

// Branch creates a branch at the tip of another one; an empty from means the default branch.
func (s *Server) Branch(repo, name, from string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	sha := r.git.Branch(orElse(from, r.defaultBranch))
	if sha == "" {
		return fmt.Errorf("no branch %q in %s", from, repo)
	}
	if !git.ValidRef("refs/heads/"+name) || strings.HasPrefix(name, "-") {
		return fmt.Errorf("git allows no branch %q", name)
	}
	if err := r.git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.refsMoved(r, s.adminOf(r.owner))
}

// DeleteBranch deletes a branch; its open pull requests are closed.
func (s *Server) DeleteBranch(repo, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	if r.git.Branch(name) == "" {
		return fmt.Errorf("no branch %q in %s", name, repo)
	}
	if err := r.git.SetRef("refs/heads/"+name, ""); err != nil {
		return err
	}
	return s.refsMoved(r, s.adminOf(r.owner))
}
