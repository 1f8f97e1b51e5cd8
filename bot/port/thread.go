package port

// Place is where a comment is made.
type Place struct {
	Number int
	// Kind is IssueComment for the conversation, Review for a review of the pull request, and ReviewComment for a review
	// thread.
	Kind EventKind
	// To is any comment of the review thread; nil for the other kinds.
	To *Comment
}

// Issue is the state of an issue.
type Issue struct {
	Number int
	Title  string
	Body   string
	// State is "open" or "closed".
	State  string
	Locked bool
	Author User
	// Repo is "owner/name" of the repository that it is in, which changes when the issue is transferred.
	Repo string
	URL  string
}

// Reaction is one of GitHub's reactions, by its name in the API.
type Reaction string

// The reactions that the bot uses.
const (
	ReactionEyes     Reaction = "eyes"
	ReactionRocket   Reaction = "rocket"
	ReactionConfused Reaction = "confused"
	ReactionDown     Reaction = "-1"
)
