// Package repo declares what the bot needs of git repositories. It is apart from package port because it needs package
// engine, which most adapters do not.
package repo

import (
	"context"
	"errors"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// DefaultRef is the name by which git shows the default branch.
const DefaultRef = "HEAD"

// IsGone reports whether an error of opening a commit says that there is no such commit, or none any more.
func IsGone(err error) bool { return errors.Is(err, port.ErrNotFound) || errors.Is(err, port.ErrMoved) }

// ErrTooMuchHistory means that a fork lacks more of a commit, which is to be merged into its branch, than can be sent
// there.
var ErrTooMuchHistory = errors.New("the fork lacks too much of what is to be merged")

// Opener opens repositories. Safe for concurrent use.
type Opener interface {
	// Open clones one commit into memory: sha, which the ref (a full name such as "refs/heads/x") points at or once did,
	// or, for an empty sha, the commit that the ref points at now. ErrNotFound if there is none, ErrEmpty if the
	// repository has no commit. Files that will likely be loaded, whether they exist or not, may be fetched along with
	// it.
	Open(ctx context.Context, repo port.RepoRef, ref, sha string, likely ...string) (Checkout, error)
}

// Repos opens repositories and reads their refs. Safe for concurrent use.
type Repos interface {
	Opener
	// Tips returns the commits that refs (full names, or DefaultRef) point to now, by ref, in one request where the server
	// allows that. A ref that does not exist is left out. ErrNotFound if there is no such repository.
	Tips(ctx context.Context, repo port.RepoRef, refs ...string) (map[string]string, error)
	// ForksOf returns Repos for the forks of a repository, whose credentials are those for that repository: a fork that
	// they do not allow to read is ErrNotFound or ErrDenied.
	ForksOf(repo port.RepoRef) Repos
}

// Checkout is a repository at one commit, with staged changes. Not safe for concurrent use.
type Checkout interface {
	engine.Tree
	Staged
	// SHA is the commit that was opened.
	SHA() string
	// Load fetches files in one request and ignores names that are no files. ReadFile fails for a file that was not
	// loaded.
	Load(ctx context.Context, names ...string) error
	// LoadSome is Load for files that are useful and not needed: of those that were not loaded before, it loads any that
	// are at most so many bytes together. The others can be loaded later. A *port.UserError means that together they are
	// too large to be fetched.
	LoadSome(ctx context.Context, bytes int64, names ...string) error
	// Blob returns the id of a file's blob in hex, as staged, and reports whether there is such a file. The same id
	// means the same bytes.
	Blob(name string) (id string, ok bool)
	// Commit makes a commit of the staged changes on top of the opened commit, and moves the branch to it. If the branch
	// is no longer at the opened commit, it returns ErrMoved and changes nothing. A *RejectedError has the server's
	// reason. ErrTooMuchHistory if a fork would have to be sent too much.
	Commit(ctx context.Context, req CommitRequest) (Commit, error)
}

// Staged are the staged changes of a checkout.
type Staged interface {
	// Tree is the id of the tree of the opened commit.
	Tree() string
	// Remove stages the removal of a file.
	Remove(name string) error
	// Move stages a file under another name, with its mode and content. The name must be free; the file need not be
	// loaded.
	Move(from, to string) error
	// Executable reports whether a file has git's executable mode; SetExecutable stages that mode.
	Executable(name string) (bool, error)
	SetExecutable(name string, yes bool) error
	// Links lists the symbolic links and submodules below a folder, or all of the tree for the empty name, sorted.
	Links(folder string) ([]string, error)
	// Put stages what another commit of the repository has at a path, by its mode and git object, of a submodule its
	// commit: a file, which need not be loaded, a link or a submodule. An empty mode stages that there is nothing. What is
	// there is replaced, unless it is a folder.
	Put(name, mode, blob string) error
	// Changes lists the paths that differ from the opened commit, sorted.
	Changes() ([]port.Change, error)
	// ChangesSince lists the paths at which the tree differs from that of another checkout of the repository, as both are
	// staged, sorted. Only files that were written have their content in the list.
	ChangesSince(before Checkout) ([]port.Change, error)
	// Committed tells that these changes were committed by other means than Commit, so that their files need not be
	// fetched when that commit is opened.
	Committed(changes []port.Change)
}

// CommitRequest says how to commit. The same request on the same tree makes the same commit.
type CommitRequest struct {
	// Branch is a short name.
	Branch  string
	Message string
	// Merge is the second parent, a commit of the repository that is merged into the branch; else empty. A merge need not
	// change anything.
	Merge string
	// Common is, for a merge into a branch of a fork, a commit that both parents have in their history. Of Merge, the
	// fork is sent what Common has not: it need not have that.
	Common            string
	Author, Committer Signature
	// Fork, unless nil, is the repository of the branch, by owner and name, in place of the opened one. Its branch must
	// be at the opened commit. The credentials are those for the opened repository.
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
