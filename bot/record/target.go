package record

import (
	"cmp"

	"github.com/tenon-bot/tenon/bot/port"
)

// target is the branch that a run works on, pinned to a commit.
type Target struct {
	Branch string `json:"branch"`
	SHA    string `json:"sha"`
	// Title is that of the issue or pull request.
	Title string `json:"title"`
	// About is the text of the issue, Author who wrote it.
	About  string    `json:"about,omitempty"`
	Author port.User `json:"author,omitzero"`
	// Base is the branch that Branch is to be merged into.
	Base string `json:"base,omitempty"`
	// Pull is the branch's pull request; 0 when there is none yet.
	Pull    int    `json:"pull,omitempty"`
	PullURL string `json:"pull_url,omitempty"`
	// Unopened is why GitHub opens no pull request for it, in GitHub's words.
	Unopened string `json:"unopened,omitempty"`
	// New says that the branch is yet to be made, and From the ref that the work starts from: the base of a new branch, or
	// where GitHub keeps the head of a fork's pull request. Empty is the branch itself.
	New  bool   `json:"new,omitempty"`
	From string `json:"from,omitempty"`
	// Fork is where the branch is, when that is another repository; ReadOnly says why tenon cannot write there.
	Fork     *port.RepoRef `json:"fork,omitempty"`
	ReadOnly string        `json:"read_only,omitempty"`
}

// ref is the full name of the ref that holds, or held, SHA.
func (t Target) Ref() string { return cmp.Or(t.From, "refs/heads/"+t.Branch) }
