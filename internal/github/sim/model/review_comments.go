package model

import (
	"time"
)

// ReviewComment is a comment on the diff of a pull request.
type ReviewComment struct {
	ID, Review       int64
	Order            int64 // among all that is said
	Issue            *Issue
	User             *User
	ViaApp           bool
	Body             string
	ReplyTo          int64 // the thread's first comment, 0 for the first itself
	Thread           *ReviewThread
	Path, Hunk       string
	Commit, Original string // the commit that line counts in, and the one that originalLine does
	Side, StartSide  string
	Line, Start      int // 0 when outdated, or for a whole file
	OriginalLine     int
	OriginalStart    int
	WholeFile        bool
	Created, Updated time.Time
	Reactions        []*Reaction
}

// NewReviewComment is a review comment to create.
type NewReviewComment struct {
	Body        *string `json:"body"`
	CommitID    *string `json:"commit_id"`
	Path        *string `json:"path"`
	Line        *int    `json:"line"`
	Side        string  `json:"side"`
	StartLine   *int    `json:"start_line"`
	StartSide   string  `json:"start_side"`
	Position    *int    `json:"position"`
	InReplyTo   *int64  `json:"in_reply_to"`
	SubjectType string  `json:"subject_type"`
}

const NoteResource = "PullRequestReviewComment"

// Position returns the line's position in the comment's hunk, or 0 if the comment is outdated.
func (rc *ReviewComment) Position() int {
	if rc.Line == 0 {
		return 0
	}
	n := 0
	for _, c := range rc.Hunk {
		if c == '\n' {
			n++
		}
	}
	return n
}

func (rc *ReviewComment) ReplyWith(body string) *ReviewComment {
	reply := *rc
	reply.Body, reply.ReplyTo, reply.Reactions = body, rc.ID, nil
	return &reply
}
