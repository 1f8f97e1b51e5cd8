package entity

import (
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
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
	Commit, Original string // the commit that Line counts in, and the one that OriginalLine does
	Side, StartSide  string // "LEFT" or "RIGHT" of the diff
	Line, Start      int    // 0 when outdated, or for a whole file
	OriginalLine     int
	OriginalStart    int
	WholeFile        bool
	Created, Updated time.Time
	Reactions        []*Reaction
}

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

// ReplyWith returns a reply to the comment, the first of its thread, without an author and an id of its own.
func (rc *ReviewComment) ReplyWith(body string) *ReviewComment {
	reply := *rc
	reply.Body, reply.ReplyTo, reply.Reactions = body, rc.ID, nil
	return &reply
}

// ReviewThread is the state of a review thread.
type ReviewThread struct {
	ID       int64
	Resolved *User // who resolved it, nil while it is open
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

// ReviewCommentResource is what GitHub's errors call a review comment.
const ReviewCommentResource = "PullRequestReviewComment"

// PutOn sets the lines and the hunk of a new comment: those of the input, which the file's diff must contain.
func (rc *ReviewComment) PutOn(f *git.FileDiff, in NewReviewComment) error {
	outside := func(field, message string) error {
		name := "pull_request_review_thread." + field
		return Invalid(ReviewCommentResource, name, "custom", name+" "+message)
	}
	if in.Position != nil && in.Line == nil {
		// "The position value equals the number of lines down from the first "@@" hunk header": the header itself is 0.
		if *in.Position < 1 || *in.Position >= len(f.Lines) {
			return outside("position", "is invalid")
		}
		d := f.Lines[*in.Position]
		if rc.Side, rc.Line = "RIGHT", d.Right; d.Right == 0 {
			rc.Side, rc.Line = "LEFT", d.Left
		}
		rc.Hunk = f.HunkUpTo(*in.Position)
		return nil
	}
	if in.Line == nil {
		return NotSupplied("line")
	}
	if rc.Side != "LEFT" && rc.Side != "RIGHT" {
		return Invalid(ReviewCommentResource, "side", "invalid", "")
	}
	at := f.Find(rc.Side, *in.Line)
	if at < 0 {
		return outside("line", "must be part of the diff")
	}
	rc.Line, rc.Hunk = *in.Line, f.HunkUpTo(at)
	if in.StartLine == nil {
		return nil
	}
	rc.Start, rc.StartSide = *in.StartLine, OrElse(in.StartSide, rc.Side)
	from := f.Find(rc.StartSide, rc.Start)
	switch {
	case from < 0 || f.Lines[from].Hunk != f.Lines[at].Hunk:
		return outside("start_line", "must be part of the same hunk as the line.")
	case from >= at:
		return outside("start_line", "must precede the end line.")
	}
	return nil
}
