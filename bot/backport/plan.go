// Package backport decides what a backport replays: it recognises from commits how a pull request was merged, and
// writes the messages of the new commits. It is pure.
package backport

import (
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// MaxCommits is how many commits are made of one backport: a pull request with more is one.
	MaxCommits = 10
	// maxRebase is how long before the commit of its merge GitHub commits the others of a rebase at most. Unlike the
	// author's time, the committer's is not taken over from the pull request.
	maxRebase = time.Minute
)

// Commit is a commit to be made: of what changed from one commit to another.
type Commit struct {
	// From and SHA are the two. What is picked is called by SHA.
	From string `json:"from"`
	SHA  string `json:"sha"`
	// Mainline means that SHA is a merge of the pull request, of which From is the first parent.
	Mainline bool `json:"mainline,omitempty"`
	// First is the first of several commits that it stands for, up to SHA; empty for one, and with Mainline.
	First string `json:"first,omitempty"`
	// Message is that of the new commit, without what says from where it was picked.
	Message string `json:"message"`
	// Picked are the commits that it stands for, SHA the last. Authors wrote them.
	Picked  []string      `json:"picked"`
	Authors []port.Author `json:"authors,omitempty"`
}

// Pull is a merged pull request.
type Pull struct {
	port.PullRequest
	// Commits are those of the pull request, oldest first.
	Commits []port.LoggedCommit
	// Log has the commit that it was merged by and the newest before it, newest first.
	Log []port.LoggedCommit
	// Settled means that Merge has changes which none of its parents brings: somebody settled conflicts, or added
	// something.
	Settled bool
}

// Merge returns the merge of which Settled tells, of those that replaying the commits of the pull request one by one
// would leave out; ok is false if there is none.
func (p Pull) Merge() (merge port.LoggedCommit, ok bool) {
	if len(p.Log) == 0 || p.Log[0].SHA != p.MergeCommit || p.line() == nil {
		return port.LoggedCommit{}, false
	}
	i := slices.IndexFunc(p.Log, p.merges)
	if i < 0 {
		i = 0 // of another branch that has it
	}
	return p.Log[i], len(p.Log[i].Parents) == 2
}

// merges reports whether a commit is a merge of the head of the pull request.
func (p Pull) merges(c port.LoggedCommit) bool {
	return len(c.Parents) == 2 && c.Parents[1] == p.Head.SHA
}

// Plan returns the commits to be made, oldest first. ok is false if it cannot be told how the pull request was merged.
func Plan(p Pull) (list []Commit, ok bool) {
	if len(p.Log) == 0 || p.Log[0].SHA != p.MergeCommit {
		return nil, false
	}
	merged := p.Log[0]
	if merge, ok := p.Merge(); ok && p.Settled {
		return p.mainline(merge)
	}
	switch len(merged.Parents) {
	case 1:
		return p.onLine(merged)
	case 2:
		if own := p.line(); own != nil && len(own) <= MaxCommits {
			return each(own), true
		}
		return p.mainline(merged)
	}
	return nil, false
}

// mainline returns a merge of the pull request as one commit; ok is false for a merge of anything else.
func (p Pull) mainline(merge port.LoggedCommit) (list []Commit, ok bool) {
	if !p.merges(merge) {
		return nil, false
	}
	whole := p.whole(p.Commits)
	whole.From, whole.SHA, whole.Mainline = merge.Parents[0], merge.SHA, true
	whole.Picked = append(whole.Picked, merge.SHA)
	return []Commit{whole}, true
}

// line returns the commits of the pull request if its history is a line up to its head, else nil.
func (p Pull) line() []port.LoggedCommit {
	for i, c := range p.Commits {
		if len(c.Parents) != 1 || i > 0 && c.Parents[0] != p.Commits[i-1].SHA {
			return nil
		}
	}
	if n := len(p.Commits); n == 0 || p.Commits[n-1].SHA != p.Head.SHA {
		return nil
	}
	return p.Commits
}

// onLine is Plan for a pull request whose commits were squashed, rebased, or pushed to the base as they are.
func (p Pull) onLine(merged port.LoggedCommit) ([]Commit, bool) {
	if slices.ContainsFunc(p.Log, func(c port.LoggedCommit) bool { return c.SHA == p.Head.SHA }) {
		own := p.line() // merged is what else was pushed with them, or the head itself
		return p.inOrder(own), own != nil
	}
	known := slices.ContainsFunc(p.Commits, func(c port.LoggedCommit) bool { return c.SHA == p.Head.SHA })
	rebased, all := p.rebased()
	switch {
	case !known || !all: // there are more than GitHub lists
		return nil, false
	case len(rebased) == 0: // squashed
		return each([]port.LoggedCommit{merged}), true
	}
	return p.inOrder(rebased), true
}

// inOrder returns the commits to be made for some, each of which is the parent of the next.
func (p Pull) inOrder(commits []port.LoggedCommit) []Commit {
	if len(commits) <= MaxCommits {
		return each(commits)
	}
	return []Commit{Whole(p.Title, p.Number, each(commits))}
}

// rebased returns the commits up to that of the merge that are commits of the pull request on another parent, oldest
// first. all is false if there may be more of them before those that are known.
func (p Pull) rebased() (list []port.LoggedCommit, all bool) {
	known := map[string]port.LoggedCommit{}
	for _, c := range p.Log {
		known[c.SHA] = c
	}
	next := p.MergeCommit
	for i := len(p.Commits) - 1; i >= 0; i-- {
		c, ok := known[next]
		if !ok {
			return nil, false
		}
		if len(c.Parents) != 1 || slices.Contains(p.Commits[0].Parents, c.SHA) { // that one was there before
			break
		}
		switch is := same(c, p.Commits[i]); {
		case is && p.Log[0].Committed.Sub(c.Committed) > maxRebase: // it was there before, or is an imitation
			return nil, false
		case is: // one that the base had is left out by a rebase
			list, next = append(list, c), c.Parents[0]
		}
	}
	slices.Reverse(list)
	return list, true
}

// same reports whether a commit is another one on another parent: a rebase keeps the author, the author's time and the
// message. A squash has the time of the merge.
func same(a, b port.LoggedCommit) bool {
	return strings.TrimSpace(a.Message) == strings.TrimSpace(b.Message) && a.Author.Name == b.Author.Name &&
		a.Author.Email == b.Author.Email && a.Author.When.Equal(b.Author.When)
}

// each returns a commit for each of some.
func each(commits []port.LoggedCommit) []Commit {
	list := make([]Commit, len(commits))
	for i, c := range commits {
		list[i] = Commit{SHA: c.SHA, Message: messageOf(c), Picked: []string{c.SHA}, Authors: []port.Author{c.Author}}
		if len(c.Parents) > 0 {
			list[i].From = c.Parents[0]
		}
	}
	return list
}

// whole returns a commit that lists several, of which merges are left out.
func (p Pull) whole(commits []port.LoggedCommit) Commit {
	own := slices.DeleteFunc(slices.Clone(commits), func(c port.LoggedCommit) bool { return len(c.Parents) > 1 })
	return listing(p.Title, p.Number, each(own))
}
