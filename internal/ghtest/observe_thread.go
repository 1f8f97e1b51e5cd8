package ghtest

import (
	"cmp"
	"fmt"
	"slices"
)

// Account is an account as everybody can read it.
type Account struct {
	ID    int64
	Login string
}

// Account returns the account with a login, in any case.
func (s *Server) Account(login string) (Account, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.state.user(login)
	if err != nil {
		return Account{}, err
	}
	return Account{u.id, u.login}, nil
}

// RepoState is a repository as everybody can read it. Installation is the one of the App that includes it, 0 for none.
type RepoState struct {
	ID, Installation                   int64
	NodeID, Owner, Name, DefaultBranch string
	Archived                           bool
}

// Repo returns a repository, by its name or one that it had.
func (s *Server) Repo(name string) (RepoState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(name)
	if err != nil {
		return RepoState{}, err
	}
	out := RepoState{ID: r.id, NodeID: nodeID("R", r.id), Owner: r.owner.login, Name: r.name,
		DefaultBranch: r.defaultBranch, Archived: r.archived}
	if in := s.state.installationOf(r.owner); in != nil && in.covers(r) {
		out.Installation = in.id
	}
	return out, nil
}

// ThreadState is an issue or pull request as everybody can read it.
type ThreadState struct {
	ID                int64
	Number            int
	Title, Body, User string
	Open, IsPull      bool
	Page              string
}

// Thread returns an issue or pull request.
func (s *Server) Thread(repo string, number int) (out ThreadState, err error) {
	err = s.withIssue(repo, number, func(is *issue) error {
		out = ThreadState{ID: is.id, Number: is.number, Title: is.title, Body: is.body, User: is.user.login, Open: is.open,
			IsPull: is.pull != nil, Page: s.threadHTML(is)}
		return nil
	})
	return out, err
}

// Saying is something that was said in a thread.
type Saying struct {
	// Kind is one of the constants, as IssueComment.
	Kind string
	ID   int64
	User string
	Body string
	// InReplyTo is the first comment of the review thread of a reply.
	InReplyTo int64
	order     int64
}

// Said returns all that was said in an issue or pull request, also a deleted one, in its order: comments, reviews with
// a text, and review comments.
func (s *Server) Said(repo string, number int) (list []Saying, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil || r.issues[number] == nil {
		return nil, err
	}
	is := r.issues[number]
	for _, c := range is.comments {
		list = append(list, Saying{IssueComment, c.id, c.user.login, c.body, 0, c.order})
	}
	if is.pull != nil {
		for _, rv := range is.pull.reviews {
			if rv.state != reviewPending && rv.body != "" {
				list = append(list, Saying{ReviewItself, rv.id, rv.user.login, rv.body, 0, rv.order})
			}
		}
		for _, rc := range is.pull.comments {
			list = append(list, Saying{ReviewComment, rc.id, rc.user.login, rc.body, rc.replyTo, rc.order})
		}
	}
	slices.SortFunc(list, func(a, b Saying) int { return cmp.Compare(a.order, b.order) })
	return list, nil
}

// EditThread changes the title and the text of an issue or pull request, as its author or a user with write permission.
func (s *Server) EditThread(as, repo string, number int, title, body string) error {
	return s.withIssue(repo, number, func(is *issue) error {
		u, r, err := s.actor(as, repo, RoleRead)
		switch {
		case err != nil:
			return err
		case is.user != u && !r.roleOf(u).atLeast(RoleWrite):
			return fmt.Errorf("%s may not edit #%d", as, number)
		}
		if err := checkThread("Issue", &title, &body); err != nil {
			return err
		}
		is.title, is.body = title, body
		s.emitThread("edited", is, u, object{"changes": object{}})
		return nil
	})
}

// SetBranch makes a branch point to a commit of the repository, by force.
func (s *Server) SetBranch(repo, name, sha string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	if err := r.git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.refsMoved(r, s.adminOf(r.owner))
}

// Saying returns something that was said, by its kind and id.
func (s *Server) Saying(kind string, id int64) (Saying, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch kind {
	case IssueComment:
		if c := s.state.comments[id]; c != nil {
			return Saying{kind, id, c.user.login, c.body, 0, c.order}, nil
		}
	case ReviewComment:
		if rc := s.state.reviewComments[id]; rc != nil {
			return Saying{kind, id, rc.user.login, rc.body, rc.replyTo, rc.order}, nil
		}
	case ReviewItself:
		if rv := s.state.reviews[id]; rv != nil {
			return Saying{kind, id, rv.user.login, rv.body, 0, rv.order}, nil
		}
	}
	return Saying{}, fmt.Errorf("no %s %d", kind, id)
}
