package gitmerge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// Merge is a merge commit with two parents. All ids are full ones in hex.
type Merge struct{ ID, Ours, Theirs string }

// Merges returns the merge commits that references lead to, the newest first, at most so many; others is how many among
// them have more than two parents and are left out. References to the merges that GitHub makes of pull requests to try
// them do not count.
func (r *Repository) Merges(ctx context.Context, most int) (merges []Merge, others int, err error) {
	out, err := r.run(ctx, "rev-list", "--exclude=refs/pull/*/merge", "--all", "--merges", "--parents",
		"--max-count="+strconv.Itoa(most))
	if err != nil {
		return nil, 0, err
	}
	for line := range strings.Lines(string(out)) {
		ids := strings.Fields(line)
		if len(ids) != 3 {
			others++
			continue
		}
		merges = append(merges, Merge{ids[0], ids[1], ids[2]})
	}
	return merges, others, nil
}

// Bases returns the best common ancestors of the parents of a merge: none, one, or several.
func (r *Repository) Bases(ctx context.Context, m Merge) ([]string, error) {
	out, err := r.run(ctx, "merge-base", "--all", m.Ours, m.Theirs)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		return nil, nil
	}
	return strings.Fields(string(out)), err
}

// Stage is which version of a file an entry has.
type Stage byte

// The stages of a conflict.
const (
	Base   Stage = 1
	Ours   Stage = 2
	Theirs Stage = 3
)

// Entry is a version of a file that git could not merge. Its mode is git's, such as "100644".
type Entry struct {
	Mode, Object string
	Stage        Stage
	Path         string
}

// Result is git's merge: a tree, in which files with conflicts have markers, and the versions of what is in conflict,
// in the order of their paths. The base of a file is that of git's merge, also if the commits have several merge bases
// or a branch renamed the file.
type Result struct {
	Tree    string
	Entries []Entry
}

// Again merges the parents of a merge again. Sides in conflict markers are named by the ids of the parents.
func (r *Repository) Again(ctx context.Context, m Merge) (Result, error) {
	out, err := r.run(ctx, "merge-tree", "--write-tree", "-z", "--no-messages", m.Ours, m.Theirs)
	exit, conflicts := (*exec.ExitError)(nil), false
	if errors.As(err, &exit) {
		conflicts = exit.ExitCode() == 1
	}
	if err != nil && !conflicts {
		return Result{}, err
	}
	return parseResult(out)
}

func parseResult(out []byte) (Result, error) {
	tree, rest, ok := bytes.Cut(out, []byte{0})
	if !ok {
		return Result{}, errors.New("git merge-tree names no tree")
	}
	result := Result{Tree: string(tree)}
	for line := range bytes.SplitSeq(bytes.TrimSuffix(rest, []byte{0}), []byte{0}) {
		if len(line) == 0 {
			continue
		}
		about, path, ok := strings.Cut(string(line), "\t")
		fields := strings.Fields(about)
		if !ok || len(fields) != 3 || len(fields[2]) != 1 {
			return Result{}, fmt.Errorf("git merge-tree names no version of a file: %q", line)
		}
		result.Entries = append(result.Entries, Entry{
			Mode: fields[0], Object: fields[1], Stage: Stage(fields[2][0] - '0'), Path: path,
		})
	}
	return result, nil
}

// Change is a regular file that a commit has changed: the ids of its blobs before and after.
type Change struct{ Before, After string }

// Changed returns the regular files that two commits have with other content, by path.
func (r *Repository) Changed(ctx context.Context, before, after string) (map[string]Change, error) {
	out, err := r.run(ctx, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--diff-filter=M", before, after)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	changes := map[string]Change{}
	for i := 0; i+1 < len(fields); i += 2 {
		about := strings.Fields(fields[i]) // :100644 100644 ID ID M
		if len(about) != 5 {
			return nil, fmt.Errorf("git diff-tree names no change: %q", fields[i])
		}
		if isFile(strings.TrimPrefix(about[0], ":")) && isFile(about[1]) && about[2] != about[3] {
			changes[fields[i+1]] = Change{about[2], about[3]}
		}
	}
	return changes, nil
}

func isFile(mode string) bool { return strings.HasPrefix(mode, "100") }
