package bottest

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

type foundCommit struct {
	sha string
	ok  bool
}

// FindCommit looks for text in the messages of a commit and of those before it.
func (g *GitHub) FindCommit(ctx context.Context, ref port.RepoRef, sha, text string) (string, bool, error) {
	out, err := do(ctx, g.faults, Call{Op: "FindCommit", Text: sha}, func() (foundCommit, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if len(sha) != 40 || strings.Trim(sha, "0123456789abcdef") != "" || text == "" {
			return foundCommit{}, callerError("%q is not the name of a commit, or the text is empty", sha)
		}
		r, err := g.reach(ref, reading...)
		if err != nil {
			return foundCommit{}, err
		}
		if r.git.objects[sha] == nil || !r.hasCaughtUpWith(sha) {
			return foundCommit{}, notFound()
		}
		history := r.git.history(sha)
		for _, c := range history[:min(len(history), 100)] {
			if strings.Contains(c.message, text) {
				return foundCommit{c.id, true}, nil
			}
		}
		return foundCommit{}, nil
	})
	return out.sha, out.ok, err
}

// Upload makes a commit by GitHub's API, which signs it, and moves the branch to it.
func (g *GitHub) Upload(ctx context.Context, ref port.RepoRef, u port.Upload) (string, error) {
	return do(ctx, g.faults, Call{Op: "Upload", Text: u.Branch, Write: true}, func() (string, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		return g.upload(ref, u)
	})
}

func (g *GitHub) upload(ref port.RepoRef, u port.Upload) (string, error) {
	if u.Branch == "" || u.Parent == "" || u.Tree == "" || len(u.Changes) == 0 || strings.TrimSpace(u.Message) == "" {
		return "", callerError(
			"making a commit: the branch, its parent, the parent's tree, the changes or the message are missing")
	}
	r, err := g.reach(ref, "contents:write")
	if err != nil {
		return "", err
	}
	if err := r.writable(); err != nil {
		return "", err
	}
	parent := r.git.objects[u.Parent]
	if parent == nil || parent.tree.id() != u.Tree {
		return "", unprocessable("Tree SHA does not exist")
	}
	files, err := r.uploaded(parent.tree, u.Changes)
	if err != nil {
		return "", fmt.Errorf("making a tree: %w", err)
	}
	if files.id() == u.Tree {
		return "", callerError("the changes change nothing")
	}
	made := r.git.add(commit{parents: []string{u.Parent}, tree: files, message: u.Message,
		author: signature(g.bot.login, g.now()), signed: true})
	name, want := "refs/heads/"+u.Branch, u.Parent
	if u.New {
		want = ""
	}
	if at := r.git.refs[name]; at != want {
		return "", fmt.Errorf("moving %s: %w", u.Branch, port.ErrMoved)
	}
	switch why := r.refusal(u.Branch, u.Changes, g.installation(ref)); {
	case strings.HasPrefix(why, "refusing"):
		return "", forbidden("Resource not accessible by integration")
	case why != "":
		return "", &port.RejectedError{Branch: u.Branch, Text: why}
	case !isRef(name):
		return "", unprocessable("%s is not a valid ref name.", name)
	}
	r.git.refs[name] = made.id
	g.wrote()
	g.refsMoved(r, g.bot)
	g.pushed(r, u.Branch, made.id)
	return made.id, nil
}

// uploaded returns a tree with changes.
func (r *repository) uploaded(before tree, changes []port.Change) (tree, error) {
	files := map[string]File{}
	for _, change := range changes {
		f := File{Mode: change.Mode, Data: string(change.Data), Gone: change.Removed()}
		if _, is := before[change.Path]; f.Gone && !is {
			return nil, unprocessable("the file %s, which is to be removed, is not there", change.Path)
		}
		if !f.Gone && change.Data == nil {
			b, ok := r.blob(change.Blob)
			if !ok {
				return nil, unprocessable("the blob %q of %s is not there", change.Blob, change.Path)
			}
			f.Data = string(b.data)
		}
		files[change.Path] = f
	}
	return before.with(files), nil
}

// blob finds an object that a repository has.
func (r *repository) blob(id string) (blob, bool) {
	for _, c := range r.git.objects {
		for _, b := range c.tree {
			if b.isFile() && b.id() == id {
				return b, true
			}
		}
	}
	return blob{}, false
}

// lends reports whether a fork's branch may be pushed to by what the base's token allows: it is a person's, and the
// head of an open pull request that lets maintainers edit it.
func (g *GitHub) lends(fork *repository, branch string, base *repository) bool {
	if fork.noMaintainers || fork.owner.org {
		return false
	}
	for _, t := range base.threads {
		if p := t.pull; p != nil && !t.closed && p.head == fork && p.branch == branch && p.maintainable {
			return true
		}
	}
	return false
}

// refsMoved lets pull requests follow their branches. One whose branch is gone is closed.
func (g *GitHub) refsMoved(head *repository, by *account) {
	for _, r := range g.repos {
		for number := 1; number <= r.lastNumber; number++ {
			t := r.threads[number]
			if t == nil || t.pull == nil || t.closed || t.pull.head != head || r.behind != nil {
				continue
			}
			switch sha := head.git.branch(t.pull.branch); sha {
			case t.pull.headSHA:
			case "":
				g.setOpen(t, by, false)
			default:
				t.follow(sha)
			}
		}
	}
}

// follow moves a pull request's head.
func (t *thread) follow(sha string) {
	objects := t.repo.git.objects
	before, after := objects[t.pull.headSHA].tree, objects[sha].tree
	for _, c := range t.comments {
		if d := c.review; d != nil && d.first == c && d.line != 0 {
			from, to := string(before[d.path].data), string(after[d.path].data)
			if d.line = movedLine(from, to, d.line); d.start != 0 {
				d.start = movedLine(from, to, d.start)
			}
			d.outdated, d.commit = d.line == 0, sha
		}
	}
	t.pull.headSHA = sha
	if base := t.repo.git.branch(t.pull.base); base != "" {
		t.pull.baseSHA = base
	}
	t.repo.git.refs[pullRef(t.number)] = sha
}
