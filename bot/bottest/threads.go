package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// thread is an issue, or a pull request when pull is set.
type thread struct {
	repo             *repository
	number           int
	pull             *pull
	title, body      string
	author           *account
	closed           bool
	locked           bool
	deleted          bool
	moved            *thread // where it was transferred to
	labels           []string
	comments         []*comment // of all kinds, oldest first
	reactions        []string
	created, updated time.Time
}

func (t *thread) kind() string {
	if t.pull != nil {
		return "pull"
	}
	return "issues"
}

// site is where people read it all.
const site = "https://github.example/"

func (t *thread) url() string {
	return fmt.Sprintf("%s%s/%s/%d", site, t.repo.fullName(), t.kind(), t.number)
}

func (t *thread) state() string {
	if t.closed {
		return "closed"
	}
	return "open"
}

// lockedFor reports whether an account may say nothing in the thread.
func (t *thread) lockedFor(a *account) bool {
	return t.locked && !t.repo.permission(a).Allows(port.PermissionWrite)
}

// comment is a comment of a conversation, a review, or a comment on a line of a pull request.
type comment struct {
	kind             port.EventKind
	id               int64
	thread           *thread
	author           *account
	body             string
	created, updated time.Time
	reactions        []string
	review           *discussion // of a comment on a line
}

// discussion is a thread on a line of a diff.
type discussion struct {
	id          int64
	first       *comment
	path        string
	start, line int // 0 when outdated
	hunk        string
	commit      string
	resolved    bool
	outdated    bool
}

func (c *comment) url() string {
	switch c.kind {
	case port.Review:
		return fmt.Sprintf("%s#pullrequestreview-%d", c.thread.url(), c.id)
	case port.ReviewComment:
		return fmt.Sprintf("%s#discussion_r%d", c.thread.url(), c.id)
	}
	return fmt.Sprintf("%s#issuecomment-%d", c.thread.url(), c.id)
}

// nodeKinds are the prefixes of GraphQL's ids.
var nodeKinds = map[port.EventKind]string{port.IssueComment: "IC", port.Review: "PRR", port.ReviewComment: "PRRC"}

// port returns the comment as REST shows it.
func (c *comment) port() port.Comment {
	out := port.Comment{Kind: c.kind, ID: c.id, NodeID: fmt.Sprintf("%s_%d", nodeKinds[c.kind], c.id), URL: c.url(), Body: c.body,
		Author: c.author.user(), Updated: c.updated}
	switch d := c.review; c.kind {
	case port.Review: // GitHub tells only when it was submitted
		out.Updated, out.Commit = time.Time{}, c.thread.pull.headSHA
	case port.ReviewComment:
		out.Path, out.StartLine, out.Line, out.Side, out.Hunk, out.Commit = d.path, d.start, d.line, "RIGHT", d.hunk, d.commit
		if d.first != c {
			out.InReplyTo = d.first.id
		}
	}
	return out
}

// thread finds an issue or pull request. One that was transferred is somewhere else.
func (r *repository) thread(number int) (*thread, error) {
	switch t := r.threads[number]; {
	case number <= 0:
		return nil, callerError("%d is no number of an issue or pull request", number)
	case t == nil:
		return nil, notFound()
	case t.moved != nil:
		return nil, &statusError{301, "Moved Permanently", port.ErrNotFound}
	case t.deleted:
		return nil, &statusError{410, "This issue was deleted", port.ErrNotFound}
	default:
		return t, nil
	}
}

// comment finds a comment of a repository.
func (r *repository) comment(c port.Comment) (*comment, error) {
	for _, t := range r.threads {
		for _, one := range t.comments {
			if one.kind == c.Kind && one.id == c.ID && !t.deleted {
				return one, nil
			}
		}
	}
	return nil, notFound()
}

// Issue reads an issue, or a pull request as an issue; of one that was transferred, where it is now.
func (g *GitHub) Issue(ctx context.Context, ref port.RepoRef, number int) (port.Issue, error) {
	return do(ctx, g.faults, Call{Op: "Issue", Text: fmt.Sprint(number)}, func() (port.Issue, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, reading...)
		if err != nil {
			return port.Issue{}, err
		}
		t := r.threads[number]
		if t != nil && t.moved != nil && (g.installation(ref).covers(t.moved.repo) || t.moved.repo.public) {
			t = t.moved
		} else if t, err = r.thread(number); err != nil {
			return port.Issue{}, err
		}
		return port.Issue{Number: t.number, Title: t.title, Body: t.body, State: t.state(), Locked: t.locked, Author: t.author.user(),
			Repo: t.repo.fullName(), URL: t.url()}, nil
	})
}

// Post says something at a place.
func (g *GitHub) Post(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Post", Text: body, Write: true}, func() (port.Comment, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := checkBody(body); err != nil {
			return port.Comment{}, err
		}
		onLine := at.Kind == port.ReviewComment && at.To != nil && at.To.Kind == port.ReviewComment
		if at.Kind != port.IssueComment && at.Kind != port.Review && !onLine {
			return port.Comment{}, callerError("a %q is no place for a comment", at.Kind)
		}
		t, err := g.writableThread(ref, at.Number)
		if err != nil {
			return port.Comment{}, err
		}
		c := &comment{kind: at.Kind, thread: t, author: g.bot, body: body}
		if onLine {
			c.review = t.discussion(*at.To)
		}
		if at.Kind != port.IssueComment && t.pull == nil || onLine && c.review == nil {
			return port.Comment{}, notFound()
		}
		return g.add(c).port(), nil
	})
}

// writableThread finds a thread in which the app may say something.
func (g *GitHub) writableThread(ref port.RepoRef, number int) (*thread, error) {
	r, err := g.reach(ref, answering...)
	if err != nil {
		return nil, err
	}
	t, err := r.thread(number)
	switch {
	case r.archived:
		return nil, r.writable()
	case err != nil:
		return nil, err
	case t.lockedFor(g.bot):
		return nil, forbidden("Unable to create comment because issue is locked.")
	}
	g.wrote()
	return t, nil
}

// wrote counts content that the app wrote.
func (g *GitHub) wrote() { g.writes = append(g.writes, g.clock.Now()) }

// discussion finds the discussion that a comment is in, by its first comment as GitHub wants it; nil when that is gone.
func (t *thread) discussion(c port.Comment) *discussion {
	for _, one := range t.comments {
		if one.kind == port.ReviewComment && one.id == firstOf(c) && one.review.first == one {
			return one.review
		}
	}
	return nil
}

// firstOf is the id of the first comment of a comment's discussion.
func firstOf(c port.Comment) int64 {
	if c.InReplyTo != 0 {
		return c.InReplyTo
	}
	return c.ID
}

// add adds a comment to its thread.
func (g *GitHub) add(c *comment) *comment {
	c.id = g.id(string(c.kind))
	c.created = g.now()
	c.updated = c.created
	c.thread.updated = c.created
	c.thread.comments = append(c.thread.comments, c)
	return c
}

// Edit replaces the body of an own comment.
func (g *GitHub) Edit(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return g.edit(ctx, "Edit", ref, number, what, body)
}

// Progress is Edit that fails rather than to use more than half of what may be written in a minute.
func (g *GitHub) Progress(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return g.edit(ctx, "Progress", ref, number, what, body)
}

func (g *GitHub) edit(ctx context.Context, op string, ref port.RepoRef, number int, what port.Comment, body string) error {
	_, err := do(ctx, g.faults, Call{Op: op, Text: body, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := checkBody(body); err != nil {
			return none, err
		}
		if op == "Progress" && g.crowded() {
			return none, Retryable(time.Minute)
		}
		c, err := g.own(ref, number, what)
		if err != nil {
			return none, err
		}
		g.wrote()
		c.body, c.updated = body, g.now()
		return none, nil
	})
	return err
}

// crowded reports whether the app has written half of what it may within a minute.
func (g *GitHub) crowded() bool {
	recent := slices.DeleteFunc(slices.Clone(g.writes), func(at time.Time) bool { return g.clock.Now().Sub(at) > time.Minute })
	return len(recent) >= contentPerMinute/2
}

// own finds a comment that the app may edit: its own.
func (g *GitHub) own(ref port.RepoRef, number int, what port.Comment) (*comment, error) {
	r, err := g.reach(ref, answering...)
	if err != nil {
		return nil, err
	}
	if nodeKinds[what.Kind] == "" {
		return nil, callerError("a %q is nothing that the app wrote", what.Kind)
	}
	c, err := r.comment(what)
	switch {
	case r.archived:
		return nil, r.writable()
	case err != nil:
		return nil, err
	case what.Kind == port.Review && c.thread.number != number:
		return nil, notFound()
	case c.author != g.bot:
		return nil, forbidden("Resource not accessible by integration")
	}
	return c, nil
}

// Comment reads a comment as it is now.
func (g *GitHub) Comment(ctx context.Context, ref port.RepoRef, number int, what port.Comment) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Comment", Text: fmt.Sprint(what.ID)}, func() (port.Comment, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, reading...)
		if err != nil {
			return port.Comment{}, err
		}
		if what.Kind == port.IssueBody {
			t, err := r.thread(number)
			if err != nil {
				return port.Comment{}, err
			}
			out := t.text()
			out.NodeID, out.Updated = fmt.Sprintf("I_%d", number), time.Time{}
			return out, nil
		}
		if nodeKinds[what.Kind] == "" {
			return port.Comment{}, callerError("a %q is no comment", what.Kind)
		}
		c, err := r.comment(what)
		if err != nil {
			return port.Comment{}, err
		}
		return c.port(), nil
	})
}

// text is what the issue or pull request itself says, as a comment.
func (t *thread) text() port.Comment {
	return port.Comment{Kind: port.IssueBody, ID: int64(t.number), URL: t.url(), Body: t.body, Author: t.author.user(), Updated: t.updated}
}

type found struct {
	port.Comment
	ok bool
}

// FindComment looks at a place for a comment of the app's own that contains a marker, made since a time.
func (g *GitHub) FindComment(ctx context.Context, ref port.RepoRef, at port.Place, marker string, since time.Time) (port.Comment, bool, error) {
	out, err := do(ctx, g.faults, Call{Op: "FindComment", Text: marker}, func() (found, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if marker == "" {
			return found{}, callerError("the marker is empty")
		}
		list, err := g.commentsAt(ref, at)
		if err != nil {
			return found{}, err
		}
		for _, c := range slices.Backward(list) {
			if c.author == g.bot && !c.created.Before(since.Truncate(time.Second)) && strings.Contains(c.body, marker) {
				return found{c.port(), true}, nil
			}
		}
		return found{}, nil
	})
	return out.Comment, out.ok, err
}

// commentsAt lists the comments at a place, oldest first.
func (g *GitHub) commentsAt(ref port.RepoRef, at port.Place) (list []*comment, err error) {
	r, err := g.reach(ref, reading...)
	if err != nil {
		return nil, err
	}
	t, err := r.thread(at.Number)
	if err != nil {
		return nil, err
	}
	if nodeKinds[at.Kind] == "" {
		return nil, callerError("a %q is no place for comments", at.Kind)
	}
	if at.Kind != port.IssueComment && t.pull == nil {
		return nil, notFound()
	}
	for _, c := range t.comments {
		if c.kind == at.Kind && (c.kind != port.ReviewComment || at.To != nil && c.review.first.id == firstOf(*at.To)) {
			list = append(list, c)
		}
	}
	return list, nil
}

// Comments returns the newest comments of a discussion or of the conversation, oldest first.
func (g *GitHub) Comments(ctx context.Context, ref port.RepoRef, number int, replyTo *port.Comment) ([]port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Comments", Text: fmt.Sprint(number)}, func() ([]port.Comment, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		at := port.Place{Number: number, Kind: port.IssueComment}
		if replyTo != nil && replyTo.Kind == port.ReviewComment {
			at.Kind, at.To = port.ReviewComment, replyTo
		}
		list, err := g.commentsAt(ref, at)
		if err != nil {
			return nil, err
		}
		var out []port.Comment
		for _, c := range list[max(0, len(list)-100):] {
			out = append(out, c.port())
		}
		return out, nil
	})
}

// React adds a reaction of the app.
func (g *GitHub) React(ctx context.Context, ref port.RepoRef, to port.Comment, reaction port.Reaction) error {
	_, err := do(ctx, g.faults, Call{Op: "React", Text: string(reaction), Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, answering...)
		if err != nil {
			return none, err
		}
		list, t, err := r.reactions(to)
		switch {
		case err != nil:
			return none, err
		case r.archived:
			return none, r.writable()
		case t.lockedFor(g.bot):
			return none, forbidden("Unable to create reaction because issue is locked.")
		}
		g.wrote()
		if !slices.Contains(*list, string(reaction)) {
			*list = append(*list, string(reaction))
		}
		return none, nil
	})
	return err
}

// reactions finds the app's reactions to a comment of any kind.
func (r *repository) reactions(to port.Comment) (*[]string, *thread, error) {
	switch {
	case to.Kind == port.IssueBody:
		t, err := r.thread(int(to.ID))
		if err != nil {
			return nil, nil, err
		}
		return &t.reactions, t, nil
	case nodeKinds[to.Kind] == "":
		return nil, nil, callerError("a %q is no comment", to.Kind)
	case to.Kind == port.Review && to.NodeID == "":
		return nil, nil, callerError("the global id of the review is not known")
	case to.Kind == port.Review && to.NodeID != fmt.Sprintf("PRR_%d", to.ID):
		return nil, nil, notFound()
	}
	c, err := r.comment(to)
	if err != nil {
		return nil, nil, err
	}
	return &c.reactions, c.thread, nil
}
