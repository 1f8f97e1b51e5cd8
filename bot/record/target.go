package record

import (
	"cmp"

	"github.com/tenon-bot/tenon/bot/port"
)

// Target is the branch that a run works on, pinned to a commit.
type Target struct {
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
	// Title is that of the issue or pull request.
	Title string `json:"title"`
	// About is the text of the issue as it was when the command was given, Author who wrote it.
	About  string    `json:"about,omitempty"`
	Author port.User `json:"author,omitzero"`
	// Base is the branch that Branch is to be merged into.
	Base string `json:"base,omitempty"`
	// Pull is the branch's pull request, 0 if there is none yet.
	Pull    int    `json:"pull,omitempty"`
	PullURL string `json:"pull_url,omitempty"`
	// Unopened is why GitHub opens no pull request for the branch, in GitHub's words.
	Unopened string `json:"unopened,omitempty"`
	// New reports whether the branch has yet to be made. From is the ref that the work starts from: the base of a new
	// branch, or where GitHub keeps the head of a fork's pull request; empty for the branch itself.
	New  bool   `json:"new,omitempty"`
	From string `json:"from,omitempty"`
	// Fork is the repository of the branch if that is another one. ReadOnly is why tenon does not write to the branch, as
	// a clause: it cannot, or it is the default branch of the event's repository.
	Fork     *port.RepoRef `json:"fork,omitempty"`
	ReadOnly string        `json:"read_only,omitempty"`
	// Moved is the commit that the branch pointed to when the command was given, if people have moved it since; empty if
	// they have not, or if that is unknown.
	Moved string `json:"moved,omitempty"`
}

// Ref returns the full name of the ref that holds, or held, SHA.
func (t Target) Ref() string { return cmp.Or(t.From, "refs/heads/"+t.Branch) }
