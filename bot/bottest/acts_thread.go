package bottest

import (
	"fmt"
	"slices"
	"strings"

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
	r.g.t.Helper()
	r.g.account(as)
	t := &Thread{g: r.g, repo: r}
	r.g.act(func() (err error) {
		t.number, err = r.g.server.OpenIssue(as, r.name, title, body)
		return err
	})
	return t
}

// OpenPull opens a pull request as somebody, from "branch" or "owner:branch" of a fork. Maintainers may edit a fork's
// branch where it belongs to a person.
func (r *Repo) OpenPull(as, title, head, base string) *Thread {
	r.g.t.Helper()
	return r.OpenPullWith(as, title, "", head, base)
}

// OpenPullWith is OpenPull with a text.
func (r *Repo) OpenPullWith(as, title, body, head, base string) *Thread {
	r.g.t.Helper()
	r.g.account(as)
	t := &Thread{g: r.g, repo: r}
	r.g.act(func() (err error) {
		t.number, err = r.g.server.OpenPull(sim.Pull{As: as, Repo: r.name, Title: title, Body: body, Head: head,
			Base: base})
		return err
	})
	return t
}

// Thread finds an issue or pull request by its number; nil when there is none.
func (r *Repo) Thread(number int) *Thread {
	if _, err := r.g.server.Thread(r.name, number); err != nil {
		return nil
	}
	return &Thread{r.g, r, number}
}

// pulls are the pull requests, oldest first.
func (r *Repo) pulls() []sim.PullState {
	r.g.t.Helper()
	all, err := r.g.server.Pulls(r.name)
	r.g.must(err)
	return all
}

// PullOf finds the newest pull request from a branch; nil when there is none.
func (r *Repo) PullOf(branch string) *Thread {
	r.g.t.Helper()
	for _, p := range slices.Backward(r.pulls()) {
		if strings.HasSuffix(p.Head, ":"+branch) {
			return &Thread{r.g, r, p.Number}
		}
	}
	return nil
}

func (t *Thread) pull() sim.PullState {
	t.g.t.Helper()
	all := t.repo.pulls()
	i := slices.IndexFunc(all, func(p sim.PullState) bool { return p.Number == t.number })
	if i < 0 {
		t.g.t.Fatalf("#%d is no pull request", t.number)
	}
	return all[i]
}

// Draft reports whether it is a draft pull request.
func (t *Thread) Draft() bool {
	t.g.t.Helper()
	return t.pull().Draft
}

// Base is the branch that a pull request is to be merged into.
func (t *Thread) Base() string {
	t.g.t.Helper()
	return t.pull().Base
}

func (t *Thread) state() sim.ThreadState {
	t.g.t.Helper()
	state, err := t.g.server.Thread(t.repo.name, t.number)
	t.g.must(err)
	return state
}

// Title is that of the issue or pull request.
func (t *Thread) Title() string {
	t.g.t.Helper()
	return t.state().Title
}

// Text is what the issue or pull request says below its title.
func (t *Thread) Text() string {
	t.g.t.Helper()
	return t.state().Body
}

// URL is the page of the thread.
func (t *Thread) URL() string {
	t.g.t.Helper()
	return t.state().Page
}

// RefuseEdits takes the permission to edit the pull request's branch from maintainers.
func (t *Thread) RefuseEdits() {
	t.g.t.Helper()
	t.g.act(func() error { return t.g.server.AllowEdits(t.repo.name, t.number, false) })
}

// SetOpen closes or reopens an issue or pull request.
func (t *Thread) SetOpen(yes bool) {
	t.g.t.Helper()
	t.g.act(func() error { return t.g.server.SetOpen(t.repo.name, t.number, yes) })
}

// Lock locks a conversation, or unlocks it.
func (t *Thread) Lock(yes bool) {
	t.g.t.Helper()
	t.g.act(func() error { return t.g.server.Lock(t.repo.name, t.number, yes) })
}

// Delete deletes an issue.
func (t *Thread) Delete() {
	t.g.t.Helper()
	t.g.act(func() error { return t.g.server.DeleteIssue(t.repo.name, t.number) })
}

// Transfer moves an issue with its comments to another repository of the same owner.
func (t *Thread) Transfer(to *Repo) *Thread {
	t.g.t.Helper()
	moved := &Thread{g: t.g, repo: to}
	t.g.act(func() (err error) {
		moved.number, err = t.g.server.TransferIssue(t.repo.name, t.number, to.name)
		return err
	})
	return moved
}

// Merge merges a pull request by a merge commit.
func (t *Thread) Merge() {
	t.g.t.Helper()
	t.g.act(func() error { return t.g.server.Merge(t.repo.name, t.number) })
}

// Rewrite has somebody change the title and the text of an issue.
func (t *Thread) Rewrite(as, title, body string) {
	t.g.t.Helper()
	t.g.account(as)
	t.g.act(func() error { return t.g.server.EditThread(as, t.repo.name, t.number, title, body) })
}

// Label has somebody set a label.
func (t *Thread) Label(as, name string) {
	t.g.t.Helper()
	t.g.account(as)
	t.g.act(func() error { return t.g.server.Label(as, t.repo.name, t.number, name) })
}

func (t *Thread) String() string { return fmt.Sprintf("%s#%d", t.repo.name, t.number) }
