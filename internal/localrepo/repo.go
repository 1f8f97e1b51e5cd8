// Package localrepo is a git work tree as the repository of a command, without GitHub: its files as they are on the
// disk, and commits that are written there.
package localrepo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// Repo is a git work tree. Safe for concurrent use.
type Repo struct {
	opts Options
	tree *worktree.Tree
	head worktree.Head

	shelf     *shelf
	documents *lexical.Cache
	// diffs are the changes in no commit, once diff is closed.
	diff    chan struct{}
	diffs   []worktree.FileDiff
	diffErr error

	mu sync.Mutex
	// now is the work tree as the command sees it until a file turns out to be another; nil if it is to be listed again.
	now *snapshot
	// seen has all that the command has seen, by SHA.
	seen map[string]*snapshot
	last *Made
}

// Options say what a Repo does.
type Options struct {
	// Commit makes git commits of what is written; otherwise it is only staged.
	Commit bool
	// Task is what the person asked for, as the undo store shows it.
	Task string
}

// Open opens the work tree that contains a folder. It returns worktree.ErrNoWorkTree if there is none, and
// worktree.ErrNoGit if git is not installed, because only git knows which files are ignored.
func Open(ctx context.Context, dir string, opts Options) (*Repo, error) {
	tree, err := worktree.At(dir)
	if err != nil {
		return nil, err
	}
	r := &Repo{opts: opts, tree: tree, seen: map[string]*snapshot{}}
	if err := r.look(ctx); err != nil {
		_ = tree.Close()
		return nil, fmt.Errorf("opening %s: %w", tree.Dir(), err)
	}
	return r, nil
}

// look finds out what there is. Most of the time is that of git and of the disk, so that all is looked up at once.
func (r *Repo) look(ctx context.Context) error {
	git, err := r.tree.GitDir()
	if err != nil {
		return err
	}
	if !r.tree.HasGit() {
		return worktree.ErrNoGit
	}
	var group sync.WaitGroup
	var headErr, listErr error
	var listing worktree.Listing
	group.Go(func() { r.head, headErr = r.tree.Head(ctx) })
	group.Go(func() { listing, listErr = r.tree.List(ctx) })
	group.Go(func() { r.shelf = openShelf(filepath.Join(git, "tenon")) })
	r.diff = make(chan struct{})
	go func() {
		defer close(r.diff)
		r.diffs, r.diffErr = r.tree.Diff(ctx) // fails without a commit, and is not asked for then
	}()
	group.Wait()
	if err := errors.Join(headErr, listErr); err != nil {
		<-r.diff
		return err
	}
	s := newSnapshot(r.tree, r.head.SHA, listing)
	r.shelf.recent = s.recent
	r.documents = lexical.NewCacheOver(documentBytes, r.shelf)
	r.keep(s)
	return nil
}

// MayCommit returns why no commit can be made now, as worktree.Tree.MayCommit does; nil if one can.
func (r *Repo) MayCommit(ctx context.Context) error { return r.tree.MayCommit(ctx) }

// Close closes the work tree, and keeps what is known of its files for the next command. That this fails is no error.
func (r *Repo) Close() error {
	<-r.diff
	_ = r.shelf.save()
	return r.tree.Close()
}

// Dir returns the absolute path of the work tree's top folder.
func (r *Repo) Dir() string { return r.tree.Dir() }

// Head returns the commit and the branch that were checked out when the work tree was opened.
func (r *Repo) Head() worktree.Head { return r.head }

// Files returns the files of the work tree as the command sees it, sorted. Callers must not change them.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	s, err := r.current(ctx)
	if err != nil {
		return nil, err
	}
	return s.names, nil
}

// Documents returns what is known of the contents of the files. Close keeps it in the git folder, so that the next
// command need not read all files again: for the ranking of files alone, what a model is shown is read anew.
func (r *Repo) Documents() *lexical.Cache { return r.documents }

// Checkout returns the files of the work tree, with nothing staged. It is an offline.Open: all that it returns are of
// the same state, until Commit finds that a file has changed.
func (r *Repo) Checkout(ctx context.Context) (repo.Checkout, error) {
	s, err := r.current(ctx)
	if err != nil {
		return nil, err
	}
	return offline.NewOverlay(s), nil
}

var _ offline.Open = (*Repo)(nil).Checkout

// Past returns an earlier state that the command has seen, with the contents of those files that it loaded then.
func (r *Repo) Past(_ context.Context, sha string) (repo.Checkout, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.seen[sha]
	if s == nil {
		return nil, fmt.Errorf("opening %s: %w", sha, port.ErrNotFound)
	}
	return offline.NewOverlay(s), nil
}

func (r *Repo) current(ctx context.Context) (*snapshot, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.now != nil {
		return r.now, nil
	}
	listing, err := r.tree.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", r.tree.Dir(), err)
	}
	return r.keep(newSnapshot(r.tree, r.head.SHA, listing)), nil
}

// keep makes a snapshot the present one. A known one stays, with what was loaded of it.
func (r *Repo) keep(s *snapshot) *snapshot {
	if known := r.seen[s.sha]; known != nil {
		s = known
	}
	r.seen[s.sha], r.now = s, s
	return s
}
