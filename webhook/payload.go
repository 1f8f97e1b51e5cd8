package webhook

import (
	"cmp"
	"errors"
	"regexp"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// payload has the fields that tenon needs, of all events. Others are not decoded, so that a field that GitHub adds or
// changes does not make a delivery invalid.
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
	// noApp is the receiver's.
	noApp bool
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
	Private       bool   `json:"private"`
	HTMLURL       string `json:"html_url"`
}

// app is a GitHub App.
type app struct {
	Slug string `json:"slug"`
}

// unknownSlug stands for the name of an App that has none in the payload: no App has it.
const unknownSlug = "?"

// via returns the name of the App through which a user wrote something, "" for none.
func (a *app) via() string {
	if a == nil {
		return ""
	}
	return cmp.Or(a.Slug, unknownSlug)
}

type label struct {
	Name string `json:"name"`
}

// changes are those of an action.
type changes struct {
	// Body is set if a text was edited.
	Body *struct {
		From string `json:"from"`
	} `json:"body"`
	// OldIssue is set for an issue that was transferred from another repository, which GitHub calls opened too.
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
	// Labels are those that it has. Merged is that of a pull request.
	Labels []label `json:"labels"`
	Merged bool    `json:"merged"`
	// Via is the App that opened it on behalf of the user.
	Via *app `json:"performed_via_github_app"`
	// PullRequest is set for an issue that is a pull request: GitHub calls both issues.
	PullRequest *struct{} `json:"pull_request"`
	// Head is set for a pull request; an issue that is one has none.
	Head struct {
		SHA string `json:"sha"`
	} `json:"head"`
}

func (t thread) event(pull bool) port.Thread {
	return port.Thread{Number: t.Number, Pull: pull, Title: t.Title, State: t.State, Locked: t.Locked, URL: t.HTMLURL}
}

// commanded is event for an event that gives a command, which may be about the text of an issue, or changes the branch
// of a pull request as it is now.
func (t thread) commanded(pull bool) port.Thread {
	out := t.event(pull)
	if !pull {
		out.Text = &t.Body
	} else if objectID.MatchString(t.Head.SHA) {
		out.Head = t.Head.SHA
	}
	return out
}

// objectID matches the name of a git object.
var objectID = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// text returns the text of an issue or pull request as a comment.
func (t thread) text() port.Comment {
	return port.Comment{
		Kind: port.IssueBody, ID: int64(t.Number), URL: t.HTMLURL, Body: t.Body, Author: t.User.event(),
		Updated: parseTime(t.UpdatedAt), App: t.Via.via(),
	}
}

// opening is how soon after the opening of an issue its first labels are set.
const opening = 10 * time.Second

// justOpened reports whether the thread was opened just before its last update.
func (t thread) justOpened() bool {
	return parseTime(t.UpdatedAt).Sub(parseTime(t.CreatedAt)) < opening
}

// comment is a comment or a review.
type comment struct {
	ID      int64  `json:"id"`
	NodeID  string `json:"node_id"`
	HTMLURL string `json:"html_url"`
	Body    string `json:"body"`
	User    user   `json:"user"`
	// Via is the App that wrote it on behalf of the user.
	Via *app `json:"performed_via_github_app"`
	// UpdatedAt is RFC 3339.
	UpdatedAt string `json:"updated_at"`
	// SubmittedAt is that of a review, which has no updated_at.
	SubmittedAt string `json:"submitted_at"`

	// The fields of a review comment. The lines are those of commit_id (original_line is that of original_commit_id), and
	// null if the lines are no longer in the diff or the comment is on the whole file.
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
	out := port.Comment{
		Kind: kind, ID: c.ID, URL: c.HTMLURL, Body: c.Body, Author: c.User.event(), Updated: parseTime(c.UpdatedAt),
		App: c.Via.via(),
	}
	switch kind {
	case port.Review:
		out.NodeID, out.Updated = c.NodeID, parseTime(c.SubmittedAt)
		return out
	case port.IssueComment:
		return out
	}
	out.InReplyTo, out.Path, out.Hunk, out.Commit = c.InReplyTo, c.Path, c.DiffHunk, c.CommitID
	out.Line, out.Side = c.Line, c.Side
	// A range may start on the other side of the diff, and then in another file than Line.
	if c.StartSide == c.Side {
		out.StartLine = c.StartLine
	}
	return out
}

// parseTime parses a time in GitHub's format. It returns the zero time for anything else.
func parseTime(stamp string) time.Time {
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}

// receiver is for whom an event is decoded.
type receiver struct {
	// slug is the name by which comments address tenon, "" while it is unknown. login is the account that writes tenon's
	// comments.
	slug, login string
	// noApp is true if there is no App, so that events name no installation of it.
	noApp bool
}

func appReceiver(slug string) receiver { return receiver{slug: slug, login: slug + "[bot]"} }

// ErrUnneeded is the error for a valid event that tenon does not need.
var ErrUnneeded = errors.New("not needed")

// checkRun is a check run, with the external id that tenon gave it.
type checkRun struct {
	ID int64 `json:"id"`
	// ExternalID is the run's id and the number of its thread: "k3v9x1p7q2m4/17".
	ExternalID string `json:"external_id"`
	App        struct {
		Slug string `json:"slug"`
	} `json:"app"`
	// PullRequests are the open pull requests of this repository whose head is the check's commit.
	PullRequests []struct {
		Number int `json:"number"`
	} `json:"pull_requests"`
}

type requested struct {
	Identifier string `json:"identifier"`
}
