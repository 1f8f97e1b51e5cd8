package bottest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
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

// kinds are the simulated GitHub's names of comments.
var kinds = map[port.EventKind]string{port.IssueComment: sim.IssueComment, port.Review: sim.ReviewItself,
	port.ReviewComment: sim.ReviewComment}

// Comment has somebody comment in the conversation.
func (t *Thread) Comment(as, body string) *Comment { return t.CommentVia(as, "", body) }

// CommentVia is Comment for what an App with that slug writes on behalf of somebody.
func (t *Thread) CommentVia(as, app, body string) *Comment {
	id := must(t.g.as(as).CommentVia(as, app, t.repo.name, t.number, body))(t.g.t)
	return &Comment{t, port.IssueComment, id, as}
}

// Review has somebody submit a review of a pull request as a whole.
func (t *Thread) Review(as, body string) *Comment {
	id := must(t.g.as(as).Review(as, t.repo.name, t.number, sim.NewReview{Body: body}))(t.g.t)
	return &Comment{t, port.Review, id, as}
}

// ReviewComment has somebody comment on a line of a pull request's diff.
func (t *Thread) ReviewComment(as, path string, line int, body string) *Comment {
	return t.ReviewLines(as, path, 0, line, body)
}

// ReviewLines is ReviewComment for several lines.
func (t *Thread) ReviewLines(as, path string, start, line int, body string) *Comment {
	place := sim.Place{Path: path, StartLine: start, Line: line}
	id := must(t.g.as(as).ReviewComment(as, t.repo.name, t.number, place, body))(t.g.t)
	return &Comment{t, port.ReviewComment, id, as}
}

// Reply has somebody reply in the discussion of a comment on a line.
func (c *Comment) Reply(as, body string) *Comment {
	t := c.thread
	first := cmp.Or(c.state().InReplyTo, c.id)
	id := must(t.g.as(as).ReplyTo(as, t.repo.name, t.number, first, body))(t.g.t)
	return &Comment{t, port.ReviewComment, id, as}
}

func (c *Comment) state() sim.Saying {
	return must(c.thread.g.server.Saying(kinds[c.kind], c.id))(c.thread.g.t)
}

// Edit has somebody edit a comment of the conversation: an own one, or any with write permission.
func (c *Comment) Edit(as, body string) {
	g := c.thread.g
	g.allows(g.as(as).EditComment(as, c.id, body))
}

// Tick has somebody tick boxes of a preview, all in one edit.
func (c *Comment) Tick(as string, numbers ...int) {
	body := c.Body()
	for _, n := range numbers {
		box := fmt.Sprintf("- [ ] **%d** ", n)
		require.Contains(c.thread.g.t, body, box, "there is no such box to tick")
		body = strings.Replace(body, box, strings.Replace(box, "[ ]", "[x]", 1), 1)
	}
	c.Edit(as, body)
}

// Choose has somebody tick the box of a choice for a conflict of a merge.
func (c *Comment) Choose(as string, id, choice int) {
	line := markdown.ChoiceBox(id, choice, false, "")
	mark := line[strings.Index(line, "<!--"):]
	lines := strings.Split(c.Body(), "\n")
	i := slices.IndexFunc(lines, func(l string) bool {
		return strings.HasPrefix(l, fmt.Sprintf("- [ ] **C%d** ", id)) && strings.HasSuffix(l, mark)
	})
	require.GreaterOrEqual(c.thread.g.t, i, 0, "there is no such box to tick in %s", c.Body())
	lines[i] = strings.Replace(lines[i], "[ ]", "[x]", 1)
	c.Edit(as, strings.Join(lines, "\n"))
}

// Delete deletes a comment.
func (c *Comment) Delete() {
	g := c.thread.g
	if c.kind == port.ReviewComment {
		g.allows(g.acting().DeleteReviewComment(c.author, c.id))
		return
	}
	g.allows(g.acting().DeleteComment(c.author, c.id))
}

// Resolve resolves the discussion that a comment is in.
func (c *Comment) Resolve() {
	g := c.thread.g
	g.allows(g.acting().ResolveThread(c.thread.state().User, c.id))
}

// Body is what the comment says now.
func (c *Comment) Body() string { return c.state().Body }

// Port is the comment as the app reads it.
func (c *Comment) Port() port.Comment {
	g, at := c.thread.g, port.Comment{Kind: c.kind, ID: c.id}
	return must(g.app().Comment(g.t.Context(), c.thread.repo.Ref(), c.thread.number, at))(g.t)
}

// Reactions are those of the app.
func (c *Comment) Reactions() []string { return c.thread.g.reactions(kinds[c.kind], c.id) }

func (g *GitHub) reactions(kind string, id int64) (list []string) {
	for _, r := range must(g.server.Reactions(kind, id))(g.t) {
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
	for _, s := range must(t.g.server.Said(t.repo.name, t.number))(t.g.t) {
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
	return t.all(func(c *Comment) bool { return c.kind == kind })
}

// Reactions are those of the app to the issue or pull request itself.
func (t *Thread) Reactions() []string { return t.g.reactions(sim.IssueItself, t.state().ID) }

// Said lists the comments of the app of all kinds, oldest first.
func (t *Thread) Said() []*Comment {
	return t.all(func(c *Comment) bool { return c.author == Slug+"[bot]" })
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
