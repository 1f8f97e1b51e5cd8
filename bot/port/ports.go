package port

// GitHub is what the bot asks of GitHub's API (ports_github.go). It acts as the installation that RepoRef names.
//
// Safe for concurrent use. Errors that a retry may heal say so by RetryAfter() time.Duration, hopeless ones by
// Permanent() bool (see errors.go).
type GitHub interface {
	Access
	Threads
	Pulls
	Checks
	Branches
}

// The permissions, weakest first.
const (
	PermissionNone     Permission = "none"
	PermissionRead     Permission = "read"
	PermissionTriage   Permission = "triage"
	PermissionWrite    Permission = "write"
	PermissionMaintain Permission = "maintain"
	PermissionAdmin    Permission = "admin"
)

// Reaction is one of GitHub's reactions, by its API name.
type Reaction string

// The reactions that the bot uses.
const (
	ReactionEyes     Reaction = "eyes"
	ReactionRocket   Reaction = "rocket"
	ReactionConfused Reaction = "confused"
	ReactionDown     Reaction = "-1"
)

// PullRequest is a pull request's state.
type PullRequest struct {
	Number int
	Title  string
	// State is "open" or "closed".
	State  string
	Merged bool
	Locked bool
	Draft  bool
	Head   Head
	// Base is the branch it would be merged into.
	Base string
	// Maintainable says that its author lets maintainers of the base push to the head, which is in a fork.
	Maintainable bool
	URL          string
}

// Head is the branch of a pull request.
type Head struct {
	// Repo is zero when the fork is gone. User says that it belongs to a person, not to an organisation.
	Repo   RepoRef
	User   bool
	Branch string
	SHA    string
}

// BytesPerToken is what a token is taken as, where no provider has counted.
const BytesPerToken = 3

// Tokens is about how many tokens the request has, at BytesPerToken.
func (r Request) Tokens() int64 {
	n := len(r.System)
	for _, m := range r.Messages {
		n += len(m.Text)
	}
	return int64(n) / BytesPerToken
}
