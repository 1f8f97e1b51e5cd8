package bottest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// What people do with issues and pull requests.

// Thread is an issue or a pull request, for people.
type Thread struct {
	g      *GitHub
	repo   *Repo
	number int
}

// Number is the thread's number.
func (t *Thread) Number() int { return t.number }

// OpenIssue opens an issue as somebody.
func (r *Repo) OpenIssue(as, title, body string) *Thread {
	return &Thread{r.g, r, must(r.g.as(as).OpenIssue(as, r.name, title, body))(r.g.t)}
}

// OpenPull opens a pull request as somebody, from "branch" or "owner:branch" of a fork. Maintainers may edit a fork's
// branch where it belongs to a person.
func (r *Repo) OpenPull(as, title, head, base string) *Thread {
	return r.OpenPullWith(as, title, "", head, base)
}

// OpenPullWith is OpenPull with a text.
func (r *Repo) OpenPullWith(as, title, body, head, base string) *Thread {
	p := sim.Pull{As: as, Repo: r.name, Title: title, Body: body, Head: head, Base: base}
	return &Thread{r.g, r, must(r.g.as(as).OpenPull(p))(r.g.t)}
}

// Thread finds an issue or pull request by its number; nil when there is none.
func (r *Repo) Thread(number int) *Thread {
	if _, err := r.g.server.Thread(r.name, number); err != nil {
		return nil
	}
	return &Thread{r.g, r, number}
}

// pulls are the pull requests, oldest first.
func (r *Repo) pulls() []sim.PullState { return must(r.g.server.Pulls(r.name))(r.g.t) }

// PullOf finds the newest pull request from a branch; nil when there is none.
func (r *Repo) PullOf(branch string) *Thread {
	for _, p := range slices.Backward(r.pulls()) {
		if strings.HasSuffix(p.Head, ":"+branch) {
			return &Thread{r.g, r, p.Number}
		}
	}
	return nil
}

func (t *Thread) pull() sim.PullState {
	all := t.repo.pulls()
	i := slices.IndexFunc(all, func(p sim.PullState) bool { return p.Number == t.number })
	require.GreaterOrEqual(t.g.t, i, 0, "#%d is no pull request", t.number)
	return all[i]
}

// Draft reports whether it is a draft pull request.
func (t *Thread) Draft() bool { return t.pull().Draft }

// Base is the branch that a pull request is to be merged into.
func (t *Thread) Base() string { return t.pull().Base }

func (t *Thread) state() sim.ThreadState {
	return must(t.g.server.Thread(t.repo.name, t.number))(t.g.t)
}

// Title is that of the issue or pull request.
func (t *Thread) Title() string { return t.state().Title }

// Text is what the issue or pull request says below its title.
func (t *Thread) Text() string { return t.state().Body }

// URL is the page of the thread.
func (t *Thread) URL() string { return t.state().Page }

// RefuseEdits takes the permission to edit the pull request's branch from maintainers.
func (t *Thread) RefuseEdits() { t.g.allows(t.g.acting().AllowEdits(t.repo.name, t.number, false)) }

// Retarget gives a pull request another base branch.
func (t *Thread) Retarget(base string) {
	t.g.allows(t.g.acting().Retarget(t.repo.name, t.number, base))
}

// SetOpen closes or reopens an issue or pull request.
func (t *Thread) SetOpen(yes bool) { t.g.allows(t.g.acting().SetOpen(t.repo.name, t.number, yes)) }

// Lock locks a conversation, or unlocks it.
func (t *Thread) Lock(yes bool) { t.g.allows(t.g.acting().Lock(t.repo.name, t.number, yes)) }

// Delete deletes an issue.
func (t *Thread) Delete() { t.g.allows(t.g.acting().DeleteIssue(t.repo.name, t.number)) }

// Transfer moves an issue with its comments to another repository of the same owner.
func (t *Thread) Transfer(to *Repo) *Thread {
	return &Thread{t.g, to, must(t.g.acting().TransferIssue(t.repo.name, t.number, to.name))(t.g.t)}
}

// Merge merges a pull request by a merge commit.
func (t *Thread) Merge() { t.g.allows(t.g.acting().Merge(t.repo.name, t.number)) }

// MergeMethod is how a pull request is merged.
type MergeMethod = sim.MergeMethod

// The methods.
const (
	ByMerge  = sim.ByMerge
	BySquash = sim.BySquash
	ByRebase = sim.ByRebase
)

// MergeBy merges a pull request by a method.
func (t *Thread) MergeBy(method MergeMethod) {
	t.g.allows(t.g.acting().MergeBy(t.repo.name, t.number, method))
}

// MergeByHand merges a pull request by a merge commit that somebody made: it has the base with some files changed.
func (t *Thread) MergeByHand(files map[string]string) {
	changes := map[string]sim.File{}
	for name, data := range files {
		changes[name] = sim.File{Content: data}
	}
	t.g.allows(t.g.acting().MergeByHand(t.repo.name, t.number, changes))
}

// Rewrite has somebody change the title and the text of an issue.
func (t *Thread) Rewrite(as, title, body string) {
	t.g.allows(t.g.as(as).EditThread(as, t.repo.name, t.number, title, body))
}

// Label has somebody set a label.
func (t *Thread) Label(as, name string) {
	t.g.allows(t.g.as(as).Label(as, t.repo.name, t.number, name))
}

func (t *Thread) String() string { return fmt.Sprintf("%s#%d", t.repo.name, t.number) }
