package worktree

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// maxBlob is the size of the largest file that a Revision reads, in bytes: a larger one is not edited either.
const maxBlob = 2 << 20

// Revision is a commit of the repository of a work tree.
type Revision struct {
	tree    *Tree
	sha     string
	filters filters
}

// Revision returns the commit that a name means, as git understands it: a hash, a branch, "HEAD~3". It returns ErrNoGit
// if git is not installed.
func (t *Tree) Revision(ctx context.Context, name string) (*Revision, error) {
	if t.git == "" {
		return nil, ErrNoGit
	}
	sha, err := t.run(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("there is no commit %q: %w", name, err)
	}
	f, err := t.readFilters(ctx)
	if err != nil {
		return nil, err
	}
	return &Revision{t, strings.TrimSpace(sha), f}, nil
}

// ReadFile returns a file of the commit as a checkout would write it, with the line endings that git is set up for. ok
// is false if the commit has no such regular file, it is larger than 2 MiB, or git would run a filter on it.
func (r *Revision) ReadFile(ctx context.Context, name string) (data []byte, ok bool, err error) {
	if checkName(name) != nil {
		return nil, false, nil
	}
	listed, err := r.tree.run(ctx, "ls-tree", "-l", "-z", r.sha, "--", name)
	if err != nil {
		return nil, false, err
	}
	info, path, _ := strings.Cut(strings.TrimSuffix(listed, "\x00"), "\t")
	fields := strings.Fields(info) // mode, type, hash, size
	if len(fields) != 4 || path != name || !strings.HasPrefix(fields[0], "100") {
		return nil, false, nil
	}
	if size, err := strconv.Atoi(fields[3]); err != nil || size > maxBlob {
		return nil, false, nil
	}
	if filtered, err := r.filters.of(ctx, []string{name}); err != nil || len(filtered) > 0 {
		return nil, false, err
	}
	text, err := r.tree.run(ctx, append(r.filters.off(), "cat-file", "--filters", r.sha+":"+name)...)
	return []byte(text), err == nil, err
}
