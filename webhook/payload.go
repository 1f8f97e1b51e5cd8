package webhook

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// payload is what tenon reads of a delivery, of all events that it needs. Everything else is skipped, so that a field that
// GitHub adds or changes elsewhere never refuses a command.
type payload struct {
	Action       string     `json:"action"`
	Installation ref        `json:"installation"`
	Repository   repository `json:"repository"`
	Sender       user       `json:"sender"`
	Issue        *thread    `json:"issue"`
	PullRequest  *thread    `json:"pull_request"`
	Comment      *comment   `json:"comment"`
	Review       *comment   `json:"review"`
	Label        *label     `json:"label"`
	CheckRun     *checkRun  `json:"check_run"`
	Requested    *requested `json:"requested_action"`
	Changes      changes    `json:"changes"`
}

type ref struct {
	ID int64 `json:"id"`
}

type repository struct {
	ID            int64  `json:"id"`
	NodeID        string `json:"node_id"`
	Name          string `json:"name"`
	Owner         user   `json:"owner"`
	DefaultBranch string `json:"default_branch"`
	Archived      bool   `json:"archived"`
	HTMLURL       string `json:"html_url"`
}

type label struct {
	Name string `json:"name"`
}

// changes is what an action changed.
type changes struct {
	// Body is there where a text was edited.
	Body *struct {
		From string `json:"from"`
	} `json:"body"`
	// OldIssue is there in an issue that came from another repository, which GitHub calls opened too.
	OldIssue *struct{} `json:"old_issue"`
}

type user struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	Type  string `json:"type"`
}

func (u user) event() port.User {
	return port.User{ID: u.ID, Login: u.Login, Bot: u.Type == "Bot"}
}

func (p payload) repo() port.RepoRef {
	return port.RepoRef{
		Installation:  p.Installation.ID,
		ID:            p.Repository.ID,
		NodeID:        p.Repository.NodeID,
		Owner:         p.Repository.Owner.Login,
		Name:          p.Repository.Name,
		DefaultBranch: p.Repository.DefaultBranch,
		Archived:      p.Repository.Archived,
	}
}

// thread is an issue or a pull request.
type thread struct {
	Number  int    `json:"number"`
	Title   string `json:"title"`
	State   string `json:"state"`
	Locked  bool   `json:"locked"`
	HTMLURL string `json:"html_url"`
	Body    string `json:"body"`
	User    user   `json:"user"`
	// CreatedAt and UpdatedAt are RFC 3339.
	CreatedAt string `json:"created_at"`
	UpdatedAt string `json:"updated_at"`
	// PullRequest is there in an issue that is a pull request: GitHub calls both issues.
	PullRequest *struct{} `json:"pull_request"`
}

func (t thread) event(pull bool) port.Thread {
	return port.Thread{Number: t.Number, Pull: pull, Title: t.Title, State: t.State, Locked: t.Locked, URL: t.HTMLURL}
}

// text is what an issue or pull request says, as a comment.
func (t thread) text() port.Comment {
	return port.Comment{Kind: port.IssueBody, ID: int64(t.Number), URL: t.HTMLURL, Body: t.Body, Author: t.User.event(), Updated: moment(t.UpdatedAt)}
}

// opening is how soon after an issue those labels are set that it was opened with.
const opening = 10 * time.Second

func (t thread) justOpened() bool {
	return moment(t.UpdatedAt).Sub(moment(t.CreatedAt)) < opening
}

// comment is a comment or a review.
type comment struct {
	ID      int64  `json:"id"`
	NodeID  string `json:"node_id"`
	HTMLURL string `json:"html_url"`
	Body    string `json:"body"`
	User    user   `json:"user"`
	// UpdatedAt is RFC 3339.
	UpdatedAt string `json:"updated_at"`
	// SubmittedAt is that of a review, which has no updated_at.
	SubmittedAt string `json:"submitted_at"`

	// What follows is a review comment's. The lines are of commit_id (original_line is of original_commit_id), and null when
	// the place is gone from the diff or the comment is on the whole file.
	InReplyTo int64  `json:"in_reply_to_id"`
	Path      string `json:"path"`
	StartLine int    `json:"start_line"`
	StartSide string `json:"start_side"`
	Line      int    `json:"line"`
	Side      string `json:"side"`
	DiffHunk  string `json:"diff_hunk"`
	CommitID  string `json:"commit_id"`
}

func (c comment) event(kind port.EventKind) port.Comment {
	out := port.Comment{Kind: kind, ID: c.ID, URL: c.HTMLURL, Body: c.Body, Author: c.User.event(), Updated: moment(c.UpdatedAt)}
	switch kind {
	case port.Review:
		out.NodeID, out.Updated = c.NodeID, moment(c.SubmittedAt)
		return out
	case port.IssueComment:
		return out
	}
	out.InReplyTo, out.Path, out.Hunk, out.Commit = c.InReplyTo, c.Path, c.DiffHunk, c.CommitID
	out.Line, out.Side = c.Line, c.Side
	// A range may start on the other side of the diff: that line is of another file than Line.
	if c.StartSide == c.Side {
		out.StartLine = c.StartLine
	}
	return out
}

// moment is a time as GitHub writes it; zero when it is none.
func moment(stamp string) time.Time {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
