package worktree

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Head is what a work tree is at.
type Head struct {
	// SHA is the commit; empty if there is none yet.
	SHA string
	// Branch is a short name; empty if no branch is checked out.
	Branch string
}

// Head returns the commit and the branch that are checked out.
func (t *Tree) Head(ctx context.Context) (Head, error) {
	if t.git == "" {
		return Head{}, ErrNoGit
	}
	branch, err := t.branch(ctx)
	if err != nil {
		return Head{}, err
	}
	sha, err := t.run(ctx, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if code(err) > 1 {
		return Head{}, err
	}
	return Head{strings.TrimSpace(sha), branch}, nil
}

// branch returns the branch that is checked out, which git need not be asked for where it keeps refs in files.
func (t *Tree) branch(ctx context.Context) (string, error) {
	dir, err := t.GitDir()
	if err != nil {
		return "", err
	}
	if data, err := os.ReadFile(filepath.Join(dir, "HEAD")); err == nil {
		ref, ok := strings.CutPrefix(string(data), "ref: refs/heads/")
		if ref = strings.TrimSpace(ref); ok && ref != ".invalid" {
			return ref, nil
		}
	}
	branch, err := t.run(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	if code(err) > 1 {
		return "", err
	}
	return strings.TrimSpace(branch), nil
}

// code returns the exit code of a program that failed; 0 without an error and 255 for another one.
func code(err error) int {
	var exit interface{ ExitCode() int }
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return 255
}

// IdentityError means that git does not know in whose name to commit.
type IdentityError struct{ err error }

func (e *IdentityError) Error() string {
	return `git does not know who you are; run: git config --global user.name "Your Name", and: ` +
		`git config --global user.email you@example.com`
}

func (e *IdentityError) Unwrap() error { return e.err }

// UnfinishedError means that a merge, a rebase or the like was begun in the work tree and is not finished.
type UnfinishedError struct {
	// What is the operation, such as "merge".
	What string
}

func (e *UnfinishedError) Error() string {
	return "a " + e.What + " is not finished; finish or abort it first"
}

// unfinished are the files by which git remembers an operation.
var unfinished = []struct{ file, what string }{
	{"MERGE_HEAD", "merge"}, {"rebase-merge", "rebase"}, {"rebase-apply", "rebase"},
	{"CHERRY_PICK_HEAD", "cherry-pick"}, {"REVERT_HEAD", "revert"},
}

// MayCommit returns why no commit can be made now: ErrNoGit, an *IdentityError or an *UnfinishedError.
func (t *Tree) MayCommit(ctx context.Context) error {
	if t.git == "" {
		return ErrNoGit
	}
	dir, err := t.GitDir()
	if err != nil {
		return err
	}
	for _, u := range unfinished {
		if _, err := os.Lstat(filepath.Join(dir, u.file)); err == nil {
			return &UnfinishedError{u.what}
		}
	}
	if _, err := t.run(ctx, "var", "GIT_COMMITTER_IDENT"); err != nil {
		return &IdentityError{err}
	}
	return nil
}

// IndexEntry is a file in git's index or in a commit.
type IndexEntry struct {
	Name string
	// Mode is git's, in octal, and Blob the object; both are empty for a file that is not there.
	Mode, Blob string
}

// Staged returns what the index has of some files, in their order. A file that is not merged is not there.
func (t *Tree) Staged(ctx context.Context, names []string) ([]IndexEntry, error) {
	return t.entriesOf(ctx, names, "ls-files", "-z", "--stage")
}

// At returns what a commit has of some files, in their order.
func (t *Tree) At(ctx context.Context, sha string, names []string) ([]IndexEntry, error) {
	if sha == "" {
		return t.pick(names, ""), nil
	}
	return t.entriesOf(ctx, names, "ls-tree", "-z", "-r", "--full-tree", sha)
}

func (t *Tree) entriesOf(ctx context.Context, names []string, args ...string) ([]IndexEntry, error) {
	if len(names) == 0 {
		return nil, nil
	}
	out, err := t.run(ctx, slices.Concat(args, []string{"--"}, names)...)
	if err != nil {
		return nil, err
	}
	return t.pick(names, out), nil
}

// pick picks files out of git's lines "mode blob stage<TAB>name" or "mode type blob<TAB>name".
func (t *Tree) pick(names []string, out string) []IndexEntry {
	found := map[string]IndexEntry{}
	for line := range entries(out) {
		info, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(info)
		if len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		blob := fields[1]
		if blob == "blob" {
			blob = fields[2]
		} else if fields[2] != "0" {
			continue
		}
		found[name] = IndexEntry{name, fields[0], blob}
	}
	picked := make([]IndexEntry, len(names))
	for i, name := range names {
		picked[i] = found[name]
		picked[i].Name = name
	}
	return picked
}

// SetStaged sets entries of the index, and leaves the files on the disk as they are.
func (t *Tree) SetStaged(ctx context.Context, entries []IndexEntry) error {
	_, err := t.runWith(ctx, indexInfo(entries), nil, "update-index", "-z", "--index-info")
	return err
}

// indexInfo returns the input of git update-index.
func indexInfo(entries []IndexEntry) string {
	var b strings.Builder
	for _, e := range entries {
		mode, blob := e.Mode, e.Blob
		if mode == "" {
			mode, blob = "0", strings.Repeat("0", 40)
		}
		fmt.Fprintf(&b, "%s %s\t%s\x00", mode, blob, e.Name)
	}
	return b.String()
}

// ErrHeadMoved is returned by Commit if HEAD is no longer at the parent.
var ErrHeadMoved = errors.New("HEAD has moved")

// Commit makes a commit on top of parent, the commit of HEAD or empty, that differs from it in these entries alone,
// whatever else is staged, and moves HEAD to it. It is in the name that git is set up for. Git runs no hook and does
// not sign it. temp is a folder for a temporary file.
func (t *Tree) Commit(ctx context.Context, parent, message string, entries []IndexEntry, temp string) (sha string,
	err error) {
	index, err := os.CreateTemp(temp, "index-*")
	if err != nil {
		return "", fmt.Errorf("committing: %w", err)
	}
	_ = index.Close()
	_ = os.Remove(index.Name()) // git takes an empty file for a broken one
	defer func() { _ = os.Remove(index.Name()) }()
	env := []string{"GIT_INDEX_FILE=" + index.Name()}
	args := []string{"commit-tree", "--no-gpg-sign", "-F", "-"}
	if parent != "" {
		if _, err := t.runWith(ctx, "", env, "read-tree", parent); err != nil {
			return "", err
		}
		args = append(args, "-p", parent)
	}
	if _, err := t.runWith(ctx, indexInfo(entries), env, "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	tree, err := t.runWith(ctx, "", env, "write-tree")
	if err != nil {
		return "", err
	}
	out, err := t.runWith(ctx, message, nil, append(args, strings.TrimSpace(tree))...)
	if err != nil {
		return "", err
	}
	sha = strings.TrimSpace(out)
	subject, _, _ := strings.Cut(message, "\n")
	old := parent
	if old == "" {
		old = strings.Repeat("0", len(sha))
	}
	if _, err := t.run(ctx, "update-ref", "-m", "commit: "+subject, "HEAD", sha, old); err != nil {
		if now, headErr := t.Head(ctx); headErr == nil && now.SHA != parent {
			return "", fmt.Errorf("committing: %w: %w", ErrHeadMoved, err)
		}
		return "", err
	}
	return sha, nil
}

// Dirty returns those of some files that have changes in no commit, staged or not: by their times and sizes, or else by
// their contents. Without git it returns none.
func (t *Tree) Dirty(ctx context.Context, names []string) (map[string]bool, error) {
	if t.git == "" || len(names) == 0 {
		return nil, nil
	}
	f, err := t.readFilters(ctx)
	if err != nil {
		return nil, err
	}
	args := slices.Concat(f.off(), []string{"status", "--porcelain", "-z", "--no-renames", "--untracked-files=all",
		"--ignore-submodules=all", "--"}, names)
	out, err := t.run(ctx, args...)
	if err != nil {
		return nil, err
	}
	dirty := map[string]bool{}
	for line := range entries(out) {
		if len(line) > 3 {
			dirty[line[3:]] = true
		}
	}
	return dirty, nil
}

// HooksDir returns the folder of git's hooks.
func (t *Tree) HooksDir(ctx context.Context) (string, error) {
	out, err := t.run(ctx, "config", "-z", "--type=path", "--get-all", "core.hooksPath")
	if err != nil {
		return "", err
	}
	set := slices.Collect(entries(out)) // the last is the one of noPrograms
	var dir string
	if len(set) > 1 {
		dir = set[len(set)-2]
	} else {
		out, err = t.run(ctx, "rev-parse", "--git-common-dir")
		if err != nil {
			return "", err
		}
		dir = filepath.Join(strings.TrimSuffix(out, "\n"), "hooks")
	}
	if filepath.IsAbs(dir) {
		return dir, nil
	}
	return filepath.Join(t.dir, dir), nil
}

// Contains reports whether HEAD is a commit or comes after it. A commit that does not exist is not contained.
func (t *Tree) Contains(ctx context.Context, sha string) (bool, error) {
	_, err := t.run(ctx, "merge-base", "--is-ancestor", sha, "HEAD")
	switch code(err) {
	case 0:
		return true, nil
	case 1, 128: // 128: there is no such commit, or no commit at all
		return false, nil
	}
	return false, err
}

// IsFirst reports whether a commit has no parent.
func (t *Tree) IsFirst(ctx context.Context, sha string) bool {
	_, err := t.run(ctx, "rev-parse", "--verify", "--quiet", sha+"^")
	return err != nil
}
