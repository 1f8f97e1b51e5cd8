package port

import (
	"fmt"
	"time"
)

// EventKind says what happened.
type EventKind string

// The events that can hold a command. The first four are kinds of comments too.
const (
	IssueComment  EventKind = "issue_comment"
	ReviewComment EventKind = "review_comment"
	// Review is a review of a pull request, with a text of its own.
	Review EventKind = "review"
	// IssueBody is a new issue's own text.
	IssueBody EventKind = "issue"
	// Labeled says that a label was set on an issue or pull request, whose text is the comment.
	Labeled EventKind = "labeled"
	// Pressed says that a button of a check run was pressed. There is no comment.
	Pressed EventKind = "pressed"
	// Ticked says that somebody changed a comment of the app's own: boxes of a preview can be ticked.
	Ticked EventKind = "ticked"
	// Closed says that the issue or pull request was closed, merged, locked, moved or deleted. It asks nothing; as long as
	// it waits behind a run, that knows that something happened.
	Closed EventKind = "closed"
)

// Event is one delivery, reduced to what a run needs. It is what the queue stores, as JSON.
type Event struct {
	// Delivery is GitHub's GUID of the delivery; a redelivery keeps it.
	Delivery string    `json:"delivery"`
	Kind     EventKind `json:"kind"`
	// Action is GitHub's, as "created".
	Action   string    `json:"action"`
	Repo     RepoRef   `json:"repo"`
	Thread   Thread    `json:"thread"`
	Comment  Comment   `json:"comment"`
	Sender   User      `json:"sender"`
	Received time.Time `json:"received"`

	// Label is the one that was set.
	Label string `json:"label,omitempty"`
	// Button is the one that was pressed.
	Button *Button `json:"button,omitempty"`
	// Before is the comment's text before it was edited.
	Before string `json:"before,omitempty"`
	// Aside says that the event does not wait for the others of its thread.
	Immediate bool `json:"aside,omitempty"`

	// Lease is the token under which the event is in work; every record of its run carries it. Set by the queue's claim.
	Lease string `json:"-"`
	// Attempt counts the claims of this event, this one included. Set by the queue's claim.
	Attempt int `json:"-"`
	// Waited says that people were told that the event waits, or nearly so. Set by the queue's claim.
	Notified bool `json:"-"`
}

// Button is a pressed button of a check run.
type Button struct {
	Verb string `json:"verb"`
	// Run is the run that the check belongs to, Check the check's id.
	Run   string `json:"run"`
	Check int64  `json:"check"`
}

// ThreadKey names the issue or pull request; events with the same key are handled one at a time, in order, but for
// those aside.
func (e Event) ThreadKey() string { return fmt.Sprintf("%d#%d", e.Repo.ID, e.Thread.Number) }

// RepoRef names a repository and the installation through which it is reached.
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

// Thread is the issue or pull request.
type Thread struct {
	Number int    `json:"number"`
	Pull   bool   `json:"pull,omitempty"`
	Title  string `json:"title,omitempty"`
	// State is "open" or "closed".
	State  string `json:"state,omitempty"`
	Locked bool   `json:"locked,omitempty"`
	URL    string `json:"url,omitempty"`
}

// kind is what people call the thread.
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
	// Bot is true for apps, tenon too.
	Bot bool `json:"bot,omitempty"`
}

// Comment is what somebody wrote. Kind tells its two sorts apart, as their ids are from two sequences.
type Comment struct {
	Kind EventKind `json:"kind"`
	// ID is the issue's number for an IssueBody.
	ID int64 `json:"id"`
	// NodeID is GraphQL's id; of a Review, where REST knows no reactions.
	NodeID string `json:"node_id,omitempty"`
	URL    string `json:"url,omitempty"`
	Body   string `json:"body,omitempty"`
	Author User   `json:"author"`
	// Updated is when it was last edited, or made, by GitHub's clock; zero when unknown.
	Updated time.Time `json:"updated,omitzero"`

	// InReplyTo and what follows are a review comment's: the thread's first comment (0 for the first itself), and the
	// place.
	InReplyTo int64  `json:"in_reply_to,omitempty"`
	Path      string `json:"path,omitempty"`
	// StartLine and Line are lines of the file on Side; 0 when unknown or outdated.
	StartLine int    `json:"start_line,omitempty"`
	Line      int    `json:"line,omitempty"`
	Side      string `json:"side,omitempty"`
	Hunk      string `json:"hunk,omitempty"`
	// Commit is the SHA that the comment was made on.
	Commit string `json:"commit,omitempty"`
}
