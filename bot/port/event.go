package port

import (
	"fmt"
	"time"
)

// EventKind is what happened.
type EventKind string

// The kinds of events. The first four are also kinds of comments.
const (
	IssueComment  EventKind = "issue_comment"
	ReviewComment EventKind = "review_comment"
	// Review is a review of a pull request that has a text of its own.
	Review EventKind = "review"
	// IssueBody is the text of a new issue.
	IssueBody EventKind = "issue"
	// Labeled means that a label was set on an issue or pull request, whose text is the comment.
	Labeled EventKind = "labeled"
	// Pressed means that a button of a check run was pressed. There is no comment.
	Pressed EventKind = "pressed"
	// Ticked means that somebody edited a comment of the app, as by ticking a box of a preview.
	Ticked EventKind = "ticked"
	// Closed means that the issue or pull request was closed, merged, locked, transferred or deleted. It gives a command
	// only by labels of what was merged.
	Closed EventKind = "closed"
	// Following means that a commit of the app is followed to see what CI says of it. It gives no command, and has a
	// queue of its own.
	Following EventKind = "following"
	// Autofix means that CI failed on a commit of the app, and that the settings want it to be fixed. It gives the command
	// "fix ci" in the name of whoever asked for the commit.
	Autofix EventKind = "autofix"
	// OnPage means that somebody gave a command on the page of a run. There is no comment.
	OnPage EventKind = "page"
)

// Event is a webhook delivery, reduced to what a run needs. The queue stores it as JSON.
type Event struct {
	// Delivery is GitHub's GUID of the delivery; a redelivery keeps it.
	Delivery string    `json:"delivery"`
	Kind     EventKind `json:"kind"`
	// Action is GitHub's, such as "created".
	Action   string    `json:"action"`
	Repo     RepoRef   `json:"repo"`
	Thread   Thread    `json:"thread"`
	Comment  Comment   `json:"comment"`
	Sender   User      `json:"sender"`
	Received time.Time `json:"received"`
	// Private reports whether the repository was private; false also for an event that does not tell.
	Private bool `json:"private,omitempty"`

	// Label is the label that was set.
	Label string `json:"label,omitempty"`
	// Labels are those of a pull request that was merged which ask for a backport.
	Labels []string `json:"labels,omitempty"`
	// Opening means that the author set the label when opening the issue.
	Opening bool `json:"opening,omitempty"`
	// Button is the button that was pressed, on a check run or on the page of a run.
	Button *Button `json:"button,omitempty"`
	// Before is the comment's text before it was edited.
	Before string `json:"before,omitempty"`
	// Signed identifies what GitHub signed, for an event that has no other Origin: two deliveries with the same are one
	// that was sent twice.
	Signed string `json:"signed,omitempty"`
	// Immediate means that the event does not wait for the other events of its thread. The queue stores it apart.
	Immediate bool `json:"-"`

	// Followed is what a Following or an Autofix is about; nil for other events.
	Followed *Followed `json:"followed,omitempty"`

	// Lease is the token of the worker that handles the event; every write to its run needs it. Set by the queue's claim.
	Lease string `json:"-"`
	// Attempt counts the claims of the event, this one included. Set by the queue's claim.
	Attempt int `json:"-"`
	// Notified means that the notice of waiting was posted, or may have been. Set by the queue's claim.
	Notified bool `json:"-"`
	// Acknowledged means that the command got its eyes. Set by the queue's claim.
	Acknowledged bool `json:"-"`
}

// Button is a button of a check run, or of the page of a run.
type Button struct {
	Verb string `json:"verb"`
	// Run is the run of the check or page, Check the id of the check run; 0 on a page.
	Run   string `json:"run"`
	Check int64  `json:"check"`
	// Blocks are the numbers of the edits that were selected on a page; there are none for any other command than apply.
	Blocks []int `json:"blocks,omitempty"`
}

// Followed is a commit of the app whose checks are followed.
type Followed struct {
	// Commit is its full SHA, on Branch; Run is the run that made it.
	Commit string `json:"commit"`
	Branch string `json:"branch"`
	Run    string `json:"run"`
	// First is the run that a person asked for, and Round counts the rounds of autofix since then: 0 if Run is First. Of
	// an Autofix, it is the round that begins.
	First string `json:"first"`
	Round int    `json:"round,omitempty"`
	// Failures identify how CI failed before each round so far, that which an Autofix is to fix included, the newest last.
	// There are none if Run is First.
	Failures []string `json:"failures,omitempty"`
	// Check is a check run to make on Commit, which GitHub's limits had no room for; then that is all.
	Check *Check `json:"check,omitempty"`
}

// CheckLater is after what time it is tried again to make a check run that GitHub's limits had no room for.
const CheckLater = time.Minute

// ThreadKey identifies the issue or pull request. Events with the same key are handled one at a time and in order,
// except for immediate ones. Those of the kind Following have a key for each commit, and one for its check run.
func (e Event) ThreadKey() string {
	if e.Kind == Following && e.Followed != nil {
		if e.Followed.Check != nil {
			return fmt.Sprintf("%d@%s/check", e.Repo.ID, e.Followed.Commit)
		}
		return fmt.Sprintf("%d@%s", e.Repo.ID, e.Followed.Commit)
	}
	return fmt.Sprintf("%d#%d", e.Repo.ID, e.Thread.Number)
}

// RepoRef is a repository and the installation that gives access to it.
type RepoRef struct {
	Installation  int64  `json:"installation"`
	ID            int64  `json:"id"`
	NodeID        string `json:"node_id,omitempty"`
	Owner         string `json:"owner"`
	Name          string `json:"name"`
	DefaultBranch string `json:"default_branch,omitempty"`
	Archived      bool   `json:"archived,omitempty"`
}

// String returns "owner/name".
func (r RepoRef) String() string { return r.Owner + "/" + r.Name }

// Thread is an issue or pull request.
type Thread struct {
	Number int    `json:"number"`
	Pull   bool   `json:"pull,omitempty"`
	Title  string `json:"title,omitempty"`
	// State is "open" or "closed".
	State  string `json:"state,omitempty"`
	Locked bool   `json:"locked,omitempty"`
	URL    string `json:"url,omitempty"`
	// Text is the text of an issue at the time of an event that gives a command; nil for other events, and of a pull
	// request.
	Text *string `json:"text,omitempty"`
	// Head is the commit that the branch of a pull request pointed to at the time of an event that gives a command, as
	// GitHub says it there; empty for events that do not tell.
	Head string `json:"head,omitempty"`
}

// Kind returns "pull request" or "issue".
func (t Thread) Kind() string {
	if t.Pull {
		return "pull request"
	}
	return "issue"
}

// User is somebody on GitHub.
type User struct {
	ID    int64  `json:"id"`
	Login string `json:"login"`
	// Bot is true for apps, tenon included.
	Bot bool `json:"bot,omitempty"`
}

// Comment is a comment, a review or the text of an issue. Ids are unique among comments of one kind only.
type Comment struct {
	Kind EventKind `json:"kind"`
	// ID is the issue's number for an IssueBody.
	ID int64 `json:"id"`
	// NodeID is the id in GraphQL. It is needed for a Review, which has no reactions in REST.
	NodeID string `json:"node_id,omitempty"`
	URL    string `json:"url,omitempty"`
	Body   string `json:"body,omitempty"`
	Author User   `json:"author"`
	// App is the name in URLs of the GitHub App that wrote it on behalf of its author, as the delivery of a command says;
	// empty for what somebody wrote on GitHub.
	App string `json:"app,omitempty"`
	// Updated is when it was last edited, or else made, by GitHub's clock; zero if unknown.
	Updated time.Time `json:"updated,omitzero"`

	// The fields below are those of a review comment. InReplyTo is the first comment of its thread, 0 for the first
	// itself.
	InReplyTo int64  `json:"in_reply_to,omitempty"`
	Path      string `json:"path,omitempty"`
	// StartLine and Line are lines of the file on Side; 0 if unknown or outdated.
	StartLine int    `json:"start_line,omitempty"`
	Line      int    `json:"line,omitempty"`
	Side      string `json:"side,omitempty"`
	Hunk      string `json:"hunk,omitempty"`
	// Commit is the SHA of the commit that the comment was made on.
	Commit string `json:"commit,omitempty"`
}
