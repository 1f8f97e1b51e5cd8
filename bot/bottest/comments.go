package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Edit replaces the body of an own comment.
func (g *GitHub) Edit(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return g.edit(ctx, "Edit", ref, number, what, body)
}

// Progress is Edit that is left out near GitHub's limits.
func (g *GitHub) Progress(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return g.edit(ctx, "Progress", ref, number, what, body)
}

func (g *GitHub) edit(ctx context.Context, op string, ref port.RepoRef, number int, what port.Comment,
	body string) error {
	_, err := do(ctx, g.faults, Call{Op: op, Text: body, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := checkBody(body); err != nil {
			return none, err
		}
		if op == "Progress" {
			if err := g.optionalWrite(); err != nil {
				return none, err
			}
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
			return port.Comment{}, callerError("a %q is not a comment", what.Kind)
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
	return port.Comment{Kind: port.IssueBody, ID: int64(t.number), URL: t.url(), Body: t.body, Author: t.author.user(),
		Updated: t.updated}
}

type found struct {
	port.Comment
	ok bool
}

// FindComment looks at a place for a comment of the app's own that contains a marker, made since a time, but for those
// with one of these ids.
func (g *GitHub) FindComment(ctx context.Context, ref port.RepoRef, at port.Place, marker string,
	since time.Time, but ...int64) (port.Comment, bool, error) {
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
			if c.author == g.bot && !c.created.Before(since.Truncate(time.Second)) && strings.Contains(c.body, marker) &&
				!slices.Contains(but, c.id) {
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

// OwnComments returns the comments, reviews and comments on the diff of an issue or pull request that are the app's own
// and contain a text, oldest first of each kind.
func (g *GitHub) OwnComments(ctx context.Context, ref port.RepoRef, number int, pull bool, text string) ([]port.Comment,
	error) {
	return do(ctx, g.faults, Call{Op: "OwnComments", Text: fmt.Sprint(number)}, func() (out []port.Comment, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, reading...)
		if err != nil {
			return nil, err
		}
		t, err := r.thread(number)
		if err != nil {
			return nil, err
		}
		if pull && t.pull == nil {
			return nil, notFound()
		}
		for _, kind := range []port.EventKind{port.IssueComment, port.Review, port.ReviewComment} {
			for _, c := range t.comments {
				if c.kind == kind && (pull || kind == port.IssueComment) && c.author == g.bot && strings.Contains(c.body, text) {
					out = append(out, c.port())
				}
			}
		}
		return out, nil
	})
}

// Comments returns the newest comments of a discussion or of the conversation, oldest first.
func (g *GitHub) Comments(ctx context.Context, ref port.RepoRef, number int, replyTo *port.Comment) ([]port.Comment,
	error) {
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
		if reaction != port.ReactionEyes {
			if err := g.optionalWrite(); err != nil {
				return none, err
			}
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
		return nil, nil, callerError("a %q is not a comment", to.Kind)
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
