package sim

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// conversations shows what everybody reads of issues and pull requests.
type conversations struct{ *entity.Core }

// Kinds of what is said, and can have reactions.
const (
	IssueComment  = "issue comment"
	ReviewComment = "review comment"
	ReviewItself  = "review"
	IssueItself   = "issue"
)

// ThreadState is an issue or pull request as everybody can read it.
type ThreadState struct {
	ID                int64
	Number            int
	Title, Body, User string
	Open, IsPull      bool
	Page              string
}

// Thread returns an issue or pull request.
func (s conversations) Thread(repo string, number int) (out ThreadState, err error) {
	err = s.WithIssue(repo, number, func(is *entity.Issue) error {
		out = ThreadState{ID: is.ID, Number: is.Number, Title: is.Title, Body: is.Body, User: is.User.Login, Open: is.Open,
			IsPull: is.Pull != nil, Page: Pages(s).ThreadPage(is)}
		return nil
	})
	return out, err
}

// Comment is a comment as everybody can read it.
type Comment struct {
	ID   int64
	User string
	Body string
	// Created and Updated differ if it was edited.
	Created, Updated time.Time
	// InReplyTo, Path and Line are a review comment's; Line is 0 if it is outdated.
	InReplyTo int64
	Path      string
	Line      int
}

// Comments returns the comments of a conversation, oldest first.
func (s conversations) Comments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := s.WithIssue(repo, number, func(is *entity.Issue) error {
		for _, c := range is.Comments {
			list = append(list, Comment{ID: c.ID, User: c.User.Login, Body: c.Body, Created: c.Created, Updated: c.Updated})
		}
		return nil
	})
	return list, err
}

// Saying is something that was said in a thread.
type Saying struct {
	// Kind is IssueComment, ReviewComment or ReviewItself.
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
func (s conversations) Said(repo string, number int) (list []Saying, err error) {
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
			if rv.State != entity.ReviewPending && rv.Body != "" {
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

// Saying returns something that was said, by its kind and id.
func (s conversations) Saying(kind string, id int64) (Saying, error) {
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
