package worktree

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Stage is a file as git's index has it; the zero value if a version of a merge does not have it.
type Stage struct {
	// Mode is git's: "100644" or "100755" for a file, "120000" for a symbolic link, "160000" for a submodule.
	Mode string
	// Blob is the hash of the content.
	Blob string
}

// Unmerged is a path that a merge could not settle.
type Unmerged struct {
	Path               string
	Base, Ours, Theirs Stage
	// Staged means that somebody has settled it since.
	Staged bool
	// BadName means that the tree neither reads nor writes a file of this name.
	BadName bool
}

// Unmerged returns the paths that the last merge, rebase or the like could not settle, sorted. It returns ErrNoGit if
// git is not installed.
func (t *Tree) Unmerged(ctx context.Context) ([]Unmerged, error) {
	if t.git == "" {
		return nil, ErrNoGit
	}
	open, err := t.run(ctx, "ls-files", "-z", "--unmerged")
	if err != nil {
		return nil, err
	}
	settled, err := t.run(ctx, "ls-files", "-z", "--resolve-undo")
	if err != nil {
		return nil, err
	}
	byPath := map[string]*Unmerged{}
	for _, list := range []struct {
		out    string
		staged bool
	}{{open, false}, {settled, true}} {
		for entry := range entries(list.out) {
			info, name, _ := strings.Cut(entry, "\t")
			fields := strings.Fields(info) // mode, hash, stage
			if len(fields) != 3 {
				continue
			}
			u := byPath[name]
			if u == nil {
				u = &Unmerged{Path: name, Staged: list.staged, BadName: checkName(name) != nil}
				byPath[name] = u
			}
			stage := map[string]*Stage{"1": &u.Base, "2": &u.Ours, "3": &u.Theirs}[fields[2]]
			if stage != nil && u.Staged == list.staged {
				*stage = Stage{Mode: fields[0], Blob: fields[1]}
			}
		}
	}
	out := make([]Unmerged, 0, len(byPath))
	for _, u := range byPath {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Unmerged) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// Blob returns the content of a blob, as the repository has it; ok is false if it is larger than 2 MiB.
func (t *Tree) Blob(ctx context.Context, id string) (data []byte, ok bool, err error) {
	out, err := t.runBounded(ctx, maxBlob, "cat-file", "blob", id)
	if errors.Is(err, errTooMuch) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", id, err)
	}
	return []byte(out), true, nil
}
