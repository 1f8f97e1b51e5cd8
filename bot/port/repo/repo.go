package repo

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// Repos opens repositories. Safe for concurrent use.
type Repos interface {
	// Open makes a clone, in memory, of one commit: sha, which ref (a full name, "refs/heads/x") holds or held; with an
	// empty sha, the commit that ref holds now. ErrNotFound when there is none, ErrEmpty when the repository has no
	// commit. Files that will likely be loaded, whether they exist or not, may be fetched at the same time.
	Open(ctx context.Context, repo port.RepoRef, ref, sha string, likely ...string) (Checkout, error)
}

// Checkout is a repository at one commit, with what was staged on top. Not safe for concurrent use.
type Checkout interface {
	engine.Tree
	Staged
	// SHA is the commit that was opened.
	SHA() string
	// Load brings the named files here, in one request; names that are no files are passed over. ReadFile fails for a
	// file that was not loaded.
	Load(ctx context.Context, names ...string) error
	// Commit makes a commit of what was written, on top of the opened one, and moves branch (a short name) to it, if it
	// still stands at the opened commit: else ErrMoved, and nothing has happened. *RejectedError carries the server's no.
	Commit(ctx context.Context, req CommitRequest) (Commit, error)
}

// Staged is what was staged on a checkout.
type Staged interface {
	// Tree is the id of the opened commit's tree.
	Tree() string
	// Remove stages the removal of a file.
	Remove(name string) error
	// Move stages a file under another name, with its mode and bytes; nothing may stand there. It need not be loaded.
	Move(from, to string) error
	// Executable says whether a file has git's mode of a program; SetExecutable stages that.
	Executable(name string) (bool, error)
	SetExecutable(name string, yes bool) error
	// Links lists the links and submodules below a folder, sorted.
	Links(folder string) ([]string, error)
	// Changes lists what differs from the opened commit, sorted by path.
	Changes() ([]port.Change, error)
}

// CommitRequest says how to commit. The same request on the same tree gives the same commit.
type CommitRequest struct {
	Branch            string
	Message           string
	Author, Committer Signature
	// Fork, when set, is where the branch is, instead of the opened repository: its owner and name count. It must stand at
	// the opened commit. The credentials are those for the opened repository.
	Fork *port.RepoRef
}

// Signature names who made a commit, and when (to the second).
type Signature struct {
	Name, Email string
	When        time.Time
}

// Commit is a commit that was made.
type Commit struct {
	SHA string
	// Files are the paths that it changes, sorted.
	Files []string
}
