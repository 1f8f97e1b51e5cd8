package bottest

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// What people do with comments.

// Comment is a comment of any kind, for people.
type Comment struct {
	thread *Thread
	kind   port.EventKind
	id     int64
	author string
}

// kinds are ghtest's names of comments.
var kinds = map[port.EventKind]string{port.IssueComment: sim.IssueComment, port.Review: sim.ReviewItself,
	port.ReviewComment: sim.ReviewComment}

// Comment has somebody comment in the conversation.
func (t *Thread) Comment(as, body string) *Comment {
	t.g.t.Helper()
	return t.CommentVia(as, "", body)
}

// CommentVia is Comment for what an App with that slug writes on behalf of somebody.
func (t *Thread) CommentVia(as, app, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, port.IssueComment, func() (int64, error) {
		return t.g.server.CommentVia(as, app, t.repo.name, t.number, body)
	})
}

// Review has somebody submit a review of a pull request as a whole.
func (t *Thread) Review(as, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, port.Review, func() (int64, error) {
		return t.g.server.Review(as, t.repo.name, t.number, sim.NewReview{Body: body})
	})
}

// ReviewComment has somebody comment on a line of a pull request's diff.
func (t *Thread) ReviewComment(as, path string, line int, body string) *Comment {
	t.g.t.Helper()
	return t.ReviewLines(as, path, 0, line, body)
}

// ReviewLines is ReviewComment for several lines.
func (t *Thread) ReviewLines(as, path string, start, line int, body string) *Comment {
	t.g.t.Helper()
	return t.say(as, port.ReviewComment, func() (int64, error) {
		return t.g.server.ReviewComment(as, t.repo.name, t.number, sim.Place{Path: path, StartLine: start, Line: line},
			body)
	})
}

// Reply has somebody reply in the discussion of a comment on a line.
func (c *Comment) Reply(as, body string) *Comment {
	t := c.thread
	t.g.t.Helper()
	first := c.id
	if to := c.state().InReplyTo; to != 0 {
		first = to
	}
	return t.say(as, port.ReviewComment, func() (int64, error) {
		return t.g.server.ReplyTo(as, t.repo.name, t.number, first, body)
	})
}

func (t *Thread) say(as string, kind port.EventKind, add func() (int64, error)) *Comment {
	t.g.t.Helper()
	t.g.account(as)
	c := &Comment{thread: t, kind: kind, author: as}
	t.g.act(func() (err error) {
		c.id, err = add()
		return err
	})
	return c
}

func (c *Comment) state() sim.Saying {
	c.thread.g.t.Helper()
	s, err := c.thread.g.server.Saying(kinds[c.kind], c.id)
	c.thread.g.must(err)
	return s
}

// Edit has somebody edit a comment of the conversation: an own one, or any with write permission.
func (c *Comment) Edit(as, body string) {
	g := c.thread.g
	g.t.Helper()
	g.account(as)
	g.act(func() error { return g.server.EditComment(as, c.id, body) })
}

// Tick has somebody tick boxes of a preview, all in one edit.
func (c *Comment) Tick(as string, numbers ...int) {
	c.thread.g.t.Helper()
	body := c.Body()
	for _, n := range numbers {
		box := fmt.Sprintf("- [ ] **%d** ", n)
		if !strings.Contains(body, box) {
			c.thread.g.t.Fatalf("there is no box %d to tick in\n%s", n, body)
		}
		body = strings.Replace(body, box, strings.Replace(box, "[ ]", "[x]", 1), 1)
	}
	c.Edit(as, body)
}

// Delete deletes a comment.
func (c *Comment) Delete() {
	g := c.thread.g
	g.t.Helper()
	g.act(func() error {
		if c.kind == port.ReviewComment {
			return g.server.DeleteReviewComment(c.author, c.id)
		}
		return g.server.DeleteComment(c.author, c.id)
	})
}

// Resolve resolves the discussion that a comment is in.
func (c *Comment) Resolve() {
	g := c.thread.g
	g.t.Helper()
	g.act(func() error { return g.server.ResolveThread(c.thread.state().User, c.id) })
}

// Body is what the comment says now.
func (c *Comment) Body() string {
	c.thread.g.t.Helper()
	return c.state().Body
}

// Port is the comment as the app reads it.
func (c *Comment) Port() port.Comment {
	g := c.thread.g
	g.t.Helper()
	out, err := g.app().Comment(g.t.Context(), c.thread.repo.Ref(), c.thread.number, port.Comment{Kind: c.kind, ID: c.id})
	g.must(err)
	return out
}

// Reactions are those of the app.
func (c *Comment) Reactions() []string {
	c.thread.g.t.Helper()
	return c.thread.g.reactions(kinds[c.kind], c.id)
}

func (g *GitHub) reactions(kind string, id int64) (list []string) {
	g.t.Helper()
	all, err := g.server.Reactions(kind, id)
	g.must(err)
	for _, r := range all {
		if r.User == Slug+"[bot]" {
			list = append(list, r.Content)
		}
	}
	return list
}

// Author is who wrote the comment.
func (c *Comment) Author() string { return c.author }

// Kind tells the places of comments apart.
func (c *Comment) Kind() port.EventKind { return c.kind }

// all lists what was said in the thread, in order.
func (t *Thread) all(wanted func(*Comment) bool) (list []*Comment) {
	t.g.t.Helper()
	all, err := t.g.server.Said(t.repo.name, t.number)
	t.g.must(err)
	for _, s := range all {
		for kind, name := range kinds {
			if c := (&Comment{t, kind, s.ID, s.User}); name == s.Kind && wanted(c) {
				list = append(list, c)
			}
		}
	}
	return list
}

// Comments lists all comments of a kind, oldest first.
func (t *Thread) Comments(kind port.EventKind) []*Comment {
	t.g.t.Helper()
	return t.all(func(c *Comment) bool { return c.kind == kind })
}

// Reactions are those of the app to the issue or pull request itself.
func (t *Thread) Reactions() []string {
	t.g.t.Helper()
	return t.g.reactions(sim.IssueItself, t.state().ID)
}

// Said lists the comments of the app of all kinds, oldest first.
func (t *Thread) Said() []*Comment {
	t.g.t.Helper()
	return t.all(func(c *Comment) bool { return c.author == Slug+"[bot]" })
}

// Answers are what the app said in the conversation and in reviews, oldest first.
func (t *Thread) Answers() (list []string) {
	t.g.t.Helper()
	for _, c := range t.Said() {
		if c.kind != port.ReviewComment {
			list = append(list, c.Body())
		}
	}
	return list
}

// LastAnswer is the newest of Answers; empty when there is none.
func (t *Thread) LastAnswer() string {
	t.g.t.Helper()
	if all := t.Answers(); len(all) > 0 {
		return all[len(all)-1]
	}
	return ""
}
