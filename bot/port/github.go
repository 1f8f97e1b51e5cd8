package port

import (
	"context"
	"time"
)

// GitHub is what the bot needs of GitHub's API. Calls act as the installation that their RepoRef names. Safe for
// concurrent use.
type GitHub interface {
	Forge
	CI
	Verification
}

// Access tells who may do what, and where.
type Access interface {
	// Permission returns what login may do in a repository. After an error, take it as nothing.
	Permission(ctx context.Context, repo RepoRef, login string) (Permission, error)
	// Prepare announces what will be done, so that the token for it can be requested while the caller waits for something
	// else. It returns at once and changes nothing: a token that is not there is requested when it is needed.
	Prepare(repo RepoRef, p Purpose)
	// Repository looks a repository up by its id, which it keeps when it is renamed or transferred, and returns its
	// present name, its default branch and whether it is archived. ErrNotFound if it was deleted or is no longer part of
	// the installation.
	Repository(ctx context.Context, repo RepoRef) (RepoRef, error)
	// Sibling finds another repository of the same owner, to be reached by the same installation. ErrNotFound if there is
	// none that the installation can see, ErrDenied if it is not part of the installation.
	Sibling(ctx context.Context, repo RepoRef, name string) (RepoRef, error)
}

// Purpose is what a run does on GitHub for which it needs a token of its own.
type Purpose int

// The purposes that can be announced.
const (
	// Answering makes comments and check runs.
	Answering Purpose = iota
	// Committing makes commits.
	Committing
)

// Threads are issues and pull requests with their comments.
type Threads interface {
	// Issue reads an issue, or a pull request as an issue. ErrNotFound if it was deleted.
	Issue(ctx context.Context, repo RepoRef, number int) (Issue, error)
	// Post makes a comment at a place. ErrNotFound if the place was deleted.
	Post(ctx context.Context, repo RepoRef, at Place, body string) (Comment, error)
	// Announce is Post for a body that is not needed, because Post can follow later: near GitHub's rate limits it returns
	// a *WaitError instead of waiting.
	Announce(ctx context.Context, repo RepoRef, at Place, body string) (Comment, error)
	// Notify is Announce for a body that says that a command waits. Few of these are posted, so that they leave room for
	// answers: four in a minute.
	Notify(ctx context.Context, repo RepoRef, at Place, body string) (Comment, error)
	// Edit replaces the body of a comment of the app, of any kind. ErrNotFound if it was deleted.
	Edit(ctx context.Context, repo RepoRef, number int, c Comment, body string) error
	// Progress is Edit for a body that is soon out of date: near GitHub's rate limits it returns an error instead of
	// waiting.
	Progress(ctx context.Context, repo RepoRef, number int, c Comment, body string) error
	// Comment reads a comment as it is now. ErrNotFound if it was deleted.
	Comment(ctx context.Context, repo RepoRef, number int, c Comment) (Comment, error)
	// FindComment looks at a place for a comment of the app that contains marker and was made since a time, but for those
	// with one of these ids; ok is false if there is none.
	FindComment(
		ctx context.Context, repo RepoRef, at Place, marker string, since time.Time, but ...int64,
	) (c Comment, ok bool, err error)
	// Comments returns the newest comments, oldest first, at most 100: those of the review thread of replyTo if that is a
	// review comment, else those of the conversation.
	Comments(ctx context.Context, repo RepoRef, number int, replyTo *Comment) ([]Comment, error)
	// React adds a reaction of the app to a comment of any kind. Adding it again changes nothing. Near GitHub's rate
	// limits, ReactionEyes goes before all other writes, and any other reaction returns an error instead of waiting.
	React(ctx context.Context, repo RepoRef, c Comment, r Reaction) error
}

// Pulls are pull requests.
type Pulls interface {
	PullRequest(ctx context.Context, repo RepoRef, number int) (PullRequest, error)
	// PullState reads what PullRequest says of whether a pull request takes changes, and the tip of the default branch,
	// which is what git says and no copy that lags behind a push.
	PullState(ctx context.Context, repo RepoRef, number int) (PullState, error)
	// ChangedFiles lists the files that a pull request changes, without those that it deletes, at most 300.
	ChangedFiles(ctx context.Context, repo RepoRef, number int) ([]ChangedFile, error)
	// FindPull returns the newest pull request, of any state, from a branch of this repository.
	FindPull(ctx context.Context, repo RepoRef, branch string) (p PullRequest, ok bool, err error)
	// CreatePull opens a pull request. It is no draft where the repository's plan has no drafts. ErrExists if there is an
	// open one between the branches, which FindPull may not find for seconds after it was opened.
	CreatePull(ctx context.Context, repo RepoRef, p NewPull) (PullRequest, error)
	// Describe replaces the description of a pull request. Near GitHub's rate limits it returns an error instead of
	// waiting.
	Describe(ctx context.Context, repo RepoRef, number int, body string) error
	// MarkReady makes a draft a pull request that is ready for review. Doing it again changes nothing. ErrDenied if the
	// token does not allow it.
	MarkReady(ctx context.Context, repo RepoRef, p PullRequest) error
	// UnresolvedThreads lists the review threads of a pull request that are not resolved, at most 100, each with its
	// comments, oldest first, at most 100.
	UnresolvedThreads(ctx context.Context, repo RepoRef, number int) ([]ReviewThread, error)
	// Suggest makes a review with suggestions, all on lines of the pull request's diff at sha.
	Suggest(ctx context.Context, repo RepoRef, number int, sha, body string, notes []Suggestion) (Comment, error)
}

// Checks are check runs.
type Checks interface {
	// CreateCheck makes a check run on a commit and returns its id.
	CreateCheck(ctx context.Context, repo RepoRef, c Check) (int64, error)
	// UpdateCheck changes a check run; fields with a zero value stay as they are. Annotations beyond what GitHub accepts
	// at once are sent in several calls.
	UpdateCheck(ctx context.Context, repo RepoRef, id int64, c Check) error
}

// Branches are branches with their commits.
type Branches interface {
	// FindCommit looks for a text in the messages of a commit, named by its full SHA, and of those before it, the newest
	// 100 in all. It is not asked by the name of a branch, for which GitHub's answer lags behind a push. ErrNotFound if
	// GitHub does not know the commit, as it may not for seconds after the push.
	FindCommit(ctx context.Context, repo RepoRef, commit, text string) (sha string, ok bool, err error)
	// MergeBase returns the newest commit that two commits, named by their full SHAs, have both in their histories; empty
	// if there is none. ErrSeveralBases if there are several, none of which is in the history of another. ErrNotFound if
	// GitHub does not know one of them, as it may not for seconds after the push.
	MergeBase(ctx context.Context, repo RepoRef, a, b string) (sha string, err error)
	// Logs returns the history of two commits, named by their full SHAs, by one request: each itself and those before it,
	// the newest 50 in all, newest first, with only the first line of the message, and without author and time.
	// ErrNotFound if GitHub does not know one of them, as it may not for seconds after the push.
	Logs(ctx context.Context, repo RepoRef, a, b string) (logA, logB []LoggedCommit, err error)
	// Log returns a commit, named by its full SHA, and those before it, newest first, 100 in all. ErrNotFound if GitHub
	// does not know the commit, as it may not for seconds after the push.
	Log(ctx context.Context, repo RepoRef, commit string) ([]LoggedCommit, error)
	// PullCommits returns the commits of a pull request, oldest first, at most 250.
	PullCommits(ctx context.Context, repo RepoRef, number int) ([]LoggedCommit, error)
	// MakeCommit makes a commit by the API, which signs it, that no branch has yet: Branch and New are not used, and there
	// may be no changes. ErrDenied means that the token may not.
	MakeCommit(ctx context.Context, repo RepoRef, u Upload) (sha string, err error)
	// Upload makes a commit by the API, which signs it, and moves the branch to it. If the branch is no longer at the
	// parent, or a new one exists already, it returns ErrMoved and leaves the branch alone. A *RejectedError has GitHub's
	// reason not to move the branch; ErrDenied means that the token may not.
	Upload(ctx context.Context, repo RepoRef, u Upload) (sha string, err error)
}
