package bottest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// What people do with issues and pull requests.

// Thread is an issue or a pull request, for people.
type Thread struct {
	*thread
	g *GitHub
}

// Number is the thread's number.
func (t *Thread) Number() int { return t.number }

// OpenIssue opens an issue as somebody.
func (r *Repo) OpenIssue(as, title, body string) *Thread {
	r.g.t.Helper()
	var t *thread
	r.g.act(func() error {
		by := r.g.account(as)
		t = r.g.newThread(r.repository, by, title, body)
		r.g.tell(r.repository, by, port.Event{Kind: port.IssueBody, Action: "opened", Thread: t.event(), Comment: t.text()})
		return nil
	})
	return &Thread{t, r.g}
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
	var t *thread
	r.g.act(func() (err error) {
		from, branch := r.repository, head
		if owner, name, forked := strings.Cut(head, ":"); forked {
			branch = name
			from = r.g.find(owner + "/" + r.name)
			if from == nil || from.parent != r.repository {
				return fmt.Errorf("%s has no fork of %s", owner, r.fullName())
			}
		}
		pull := port.NewPull{Title: title, Body: body, Head: branch, Base: base}
		t, err = r.g.openPull(r.repository, from, r.g.account(as), pull)
		if err == nil {
			t.pull.maintainable = from != r.repository && !from.owner.org
		}
		return err
	})
	return &Thread{t, r.g}
}

// Thread finds an issue or pull request by its number; nil when there is none.
func (r *Repo) Thread(number int) *Thread {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	if t := r.threads[number]; t != nil {
		return &Thread{t, r.g}
	}
	return nil
}

// PullOf finds the newest pull request from a branch; nil when there is none.
func (r *Repo) PullOf(branch string) *Thread {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for number := r.lastNumber; number > 0; number-- {
		if t := r.threads[number]; t.pull != nil && t.pull.branch == branch {
			return &Thread{t, r.g}
		}
	}
	return nil
}

// Draft reports whether it is a draft pull request; Base is the branch that a pull request is to be merged into.
func (t *Thread) Draft() bool { return t.pull.draft }

// Base is the branch that a pull request is to be merged into.
func (t *Thread) Base() string { return t.pull.base }

// Title and Text are what an issue or pull request says.
func (t *Thread) Title() string { return t.title }

// Text is what the issue or pull request says below its title.
func (t *Thread) Text() string { return t.body }

// URL is the page of the thread.
func (t *Thread) URL() string { return t.url() }

// RefuseEdits takes the permission to edit the pull request's branch from maintainers.
func (t *Thread) RefuseEdits() { t.change(func() { t.pull.maintainable = false }) }

func (t *Thread) change(f func()) {
	t.g.t.Helper()
	t.g.act(func() error {
		f()
		return nil
	})
}

// event is how webhooks name the thread.
func (t *thread) event() port.Thread {
	return port.Thread{Number: t.number, Pull: t.pull != nil, Title: t.title, State: t.state(), Locked: t.locked,
		URL: t.url()}
}

// SetOpen closes or reopens an issue or pull request.
func (t *Thread) SetOpen(yes bool) {
	t.g.t.Helper()
	t.g.act(func() error {
		if t.pull != nil && yes && (t.pull.merged || t.pull.head.git.branch(t.pull.branch) == "") {
			return fmt.Errorf("#%d cannot be reopened", t.number)
		}
		t.g.setOpen(t.thread, t.admin(), yes)
		return nil
	})
}

func (t *Thread) admin() *account { return (&Repo{t.repo, t.g}).admin() }

func (g *GitHub) setOpen(t *thread, by *account, yes bool) {
	t.closed, t.updated = !yes, g.now()
	if !yes {
		g.tellClosed(t, by, "closed")
	}
}

func (g *GitHub) tellClosed(t *thread, by *account, action string) {
	g.tell(t.repo, by, port.Event{Kind: port.Closed, Action: action, Thread: t.event()})
}

// Lock locks a conversation, or unlocks it.
func (t *Thread) Lock(yes bool) {
	t.change(func() {
		if t.locked = yes; yes {
			t.g.tellClosed(t.thread, t.admin(), "locked")
		}
	})
}

// Delete deletes an issue.
func (t *Thread) Delete() {
	t.g.t.Helper()
	t.g.act(func() error {
		if t.pull != nil {
			return fmt.Errorf("#%d is a pull request, which nobody deletes", t.number)
		}
		t.g.tellClosed(t.thread, t.admin(), "deleted")
		t.deleted = true
		return nil
	})
}

// Transfer moves an issue with its comments to another repository of the same owner.
func (t *Thread) Transfer(to *Repo) *Thread {
	t.g.t.Helper()
	var moved *thread
	t.g.act(func() error {
		if t.pull != nil || to.owner != t.repo.owner || to.repository == t.repo {
			return fmt.Errorf("#%d cannot be transferred to %s", t.number, to.fullName())
		}
		moved = t.g.newThread(to.repository, t.author, t.title, t.body)
		moved.closed, moved.created, moved.comments, moved.reactions = t.closed, t.created, t.comments, t.reactions
		for _, c := range moved.comments {
			c.thread = moved
		}
		t.g.tellClosed(t.thread, t.admin(), "transferred")
		t.moved, t.comments = moved, nil
		return nil
	})
	return &Thread{moved, t.g}
}

// Merge merges a pull request by a merge commit.
func (t *Thread) Merge() {
	t.g.t.Helper()
	t.g.act(func() error {
		p, git := t.pull, t.repo.git
		if p == nil || t.closed {
			return fmt.Errorf("#%d is no open pull request", t.number)
		}
		base := git.branch(p.base)
		files, conflict := git.merge(base, p.headSHA)
		if conflict != "" {
			return fmt.Errorf("#%d conflicts in %s", t.number, conflict)
		}
		made := git.add(commit{parents: []string{base, p.headSHA}, tree: files, author: signature(t.admin().login, t.g.now()),
			message: fmt.Sprintf("Merge pull request #%d\n", t.number)})
		git.refs["refs/heads/"+p.base] = made.id
		p.merged = true
		t.g.setOpen(t.thread, t.admin(), false)
		t.g.refsMoved(t.repo, t.admin())
		return nil
	})
}

// Rewrite has somebody change the title and the text of an issue.
func (t *Thread) Rewrite(as, title, body string) {
	t.g.t.Helper()
	t.g.act(func() error {
		by := t.g.account(as)
		if by != t.author && !t.repo.permission(by).Allows(port.PermissionWrite) {
			return fmt.Errorf("%s may not edit #%d", as, t.number)
		}
		t.title, t.body, t.updated = title, body, t.g.now()
		return nil
	})
}

// Label has somebody set a label.
func (t *Thread) Label(as, name string) {
	t.g.t.Helper()
	t.g.act(func() error {
		by := t.g.account(as)
		if !t.repo.permission(by).Allows(port.PermissionTriage) {
			return fmt.Errorf("%s may not set labels", as)
		}
		if !slices.ContainsFunc(t.labels, func(l string) bool { return strings.EqualFold(l, name) }) {
			t.labels, t.updated = append(t.labels, name), t.g.now()
			t.g.tell(t.repo, by, port.Event{Kind: port.Labeled, Action: "labeled", Thread: t.event(), Comment: t.text(),
				Label: name})
		}
		return nil
	})
}
