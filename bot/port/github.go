package port

import (
	"context"
	"time"
)

// The parts of GitHub, by what they are about.

// Access tells who may do what, and where.
type Access interface {
	// Permission asks what login may do here. An error means: nothing.
	Permission(ctx context.Context, repo RepoRef, login string) (Permission, error)
	// Repository asks for the repository by its id, so that one that was renamed or moved to another owner is found: its
	// name, default branch and whether it is archived, as of now. ErrNotFound when it is gone, or no longer the
	// installation's.
	Repository(ctx context.Context, repo RepoRef) (RepoRef, error)
	// Sibling finds another repository of the same owner, as the installation reaches it. ErrNotFound: none that can be
	// seen. ErrDenied: there is one, which is not part of the installation.
	Sibling(ctx context.Context, repo RepoRef, name string) (RepoRef, error)
}

// Threads are issues, conversations and what is said in them.
type Threads interface {
	// Issue reads an issue, or a pull request as an issue. ErrNotFound when it was deleted.
	Issue(ctx context.Context, repo RepoRef, number int) (Issue, error)
	// Post says something, at a place. ErrNotFound when the place is gone.
	Post(ctx context.Context, repo RepoRef, at Place, body string) (Comment, error)
	// Edit puts another body in the place of that of an own comment, of any kind. ErrNotFound when it was deleted.
	Edit(ctx context.Context, repo RepoRef, number int, c Comment, body string) error
	// Progress is Edit for what is worth nothing when it is late: an error rather than a wait where GitHub's limits are
	// near.
	Progress(ctx context.Context, repo RepoRef, number int, c Comment, body string) error
	// Reread reads a comment as it is now. ErrNotFound when it was deleted.
	Comment(ctx context.Context, repo RepoRef, number int, c Comment) (Comment, error)
	// FindAnswer looks at a place for a comment of the app's own that holds marker, made since the given time; ok is false
	// when there is none.
	FindComment(ctx context.Context, repo RepoRef, at Place, marker string, since time.Time) (c Comment, ok bool,
		err error)
	// Remarks returns the newest comments of replyTo's thread when that is a review comment, else of the conversation,
	// oldest first, a hundred at most.
	Comments(ctx context.Context, repo RepoRef, number int, replyTo *Comment) ([]Comment, error)
	// React adds a reaction of the app to a comment of any kind; adding it twice is one.
	React(ctx context.Context, repo RepoRef, c Comment, r Reaction) error
}

// Pulls are pull requests.
type Pulls interface {
	PullRequest(ctx context.Context, repo RepoRef, number int) (PullRequest, error)
	// ChangedFiles lists what a pull request changes and does not delete, at most 300 files.
	ChangedFiles(ctx context.Context, repo RepoRef, number int) ([]ChangedFile, error)
	// FindPull finds the newest pull request from a branch of this repository, of any state.
	FindPull(ctx context.Context, repo RepoRef, branch string) (p PullRequest, ok bool, err error)
	// CreatePull opens a pull request. Where the repository's plan has no drafts, it is an ordinary one.
	CreatePull(ctx context.Context, repo RepoRef, p NewPull) (PullRequest, error)
	// UnresolvedThreads lists the review threads of a pull request that nobody has resolved, a hundred at most, each with
	// its comments, oldest first, a hundred at most.
	UnresolvedThreads(ctx context.Context, repo RepoRef, number int) ([]ReviewThread, error)
	// Suggest makes a review with a note on each of the places, which must be lines of the pull request's diff at sha.
	Suggest(ctx context.Context, repo RepoRef, number int, sha, body string, notes []Suggestion) (Comment, error)
}

// Checks are check runs.
type Checks interface {
	// CreateCheck makes a check run on a commit and returns its id.
	CreateCheck(ctx context.Context, repo RepoRef, c Check) (int64, error)
	// UpdateCheck changes a check run; empty fields stay as they are. More annotations than GitHub takes at once go out in
	// turns.
	UpdateCheck(ctx context.Context, repo RepoRef, id int64, c Check) error
}

// Branches are commits, and what points at them.
type Branches interface {
	// FindCommit looks for text in the messages of the newest commits of a branch (100 at most); not ok where there is no
	// such branch.
	FindCommit(ctx context.Context, repo RepoRef, branch, text string) (sha string, ok bool, err error)
	// Upload makes a commit by GitHub's API, which signs it, and moves the branch to it if that still stands at the parent
	// (or, for a new one, does not exist): else ErrMoved, and the branch is as it was. *RejectedError carries GitHub's no
	// to the branch, ErrDenied its no to the token.
	Upload(ctx context.Context, repo RepoRef, u Upload) (sha string, err error)
}

// Place is where something is said.
type Place struct {
	Number int
	// Kind is IssueComment for the conversation, Review for a review of the pull request, ReviewComment for the thread of
	// To.
	Kind EventKind
	// To is any comment of the thread; for ReviewComment alone.
	To *Comment
}

// Issue is an issue's state.
type Issue struct {
	Number int
	Title  string
	Body   string
	// State is "open" or "closed".
	State  string
	Locked bool
	Author User
	// Repo is "owner/name" of where it is now, which is another repository after a transfer.
	Repo string
	URL  string
}

// ChangedFile is a file of a pull request.
type ChangedFile struct {
	Path string
	// Patch is its part of the diff, from the first "@@"; empty where GitHub shows none.
	Patch string
}

// NewPull is a pull request to be.
type NewPull struct {
	Title, Body string
	// Head and Base are branches of the repository.
	Head, Base string
	Draft      bool
}

// ReviewThread is a thread on a diff.
type ReviewThread struct {
	// NodeID is GraphQL's id.
	NodeID   string
	Outdated bool
	Path     string
	// Line is of the file at the head; 0 when outdated.
	Line     int
	Comments []Comment
}

// Note is a remark on lines of a pull request's diff, on its new side.
type Suggestion struct {
	Path string
	// StartLine is 0, or the first of several lines; Line is the last.
	StartLine, Line int
	Body            string
}

// Check is a check run; the zero value of a field leaves it out.
type Check struct {
	Name, SHA string
	// Run and Thread come back with a press of a button.
	Run    string
	Thread int
	// Status is "queued", "in_progress" or "completed"; Conclusion is for the last: "success", "neutral", "failure",
	// "cancelled".
	Status, Conclusion string
	// Title, Summary and Text are Markdown; GitHub takes 65,535 characters of each of the last two.
	Title, Summary, Text string
	// URL is where its details are.
	URL         string
	Annotations []Annotation
	// Buttons are at most three.
	Buttons []CheckButton
}

// Annotation is a remark of a check on lines of a file.
type Annotation struct {
	Path               string
	StartLine, EndLine int
	// Level is "notice", "warning" or "failure".
	Level, Title, Message string
}

// CheckButton is a button of a check: 20 characters of label, 40 of description, 20 of verb at most.
type CheckButton struct{ Label, Description, Verb string }

// Change is what staging did to a path.
type Change struct {
	Path string
	// Mode is git's, in octal: "100644" or "100755"; empty for a removed file.
	Mode string
	// Data is what the file holds; nil for a removed file, and for one that was moved without being loaded.
	Data []byte
	// Blob is the object's name; empty for a removed file.
	Blob string
}

// Removed says that the path is gone.
func (c Change) Removed() bool { return c.Mode == "" }

// Upload is a commit to make by the API.
type Upload struct {
	// Branch is a short name. New says that it must not exist yet.
	Branch string
	New    bool
	// Parent is the commit on which the changes stand, Tree that commit's tree.
	Parent, Tree string
	Changes      []Change
	Message      string
}
