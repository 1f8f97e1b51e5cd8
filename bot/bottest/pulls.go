package bottest

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/port"
)

// pull is what a pull request is besides a thread.
type pull struct {
	head             *repository // where its branch is
	branch, base     string
	headSHA, baseSHA string
	draft            bool
	merged           bool
	maintainable     bool // maintainers of the base may push to the fork
	late             bool // it was opened while GitHub lagged
}

func (t *thread) port(ref port.RepoRef) port.PullRequest {
	p := t.pull
	out := port.PullRequest{Number: t.number, NodeID: fmt.Sprintf("PR_%d", t.number), Title: t.title, Body: t.body,
		Author: t.author.user(), State: t.state(), Merged: p.merged, Locked: t.locked,
		Draft: p.draft,
		Head:  port.Head{Branch: p.branch, SHA: p.headSHA}, Base: p.base, Maintainable: p.maintainable,
		Archived: t.repo.archived, URL: t.url()}
	switch {
	case p.head.gone:
	case p.head == t.repo:
		out.Head.Repo, out.Head.User = ref, !p.head.owner.org
	default:
		out.Head.Repo, out.Head.User = p.head.ref(0), !p.head.owner.org
	}
	return out
}

// pullOf finds a pull request; an issue is none.
func (r *repository) pullOf(number int) (*thread, error) {
	t, err := r.thread(number)
	if err == nil && t.pull == nil {
		err = notFound()
	}
	return t, err
}

// diff is what a pull request changes, with its head at a commit.
func (t *thread) diff(head string) []fileDiff {
	var before tree
	if common := t.repo.git.mergeBase(t.pull.baseSHA, head); common != nil {
		before = common.tree
	}
	return diffTrees(before, t.repo.git.objects[head].tree)
}

// PullRequest reads a pull request.
func (g *GitHub) PullRequest(ctx context.Context, ref port.RepoRef, number int) (port.PullRequest, error) {
	return do(ctx, g.faults, Call{Op: "PullRequest", Text: fmt.Sprint(number)}, func() (port.PullRequest, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, reading...)
		if err != nil {
			return port.PullRequest{}, err
		}
		t, err := r.pullOf(number)
		if err != nil {
			return port.PullRequest{}, err
		}
		return t.port(ref), nil
	})
}

// PullState reads whether a pull request takes changes, and the tip of the default branch.
func (g *GitHub) PullState(ctx context.Context, ref port.RepoRef, number int) (port.PullState, error) {
	return do(ctx, g.faults, Call{Op: "PullState", Text: fmt.Sprint(number)}, func() (port.PullState, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, reading...)
		if err != nil {
			return port.PullState{}, err
		}
		t, err := r.pullOf(number)
		if err != nil {
			return port.PullState{}, err
		}
		p := t.port(ref)
		tip, _ := r.resolve("HEAD")
		return port.PullState{State: p.State, Merged: p.Merged, Locked: p.Locked, Archived: p.Archived, Default: tip}, nil
	})
}

// ChangedFiles lists what a pull request changes and does not delete.
func (g *GitHub) ChangedFiles(ctx context.Context, ref port.RepoRef, number int) ([]port.ChangedFile, error) {
	return do(ctx, g.faults, Call{Op: "ChangedFiles", Text: fmt.Sprint(number)},
		func() (list []port.ChangedFile, err error) {
			g.mu.Lock()
			defer g.mu.Unlock()
			r, err := g.reach(ref, reading...)
			if err != nil {
				return nil, err
			}
			t, err := r.pullOf(number)
			if err != nil {
				return nil, err
			}
			for _, f := range t.diff(t.pull.headSHA) {
				if !f.removed && len(list) < 300 {
					list = append(list, port.ChangedFile{Path: f.path, Patch: f.patch})
				}
			}
			return list, nil
		})
}

type foundPull struct {
	port.PullRequest
	ok bool
}

// FindPull finds the newest pull request from a branch of a repository.
func (g *GitHub) FindPull(ctx context.Context, ref port.RepoRef, branch string) (port.PullRequest, bool, error) {
	out, err := do(ctx, g.faults, Call{Op: "FindPull", Text: branch}, func() (foundPull, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if branch == "" {
			return foundPull{}, callerError("the branch is empty")
		}
		r, err := g.reach(ref, reading...)
		if err != nil {
			return foundPull{}, err
		}
		for number := r.lastNumber; number > 0; number-- {
			if t := r.threads[number]; t != nil && t.pull != nil && t.pull.head == r && t.pull.branch == branch &&
				(r.behind == nil || !t.pull.late) {
				return foundPull{t.port(ref), true}, nil
			}
		}
		return foundPull{}, nil
	})
	return out.PullRequest, out.ok, err
}

// CreatePull opens a pull request, as an ordinary one where there are no drafts.
func (g *GitHub) CreatePull(ctx context.Context, ref port.RepoRef, p port.NewPull) (port.PullRequest, error) {
	return do(ctx, g.faults, Call{Op: "CreatePull", Text: p.Head, Write: true}, func() (port.PullRequest, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, answering...)
		if err != nil {
			return port.PullRequest{}, err
		}
		if err := r.writable(); err != nil {
			return port.PullRequest{}, err
		}
		t, err := g.openPull(r, r, g.bot, p)
		if err != nil {
			return port.PullRequest{}, fmt.Errorf("opening a pull request from %s: %w", p.Head, err)
		}
		g.wrote()
		t.pull.draft = p.Draft && !r.noDrafts
		return t.port(ref), nil
	})
}

// Describe replaces the description of a pull request.
func (g *GitHub) Describe(ctx context.Context, ref port.RepoRef, number int, body string) error {
	_, err := do(ctx, g.faults, Call{Op: "Describe", Text: body, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if err := checkBody(body); err != nil {
			return none, err
		}
		t, err := g.writablePull(ref, number)
		if err != nil {
			return none, err
		}
		if err := g.optionalWrite(); err != nil {
			return none, err
		}
		g.wrote()
		t.body, t.updated = body, g.now()
		return none, nil
	})
	return err
}

// MarkReady makes a draft a pull request that is ready for review.
func (g *GitHub) MarkReady(ctx context.Context, ref port.RepoRef, p port.PullRequest) error {
	_, err := do(ctx, g.faults, Call{Op: "MarkReady", Text: fmt.Sprint(p.Number), Write: true},
		func() (none struct{}, err error) {
			g.mu.Lock()
			defer g.mu.Unlock()
			t, err := g.writablePull(ref, p.Number)
			if err != nil {
				return none, err
			}
			g.wrote()
			t.pull.draft = false
			return none, nil
		})
	return err
}

func (g *GitHub) writablePull(ref port.RepoRef, number int) (*thread, error) {
	r, err := g.reach(ref, answering...)
	if err != nil {
		return nil, err
	}
	if err := r.writable(); err != nil {
		return nil, err
	}
	return r.pullOf(number)
}

// openPull opens a pull request from a branch of head.
func (g *GitHub) openPull(r, head *repository, by *account, in port.NewPull) (*thread, error) {
	p := &pull{head: head, branch: in.Head, base: in.Base, headSHA: head.git.branch(in.Head),
		baseSHA: r.git.branch(in.Base), late: r.behind != nil}
	switch {
	case utf8.RuneCountInString(in.Title) > maxTitle || in.Title == "":
		return nil, unprocessable("Validation Failed: title")
	case utf8.RuneCountInString(in.Body) > maxText:
		return nil, unprocessable("Validation Failed: body is too long (maximum is 65536 characters)")
	case p.headSHA == "":
		return nil, unprocessable("Validation Failed: head invalid")
	case p.baseSHA == "":
		return nil, unprocessable("Validation Failed: base invalid")
	case r.git.mergeBase(p.baseSHA, p.headSHA) == nil:
		return nil, unprocessable("The %s branch has no history in common with %s", in.Head, in.Base)
	case r.git.has(p.baseSHA, p.headSHA):
		return nil, unprocessable("No commits between %s and %s", in.Base, in.Head)
	}
	for _, t := range r.threads {
		if o := t.pull; o != nil && !t.closed && o.head == head && o.branch == in.Head && o.base == in.Base {
			return nil, fmt.Errorf("%w (%w)", unprocessable("A pull request already exists for %s:%s.", head.owner.login,
				in.Head), port.ErrExists)
		}
	}
	t := g.newThread(r, by, in.Title, in.Body)
	t.pull = p
	r.git.refs[pullRef(t.number)] = p.headSHA
	return t, nil
}

func pullRef(number int) string { return fmt.Sprintf("refs/pull/%d/head", number) }

func (g *GitHub) newThread(r *repository, by *account, title, body string) *thread {
	r.lastNumber++
	now := g.now()
	t := &thread{repo: r, number: r.lastNumber, title: title, body: body, author: by, created: now, updated: now}
	r.threads[t.number] = t
	return t
}

// UnresolvedThreads lists the discussions on a pull request's diff that nobody has resolved.
func (g *GitHub) UnresolvedThreads(ctx context.Context, ref port.RepoRef, number int) ([]port.ReviewThread, error) {
	return do(ctx, g.faults, Call{Op: "UnresolvedThreads", Text: fmt.Sprint(number)},
		func() (list []port.ReviewThread, err error) {
			g.mu.Lock()
			defer g.mu.Unlock()
			r, err := g.reach(ref, reading...)
			if err != nil {
				return nil, err
			}
			t, err := r.pullOf(number)
			if err != nil {
				return nil, err
			}
			var all []*discussion
			for _, c := range t.comments {
				if c.kind == port.ReviewComment && !c.review.resolved && !slices.Contains(all, c.review) && len(all) < 100 {
					all = append(all, c.review)
				}
			}
			for _, d := range all {
				list = append(list, t.reviewThread(d))
			}
			return list, nil
		})
}

// reviewThread shows a discussion as GraphQL does: authors without their ids, and no place but the thread's.
func (t *thread) reviewThread(d *discussion) port.ReviewThread {
	out := port.ReviewThread{NodeID: fmt.Sprintf("PRRT_%d", d.id), Outdated: d.outdated, Path: d.path, Line: d.line}
	for _, c := range t.comments {
		if c.review != d || len(out.Comments) == 100 {
			continue
		}
		shown := port.Comment{Kind: port.ReviewComment, ID: c.id, NodeID: fmt.Sprintf("PRRC_%d", c.id), URL: c.url(),
			Body:   c.body,
			Author: port.User{Login: c.author.login, Bot: c.author.isBot()}, Updated: c.updated, Hunk: d.hunk, Path: d.path,
			Line: d.line}
		if len(out.Comments) > 0 {
			shown.InReplyTo = out.Comments[0].ID
		}
		out.Comments = append(out.Comments, shown)
	}
	return out
}

// Suggest makes a review with a comment on each of the places.
func (g *GitHub) Suggest(ctx context.Context, ref port.RepoRef, number int, sha, body string,
	notes []port.Suggestion) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Suggest", Text: body, Write: true}, func() (port.Comment, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if len(notes) == 0 || len(notes) > 100 {
			return port.Comment{}, callerError("a review must have from 1 to 100 notes")
		}
		for _, n := range append([]port.Suggestion{{Body: body}}, notes...) {
			if err := checkBody(n.Body); err != nil {
				return port.Comment{}, err
			}
		}
		t, err := g.writableThread(ref, number)
		if err != nil {
			return port.Comment{}, err
		}
		if t.pull == nil {
			return port.Comment{}, notFound()
		}
		var placed []*discussion
		for _, n := range notes {
			d, err := t.discuss(sha, n.Path, n.StartLine, n.Line)
			if err != nil {
				return port.Comment{}, err
			}
			placed = append(placed, d)
		}
		review := g.add(&comment{kind: port.Review, thread: t, author: g.bot, body: body})
		for i, d := range placed {
			g.begin(t, d, g.bot, notes[i].Body)
		}
		return review.port(), nil
	})
}

// discuss finds the place of a new discussion: lines that the diff shows.
func (t *thread) discuss(sha, path string, start, line int) (*discussion, error) {
	if !t.repo.git.has(t.pull.headSHA, sha) {
		return nil, unprocessable("commit_id is not part of the pull request")
	}
	diff := t.diff(sha)
	i := slices.IndexFunc(diff, func(f fileDiff) bool { return f.path == path })
	if i < 0 {
		return nil, unprocessable("pull_request_review_thread.path is invalid")
	}
	if start == line {
		start = 0
	}
	f, d := &diff[i], &discussion{path: path, start: start, line: line, commit: sha}
	at := f.at(line)
	if at < 0 {
		return nil, unprocessable("pull_request_review_thread.line must be part of the diff")
	}
	if d.hunk = f.hunkUpTo(at); start == 0 {
		return d, nil
	}
	if from := f.at(start); from < 0 || from >= at || f.lines[from].hunk != f.lines[at].hunk {
		return nil, unprocessable("pull_request_review_thread.start_line must be part of the same hunk as the line.")
	}
	return d, nil
}

// begin begins a discussion with its first comment.
func (g *GitHub) begin(t *thread, d *discussion, by *account, body string) *comment {
	d.id = g.id("discussion")
	d.first = &comment{kind: port.ReviewComment, thread: t, author: by, body: body, review: d}
	return g.add(d.first)
}
