package bottest

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	app              string // through which the author wrote it
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
	out := port.Comment{Kind: c.kind, ID: c.id, NodeID: fmt.Sprintf("%s_%d", nodeKinds[c.kind], c.id), URL: c.url(),
		Body:   c.body,
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
		return port.Issue{Number: t.number, Title: t.title, Body: t.body, State: t.state(), Locked: t.locked,
			Author: t.author.user(),
			Repo:   t.repo.fullName(), URL: t.url()}, nil
	})
}

// Post says something at a place.
func (g *GitHub) Post(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return g.post(ctx, "Post", ref, at, body)
}

// Announce is Post that is left out near GitHub's limits.
func (g *GitHub) Announce(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return g.post(ctx, "Announce", ref, at, body)
}

// Notify is Announce of which few are posted.
func (g *GitHub) Notify(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return g.post(ctx, "Notify", ref, at, body)
}

func (g *GitHub) post(ctx context.Context, op string, ref port.RepoRef, at port.Place, body string) (port.Comment,
	error) {
	return do(ctx, g.faults, Call{Op: op, Text: body, Write: true}, func() (port.Comment, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := checkBody(body); err != nil {
			return port.Comment{}, err
		}
		switch {
		case op == "Announce" && g.recentWrites() >= earlyPerMinute,
			op == "Notify" && (g.recentWrites() >= optionalPerMinute || g.recent(&g.notices) >= noticesPerMinute):
			return port.Comment{}, errOverLimit
		case op == "Notify":
			g.notices = append(g.notices, g.clock.Now())
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

// Wrote counts further writes of the app just now, as for other threads.
func (g *GitHub) Wrote(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for range n {
		g.wrote()
	}
}

// recentWrites counts the app's writes of the last minute.
func (g *GitHub) recentWrites() int { return g.recent(&g.writes) }

// recent forgets the times that are longer ago than a minute, and counts the others.
func (g *GitHub) recent(times *[]time.Time) int {
	*times = slices.DeleteFunc(*times, func(at time.Time) bool { return g.clock.Now().Sub(at) > time.Minute })
	return len(*times)
}

// optionalWrite returns an error if there were too many writes for one that adds nothing to the answer.
func (g *GitHub) optionalWrite() error {
	if g.recentWrites() >= optionalPerMinute {
		return errOverLimit
	}
	return nil
}

// errOverLimit is the error of a write that is left out near GitHub's limits.
var errOverLimit = &port.WaitError{For: port.GitHubLimit, After: time.Minute,
	Err: errors.New("GitHub's rate limit is reached")}

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
