package ghtest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// OpenIssue opens an issue as somebody who may read the repository, and returns its number.
func (s *Server) OpenIssue(as, repo, title, body string) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	is, err := s.newThread(as, repo, title, body)
	if err != nil {
		return 0, err
	}
	s.emitIssue("opened", is, is.user, nil)
	return is.number, nil
}

func (s *Server) newThread(as, repo, title, body string) (*issue, error) {
	u, r, err := s.actor(as, repo, RoleRead)
	switch {
	case err != nil:
		return nil, err
	case isBlank(title):
		return nil, fmt.Errorf("a title is required")
	case utf8.RuneCountInString(body) > maxText:
		return nil, fmt.Errorf("body is too long (maximum is %d characters)", maxText)
	}
	now := s.now()
	is := &issue{id: s.state.id("issue"), number: r.lastNumber + 1, repo: r, title: title, body: body, user: u, open: true,
		created: now, updated: now}
	r.lastNumber++
	r.issues[is.number] = is
	return is, nil
}

// actor finds who acts, and refuses who may not, and everybody in an archived repository. Other Apps' bots are taken to be
// installed.
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

// Pull says what a new pull request is.
type Pull struct {
	// As is who opens it.
	As, Repo, Title, Body string
	// Head is "branch" of the same repository, or "owner:branch" of a fork. Base is the default branch when empty.
	Head, Base string
	Draft      bool
	// NoMaintainerEdits takes away the maintainers' right to push to a fork's branch.
	NoMaintainerEdits bool
}

// OpenPull opens a pull request and returns its number.
func (s *Server) OpenPull(in Pull) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(in.Repo)
	if err != nil {
		return 0, err
	}
	p, err := s.newPull(r, in)
	if err != nil {
		return 0, fmt.Errorf("opening a pull request of %s: %w", in.Head, err)
	}
	is, err := s.newThread(in.As, in.Repo, in.Title, in.Body)
	if err != nil {
		return 0, err
	}
	is.pull = p
	if err := s.writePullRef(is); err != nil {
		return 0, err
	}
	s.emitPull("opened", is, is.user, nil)
	return is.number, nil
}

// newPull resolves head and base as GitHub does: both must exist and differ.
func (s *Server) newPull(r *repository, in Pull) (*pull, error) {
	head, err := s.headRepo(r, in.Head)
	if err != nil {
		return nil, err
	}
	branch := in.Head[strings.LastIndex(in.Head, ":")+1:]
	p := &pull{id: s.state.id("pull"), headRepo: head, headRef: branch, headLabel: head.owner.login + ":" + branch,
		baseRef: orElse(in.Base, r.defaultBranch), draft: in.Draft, mergeableState: "clean"}
	p.canModify = head != r && head.owner.kind == userPerson && !in.NoMaintainerEdits
	p.headSHA, p.baseSHA = s.branch(head, branch), s.branch(r, p.baseRef)
	yes := true
	p.mergeable = &yes
	switch {
	case p.headSHA == "":
		return nil, fmt.Errorf("no branch %q in %s", branch, head.fullName())
	case p.baseSHA == "":
		return nil, fmt.Errorf("no branch %q in %s", p.baseRef, r.fullName())
	}
	for _, other := range r.issues {
		if o := other.pull; o != nil && other.open && o.headRepo == head && o.headRef == branch && o.baseRef == p.baseRef {
			return nil, fmt.Errorf("a pull request already exists for %s", p.headLabel)
		}
	}
	return p, nil
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
	return nil, fmt.Errorf("%s has no fork of %s", owner, r.fullName())
}

// Branch makes a branch at another branch, or at the default branch when from is empty.
func (s *Server) Branch(repo, name, from string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	sha := s.branch(r, orElse(from, r.defaultBranch))
	if sha == "" {
		return fmt.Errorf("no branch %q in %s", from, repo)
	}
	if _, err := s.git(r.dir, "check-ref-format", "--branch", name); err != nil {
		return fmt.Errorf("git allows no branch %q", name)
	}
	if _, err := s.git(r.dir, "update-ref", "refs/heads/"+name, sha); err != nil {
		return err
	}
	return s.refsMoved(r, r.owner)
}

// DeleteBranch deletes a branch; its open pull requests are closed.
func (s *Server) DeleteBranch(repo, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	if s.branch(r, name) == "" {
		return fmt.Errorf("no branch %q in %s", name, repo)
	}
	if _, err := s.git(r.dir, "update-ref", "-d", "refs/heads/"+name); err != nil {
		return err
	}
	return s.refsMoved(r, r.owner)
}
