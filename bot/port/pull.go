package port

// PullRequest is the state of a pull request.
type PullRequest struct {
	Number int
	// NodeID is the id in GraphQL.
	NodeID string
	Title  string
	// Body is the description.
	Body   string
	Author User
	// State is "open" or "closed".
	State  string
	Merged bool
	Locked bool
	Draft  bool
	Head   Head
	// Base is the branch that it is to be merged into.
	Base string
	// MergeCommit is the commit that its base was moved to when it was merged, in full; of one that is not merged, it
	// means nothing.
	MergeCommit string
	// Maintainable means that its author lets maintainers of the base push to the head, which is in a fork.
	Maintainable bool
	// Archived means that its repository is archived, and takes no changes.
	Archived bool
	// DefaultBranch is the default branch of its repository.
	DefaultBranch string
	URL           string
}

// PullState is whether a pull request takes changes, its base, and the default branch of its repository.
type PullState struct {
	// State, Merged, Locked and Archived are those of PullRequest.
	State                    string
	Merged, Locked, Archived bool
	// Base is the branch that it is to be merged into; empty if that is unknown.
	Base string
	// DefaultBranch is the default branch, Default the commit that it points to; both are empty if there is none.
	DefaultBranch, Default string
}

// Head is the branch of a pull request.
type Head struct {
	// Repo is zero if the fork was deleted. User means that it belongs to a person, not to an organization.
	Repo RepoRef
	User bool
	// Exposed means that people can read its repository who cannot read that of the base.
	Exposed bool
	Branch  string
	SHA     string
}

// ChangedFile is a file that a pull request changes.
type ChangedFile struct {
	Path string
	// Patch is its part of the diff, from the first "@@" on; empty if GitHub shows none.
	Patch string
}

// NewPull is a pull request to open.
type NewPull struct {
	Title, Body string
	// Head and Base are branches of the repository.
	Head, Base string
	Draft      bool
}

// ReviewThread is a thread of comments on a line of a diff.
type ReviewThread struct {
	// NodeID is the id in GraphQL.
	NodeID   string
	Outdated bool
	Path     string
	// Line is the line of the file at the head; 0 if the thread is outdated.
	Line     int
	Comments []Comment
}

// Suggestion is a suggested change of lines of a pull request's diff, on its new side.
type Suggestion struct {
	Path string
	// Line is the last of the lines. StartLine is the first, or 0 if there is only one.
	StartLine, Line int
	Body            string
}
