package sim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
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
func (s talk) Comments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		for _, c := range is.Comments {
			list = append(list, Comment{ID: c.ID, User: c.User.Login, Body: c.Body, Created: c.Created, Updated: c.Updated})
		}
		return nil
	})
	return list, err
}

// ReviewComments returns the comments on a pull request's diff, oldest first.
func (s reviews) ReviewComments(repo string, number int) ([]Comment, error) {
	var list []Comment
	err := Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, c := range is.Pull.Comments {
			list = append(list, Comment{ID: c.ID, User: c.User.Login, Body: c.Body, Created: c.Created, Updated: c.Updated,
				InReplyTo: c.ReplyTo, Path: c.Path, Line: c.Line})
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
func (s reviews) Reviews(repo string, number int) ([]Review, error) {
	var list []Review
	err := Threads(s).withIssue(repo, number, func(is *model.Issue) error {
		if is.Pull == nil {
			return fmt.Errorf("%s#%d is no pull request", repo, number)
		}
		for _, rv := range is.Pull.Reviews {
			if rv.State != model.ReviewPending {
				list = append(list, Review{rv.ID, rv.User.Login, rv.Body, rv.State, rv.Commit, rv.Submitted})
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
func (s talk) Reactions(kind string, id int64) ([]Reaction, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	var of []*model.Reaction
	found := false
	switch kind {
	case IssueComment:
		if c := s.State.Comments[id]; c != nil {
			of, found = c.Reactions, true
		}
	case ReviewComment:
		if c := s.State.ReviewComments[id]; c != nil {
			of, found = c.Reactions, true
		}
	case ReviewItself:
		if rv := s.State.Reviews[id]; rv != nil {
			of, found = rv.Reactions, true
		}
	case IssueItself:
		for _, r := range s.State.Repos {
			for _, is := range r.Issues {
				if is.ID == id {
					of, found = is.Reactions, true
				}
			}
		}
	}
	if !found {
		return nil, fmt.Errorf("no %s %d", kind, id)
	}
	list := make([]Reaction, len(of))
	for i, r := range of {
		list[i] = Reaction{r.User.Login, r.Content}
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
func (s repositories) Commits(repo, branch string) ([]Commit, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	found, err := r.Git.Log(r.Git.Branch(branch), git.Filter{Max: MaxLog})
	list := make([]Commit, len(found))
	for i, ci := range found {
		list[i] = Commit{SHA: ci.SHA, Author: ci.Author.Name, Email: ci.Author.Email, Parents: ci.Parents,
			Message: strings.TrimSuffix(ci.Message, "\n"), Verified: s.State.Signed[ci.SHA]}
	}
	return list, err
}

// File returns a file's content at the tip of a branch.
func (s repositories) File(repo, branch, path string) ([]byte, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	return r.Git.File(r.Git.Branch(branch), path)
}

// Git returns the git repository of a repository, to inspect it.
func (s repositories) Git(repo string) (*git.Repository, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	return r.Git, nil
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
func (s Checks) CheckRuns(repo string) ([]CheckRun, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	var list []CheckRun
	for _, id := range slices.Sorted(maps.Keys(s.State.Checks)) {
		run := s.State.Checks[id]
		if run.Repo != r || !run.IsOwn() {
			continue
		}
		c := CheckRun{ID: id, Name: run.Name, HeadSHA: run.HeadSHA, Status: run.Status, Conclusion: run.Conclusion,
			Title: run.Title, Annotations: len(run.Annotations), ExternalID: run.ExternalID, Page: run.Details}
		model.Set(&c.Summary, run.Summary)
		model.Set(&c.Text, run.Text)
		for _, a := range run.Actions {
			c.Actions = append(c.Actions, *a.Identifier)
			c.Buttons = append(c.Buttons, Button{*a.Label, *a.Description, *a.Identifier})
		}
		for _, a := range run.Annotations {
			c.Notes = append(c.Notes, Annotation{Path: *a.Path, Line: *a.StartLine, EndLine: *a.EndLine, Level: a.Level,
				Message: *a.Message, Title: a.Title, RawDetails: a.RawDetails})
		}
		list = append(list, c)
	}
	return list, nil
}
