package sim

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Account is an account as everybody can read it.
type Account struct {
	ID    int64
	Login string
}

// Account returns the account with a login, in any case.
func (s people) Account(login string) (Account, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := s.State.User(login)
	if err != nil {
		return Account{}, err
	}
	return Account{u.ID, u.Login}, nil
}

// RepoState is a repository as everybody can read it. Installation is the one of the App that includes it, 0 for none.
type RepoState struct {
	ID, Installation                   int64
	NodeID, Owner, Name, DefaultBranch string
	Archived                           bool
}

// Repo returns a repository, by its name or one that it had.
func (s repositories) Repo(name string) (RepoState, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(name)
	if err != nil {
		return RepoState{}, err
	}
	out := RepoState{ID: r.ID, NodeID: NodeID("R", r.ID), Owner: r.Owner.Login, Name: r.Name,
		DefaultBranch: r.DefaultBranch, Archived: r.Archived}
	if in := s.State.InstallationOf(r.Owner); in != nil && in.Covers(r) {
		out.Installation = in.ID
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
func (s talk) Thread(repo string, number int) (out ThreadState, err error) {
	err = Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		out = ThreadState{ID: is.ID, Number: is.Number, Title: is.Title, Body: is.Body, User: is.User.Login, Open: is.Open,
			IsPull: is.Pull != nil, Page: Pages(s).ThreadHTML(is)}
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
func (s talk) Said(repo string, number int) (list []Saying, err error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil || r.Issues[number] == nil {
		return nil, err
	}
	is := r.Issues[number]
	for _, c := range is.Comments {
		list = append(list, Saying{IssueComment, c.ID, c.User.Login, c.Body, 0, c.Order})
	}
	if is.Pull != nil {
		for _, rv := range is.Pull.Reviews {
			if rv.State != model.ReviewPending && rv.Body != "" {
				list = append(list, Saying{ReviewItself, rv.ID, rv.User.Login, rv.Body, 0, rv.Order})
			}
		}
		for _, rc := range is.Pull.Comments {
			list = append(list, Saying{ReviewComment, rc.ID, rc.User.Login, rc.Body, rc.ReplyTo, rc.Order})
		}
	}
	slices.SortFunc(list, func(a, b Saying) int { return cmp.Compare(a.order, b.order) })
	return list, nil
}

// EditThread changes the title and the text of an issue or pull request, as its author or a user with write permission.
func (s Threads) EditThread(as, repo string, number int, title, body string) error {
	return s.withIssue(repo, number, func(is *model.Issue) error {
		u, r, err := s.actor(as, repo, model.RoleRead)
		switch {
		case err != nil:
			return err
		case is.User != u && !r.RoleOf(u).AtLeast(model.RoleWrite):
			return fmt.Errorf("%s may not edit #%d", as, number)
		}
		if err := CheckThread("Issue", &title, &body); err != nil {
			return err
		}
		is.Title, is.Body = title, body
		s.Events.EmitThread("edited", is, u, model.Object{"changes": model.Object{}})
		return nil
	})
}

// SetBranch makes a branch point to a commit of the repository, by force.
func (s branches) SetBranch(repo, name, sha string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	if err := r.Git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.RefsMoved(r, people(s).AdminOf(r.Owner))
}

// Saying returns something that was said, by its kind and id.
func (s talk) Saying(kind string, id int64) (Saying, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	switch kind {
	case IssueComment:
		if c := s.State.Comments[id]; c != nil {
			return Saying{kind, id, c.User.Login, c.Body, 0, c.Order}, nil
		}
	case ReviewComment:
		if rc := s.State.ReviewComments[id]; rc != nil {
			return Saying{kind, id, rc.User.Login, rc.Body, rc.ReplyTo, rc.Order}, nil
		}
	case ReviewItself:
		if rv := s.State.Reviews[id]; rv != nil {
			return Saying{kind, id, rv.User.Login, rv.Body, 0, rv.Order}, nil
		}
	}
	return Saying{}, fmt.Errorf("no %s %d", kind, id)
}
