package entity

import (
	"slices"
	"strings"
	"time"
)

// Issue is an issue, or a pull request if Pull is set.
type Issue struct {
	ID            int64
	Number        int
	Repo          *Repository
	Title, Body   string
	User          *User
	Open          bool
	StateReason   string
	Locked        bool
	LockReason    string
	Gone          bool   // deleted: 410 from then on
	TransferredTo *Issue // the issue in the other repository; Gone is true too
	Labels        []*Label
	Comments      []*Comment
	Reactions     []*Reaction
	Created       time.Time
	Updated       time.Time
	Closed        *time.Time
	ClosedBy      *User
	Pull          *Pull
}

// HasLabels reports whether an issue has all labels of a comma-separated list.
func (is *Issue) HasLabels(names string) bool {
	for name := range strings.SplitSeq(names, ",") {
		if name != "" && !slices.ContainsFunc(is.Labels, func(l *Label) bool { return strings.EqualFold(l.Name, name) }) {
			return false
		}
	}
	return true
}

// LockedFor reports whether a user cannot comment in a locked conversation: "only people with write access can add
// comments". It is not documented whether an App's write permission counts; here it does not.
func (is *Issue) LockedFor(u *User) bool { return is.Locked && !is.Repo.RoleOf(u).AtLeast(RoleWrite) }

// Label is a label of a repository; Color is six hexadecimal digits.
type Label struct {
	ID                       int64
	Name, Color, Description string
}

// MaxText is GitHub's limit for the body of a comment, review, issue or pull request, in characters.
const MaxText = 65536

// Comment is a comment in the conversation of an issue or pull request.
type Comment struct {
	ID               int64
	Issue            *Issue
	User             *User
	ViaApp           bool
	OtherApp         string // the slug of another App through which the user wrote it
	Order            int64  // among all that is said
	Body             string
	Created, Updated time.Time
	Reactions        []*Reaction
}

// Reaction is a user's reaction to what was said; Content is GitHub's name, such as "+1".
type Reaction struct {
	ID      int64
	User    *User
	Content string
	Created time.Time
}
