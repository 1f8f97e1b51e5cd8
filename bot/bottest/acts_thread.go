package bottest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// What people do with issues, pull requests and comments.

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
		t, err = r.g.openPull(r.repository, from, r.g.account(as), port.NewPull{Title: title, Head: branch, Base: base})
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
	return port.Thread{Number: t.number, Pull: t.pull != nil, Title: t.title, State: t.state(), Locked: t.locked, URL: t.url()}
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
			t.g.tell(t.repo, by, port.Event{Kind: port.Labeled, Action: "labeled", Thread: t.event(), Comment: t.text(), Label: name})
		}
		return nil
	})
}

// Comment is a comment of any kind, for people.
type Comment struct {
	*comment
	g *GitHub
}

// Comment has somebody comment in the conversation.
func (t *Thread) Comment(as, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, func(by *account) (*comment, error) {
		return t.g.add(&comment{kind: port.IssueComment, thread: t.thread, author: by, body: body}), nil
	}, body)
}

// Review has somebody submit a review of a pull request as a whole.
func (t *Thread) Review(as, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, func(by *account) (*comment, error) {
		if t.pull == nil {
			return nil, notFound()
		}
		return t.g.add(&comment{kind: port.Review, thread: t.thread, author: by, body: body}), nil
	}, body)
}

// ReviewComment has somebody comment on a line of a pull request's diff.
func (t *Thread) ReviewComment(as, path string, line int, body string) *Comment {
	t.g.t.Helper()
	return t.ReviewLines(as, path, 0, line, body)
}

// ReviewLines is ReviewComment for several lines.
func (t *Thread) ReviewLines(as, path string, start, line int, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, func(by *account) (*comment, error) {
		d, err := t.discuss(t.pull.headSHA, path, start, line)
		if err != nil {
			return nil, err
		}
		return t.g.begin(t.thread, d, by, body), nil
	}, body)
}

// Reply has somebody reply in the discussion of a comment on a line.
func (c *Comment) Reply(as, body string) *Comment {
	c.g.t.Helper()
	t := &Thread{c.thread, c.g}
	return t.say(as, func(by *account) (*comment, error) {
		if t.discussion(c.comment.port()) == nil {
			return nil, notFound()
		}
		return c.g.add(&comment{kind: port.ReviewComment, thread: c.thread, author: by, body: body, review: c.review}), nil
	}, body)
}

func (t *Thread) say(as string, add func(by *account) (*comment, error), body string) *Comment {
	t.g.t.Helper()
	var c *comment
	t.g.act(func() (err error) {
		by := t.g.account(as)
		switch role := t.repo.permission(by); {
		case t.repo.archived:
			return t.repo.writable()
		case !role.Allows(port.PermissionRead) && !by.isBot(), t.lockedFor(by):
			return fmt.Errorf("%s may not comment on #%d", as, t.number)
		}
		if err := checkBody(body); err != nil {
			return err
		}
		if c, err = add(by); err != nil {
			return err
		}
		shown := c.port()
		if c.kind != port.Review { // its id is the only one that webhooks need
			shown.NodeID = ""
		}
		shown.Updated = c.updated
		if c.kind == port.Review {
			shown.Commit = ""
		}
		action := map[port.EventKind]string{port.Review: "submitted"}[c.kind]
		if action == "" {
			action = "created"
		}
		t.g.tell(t.repo, by, port.Event{Kind: c.kind, Action: action, Thread: t.event(), Comment: shown})
		return nil
	})
	return &Comment{c, t.g}
}

// Edit has somebody edit a comment of the conversation: an own one, or any with write permission.
func (c *Comment) Edit(as, body string) {
	c.g.t.Helper()
	c.g.act(func() error {
		by := c.g.account(as)
		if c.author != by && !c.thread.repo.permission(by).Allows(port.PermissionWrite) {
			return fmt.Errorf("%s may not edit the comment of %s", as, c.author.login)
		}
		if err := checkBody(body); err != nil {
			return err
		}
		before := c.body
		c.body, c.updated = body, c.g.now()
		if c.kind == port.IssueComment {
			shown := c.port()
			shown.NodeID = ""
			c.g.tell(c.thread.repo, by, port.Event{Kind: port.Ticked, Action: "edited", Thread: c.thread.event(), Comment: shown, Before: before})
		}
		return nil
	})
}

// Tick has somebody tick boxes of a preview, all in one edit.
func (c *Comment) Tick(as string, numbers ...int) {
	c.g.t.Helper()
	body := c.Body()
	for _, n := range numbers {
		box := fmt.Sprintf("- [ ] **%d** ", n)
		if !strings.Contains(body, box) {
			c.g.t.Fatalf("there is no box %d to tick in\n%s", n, body)
		}
		body = strings.Replace(body, box, strings.Replace(box, "[ ]", "[x]", 1), 1)
	}
	c.Edit(as, body)
}

// Delete deletes a comment.
func (c *Comment) Delete() {
	c.g.act(func() error {
		c.thread.comments = slices.DeleteFunc(c.thread.comments, func(o *comment) bool { return o == c.comment })
		return nil
	})
}

// Resolve resolves the discussion that a comment is in.
func (c *Comment) Resolve() {
	c.g.act(func() error {
		c.review.resolved = true
		return nil
	})
}

// Body is what the comment says now.
func (c *Comment) Body() string {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return c.body
}

// Port is the comment as the app reads it.
func (c *Comment) Port() port.Comment {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return c.port()
}

// Reactions are those of the app.
func (c *Comment) Reactions() []string {
	c.g.mu.Lock()
	defer c.g.mu.Unlock()
	return slices.Clone(c.reactions)
}

// Author is who wrote the comment.
func (c *Comment) Author() string { return c.author.login }

// Kind tells the places of comments apart.
func (c *Comment) Kind() port.EventKind { return c.kind }

// Comments lists all comments of a kind, oldest first.
func (t *Thread) Comments(kind port.EventKind) (list []*Comment) {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	for _, c := range t.comments {
		if c.kind == kind {
			list = append(list, &Comment{c, t.g})
		}
	}
	return list
}

// Reactions are those of the app to the issue or pull request itself.
func (t *Thread) Reactions() []string {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	return slices.Clone(t.reactions)
}

// Said lists the comments of the app of all kinds, oldest first.
func (t *Thread) Said() (list []*Comment) {
	t.g.mu.Lock()
	defer t.g.mu.Unlock()
	for _, c := range t.comments {
		if c.author == t.g.bot {
			list = append(list, &Comment{c, t.g})
		}
	}
	return list
}

// Answers are what the app said in the conversation and in reviews, oldest first.
func (t *Thread) Answers() (list []string) {
	for _, c := range t.Said() {
		if c.kind != port.ReviewComment {
			list = append(list, c.Body())
		}
	}
	return list
}

// LastAnswer is the newest of Answers; empty when there is none.
func (t *Thread) LastAnswer() string {
	if all := t.Answers(); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}
