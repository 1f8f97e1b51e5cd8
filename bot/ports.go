package bot

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/engine"
)

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

// Permission is what somebody may do in a repository.
type Permission string

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

// Repos opens repositories. Safe for concurrent use.
type Repos interface {
	// Open makes a clone, in memory, of one commit: sha, which ref (a full name, "refs/heads/x") holds or held; with an empty
	// sha, the commit that ref holds now. ErrNotFound when there is none, ErrEmpty when the repository has no commit. Files that will likely be loaded, whether they exist
	// or not, may be fetched at the same time.
	Open(ctx context.Context, repo RepoRef, ref, sha string, likely ...string) (Checkout, error)
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
	Changes() ([]Change, error)
}

// CommitRequest says how to commit. The same request on the same tree gives the same commit.
type CommitRequest struct {
	Branch            string
	Message           string
	Author, Committer Signature
	// Fork, when set, is where the branch is, instead of the opened repository: its owner and name count. It must stand at the
	// opened commit. The credentials are those for the opened repository.
	Fork *RepoRef
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

// Model is a language model. Safe for concurrent use.
type Model interface {
	// Complete streams an answer; onText (which may be nil) gets each piece as it arrives, in order, from one goroutine.
	// An error that says what a person can do is a *UserError.
	Complete(ctx context.Context, req Request, onText func(string)) (Answer, error)
}

// Request is one question to a model.
type Request struct {
	// Model is the name of the model to ask, as the server's settings call it; empty means the default one.
	Model string `json:"model,omitempty"`
	// Only are the models that may answer, in the place of one that fails too; nil means all.
	Only     []string  `json:"only,omitempty"`
	System   string    `json:"system"`
	Messages []Message `json:"messages"`
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

// Message is one turn of a conversation.
type Message struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text"`
}

// Answer is what a model said.
type Answer struct {
	Text string `json:"text"`
	// Model is the name the provider gave.
	Model string `json:"model"`
	// Name is what the server's settings call the model that answered, which may be another than the one that was asked.
	Name string `json:"name,omitempty"`
	// Cut says that the answer ended before the model was done.
	Cut   bool  `json:"cut,omitempty"`
	Usage Usage `json:"usage"`
}

// Usage counts tokens, as the provider reported them; zero when it did not.
type Usage struct {
	In     int `json:"in"`
	Cached int `json:"cached,omitempty"`
	Out    int `json:"out"`
}

// Runs keeps the record of each run, so that a run that died goes on where it was. Safe for concurrent use.
type Runs interface {
	// Start returns the run of an event: a new one, or what a former attempt left. ErrLeaseLost when the event is no longer ours.
	// The run's id is RunID of the delivery.
	Start(ctx context.Context, ev Event) (Run, error)
	// Record stores the outcome of a step, JSON, once: a step that stands already is an error. ErrLeaseLost as above.
	Record(ctx context.Context, ev Event, run, step string, data []byte) error
}

// Run is the record of one run.
type Run struct {
	// ID is 12 lower-case letters and digits, unique in the store.
	ID string
	// Started is when the run was first begun.
	Started time.Time
	// Resumed says that the run was begun before: by Start alone.
	Resumed bool
	// Steps holds the JSON of each recorded step, by name.
	Steps map[string][]byte
}

// Line is what happens on a thread. Safe for concurrent use.
type Line interface {
	// Past returns the newest runs of the event's thread that recorded something, newest first, at most 100: those of the events
	// before it that are not aside.
	Past(ctx context.Context, ev Event, most int) ([]PastRun, error)
	// FindRun returns a run by its id, of any repository. ErrNotFound when there is none.
	FindRun(ctx context.Context, id string) (Run, Event, error)
	// Line lists what is in work and what waits on the event's thread, in order, at most 100, but neither the event itself nor
	// those aside.
	Line(ctx context.Context, ev Event) ([]Waiting, error)
	// Cancel ends what is in work on the event's thread and drops what waits there and came before it, events aside excepted, and
	// returns what these were, at most 100; the same again when an attempt that died had done it. A handler in work finds a
	// *CancelledError as the cause of its context's end. What was in work before, or told that it waits, is handled once more
	// under such a context, to tell its end. ErrLeaseLost when the event is no longer ours.
	Cancel(ctx context.Context, ev Event) ([]Waiting, error)
}

// PastRun is a run that came before.
type PastRun struct {
	Run
	Event Event
}

// Waiting is an event that is in work or waits.
type Waiting struct {
	Event Event
	// Working says that it is in work.
	Working bool
}
