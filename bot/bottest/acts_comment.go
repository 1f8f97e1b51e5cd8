package bottest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// What people do with comments.

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

// CommentVia is Comment for what an App with that slug writes on behalf of somebody.
func (t *Thread) CommentVia(as, app, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, func(by *account) (*comment, error) {
		return t.g.add(&comment{kind: port.IssueComment, thread: t.thread, author: by, app: app, body: body}), nil
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
		if t.discussion(c.port()) == nil {
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
		shown.Updated, shown.App = c.updated, c.app
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
			c.g.tell(c.thread.repo, by, port.Event{Kind: port.Ticked, Action: "edited", Thread: c.thread.event(), Comment: shown,
				Before: before})
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
