package ghtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// Comment kinds, for Reactions.
const (
	IssueComment  = "issue comment"
	ReviewComment = "review comment"
	ReviewItself  = "review"
	IssueItself   = "issue"
)

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
func (s *Server) Comments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := s.withIssue(repo, number, func(is *issue) error {
		for _, c := range is.comments {
			list = append(list, Comment{ID: c.id, User: c.user.login, Body: c.body, Created: c.created, Updated: c.updated})
		}
		return nil
	})
	return list, err
}

// ReviewComments returns the comments on a pull request's diff, oldest first.
func (s *Server) ReviewComments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := s.withIssue(repo, number, func(is *issue) error {
		if is.pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, c := range is.pull.comments {
			list = append(list, Comment{ID: c.id, User: c.user.login, Body: c.body, Created: c.created, Updated: c.updated,
				InReplyTo: c.replyTo, Path: c.path, Line: c.line})
		}
		return nil
	})
	return list, err
}

// Review is a review as everybody can read it.
type Review struct {
	ID         int64
	User, Body string
	// State is GitHub's: "COMMENTED", "APPROVED" or "CHANGES_REQUESTED". Commit is the reviewed commit.
	State, Commit string
	Submitted     time.Time
}

// Reviews returns the submitted reviews of a pull request, oldest first. A single review comment makes a review too.
func (s *Server) Reviews(repo string, number int) ([]Review, error) {
	var list []Review
	err := s.withIssue(repo, number, func(is *issue) error {
		if is.pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, rv := range is.pull.reviews {
			if rv.state != reviewPending {
				list = append(list, Review{rv.id, rv.user.login, rv.body, rv.state, rv.commit, rv.submitted})
			}
		}
		return nil
	})
	return list, err
}

// Reaction is a user's reaction.
type Reaction struct{ User, Content string }

// Reactions returns the reactions to a comment, review or issue, oldest first. kind is one of the constants above, id
// the id of the comment, review or issue.
func (s *Server) Reactions(kind string, id int64) ([]Reaction, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var of []*reaction
	found := false
	switch kind {
	case IssueComment:
		if c := s.state.comments[id]; c != nil {
			of, found = c.reactions, true
		}
	case ReviewComment:
		if c := s.state.reviewComments[id]; c != nil {
			of, found = c.reactions, true
		}
	case ReviewItself:
		if rv := s.state.reviews[id]; rv != nil {
			of, found = rv.reactions, true
		}
	case IssueItself:
		for _, r := range s.state.repos {
			for _, is := range r.issues {
				if is.id == id {
					of, found = is.reactions, true
				}
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("no %s %d", kind, id)
	}
	list := make([]Reaction, len(of))
	for i, r := range of {
		list[i] = Reaction{r.user.login, r.content}
	}
	return list, nil
}

// Commit is a commit of a branch.
type Commit struct {
	SHA, Author, Email, Message string
	Parents                     []string
	// Verified is true if GitHub signed it.
	Verified bool
}

// Commits returns the commits of a branch, newest first, 1,000 at most.
func (s *Server) Commits(repo, branch string) ([]Commit, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	found, err := r.git.Log(r.git.Branch(branch), git.Filter{Max: maxLog})
	list := make([]Commit, len(found))
	for i, ci := range found {
		list[i] = Commit{SHA: ci.SHA, Author: ci.Author.Name, Email: ci.Author.Email, Parents: ci.Parents,
			Message: strings.TrimSuffix(ci.Message, "\n"), Verified: s.state.signed[ci.SHA]}
	}
	return list, err
}

// File returns a file's content at the tip of a branch.
func (s *Server) File(repo, branch, path string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	return r.git.File(r.git.Branch(branch), path)
}

// Git returns the git repository of a repository, to inspect it.
func (s *Server) Git(repo string) (*git.Repository, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	return r.git, nil
}

// CheckRun is a check run of the App.
type CheckRun struct {
	ID                   int64
	Name, HeadSHA        string
	Status, Conclusion   string
	Title, Summary, Text string
	Annotations          int
	// Actions are the identifiers of its buttons.
	Actions []string
	// ExternalID and Page are the App's.
	ExternalID, Page string
	Notes            []Annotation
	Buttons          []Button
}

// Button is a button of a check run.
type Button struct{ Label, Description, Identifier string }

// CheckRuns returns the check runs of the App in a repository, oldest first.
func (s *Server) CheckRuns(repo string) ([]CheckRun, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return nil, err
	}
	var list []CheckRun
	for _, id := range slices.Sorted(maps.Keys(s.state.checks)) {
		run := s.state.checks[id]
		if run.repo != r || !run.isOwn() {
			continue
		}
		c := CheckRun{ID: id, Name: run.name, HeadSHA: run.headSHA, Status: run.status, Conclusion: run.conclusion,
			Title: run.title, Annotations: len(run.annotations), ExternalID: run.externalID, Page: run.details}
		set(&c.Summary, run.summary)
		set(&c.Text, run.text)
		for _, a := range run.actions {
			c.Actions = append(c.Actions, *a.Identifier)
			c.Buttons = append(c.Buttons, Button{*a.Label, *a.Description, *a.Identifier})
		}
		for _, a := range run.annotations {
			c.Notes = append(c.Notes, Annotation{Path: *a.Path, Line: *a.StartLine, EndLine: *a.EndLine, Level: a.Level,
				Message: *a.Message, Title: a.Title, RawDetails: a.RawDetails})
		}
		list = append(list, c)
	}
	return list, nil
}
