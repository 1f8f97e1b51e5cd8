package worktree

import (
	"bytes"
	"context"
	"errors"
	"strings"
)

// maxDiff bounds what Diff reads of git, in bytes.
const maxDiff = 16 << 20

// FileDiff is a tracked file that is another than in HEAD.
type FileDiff struct {
	Name string
	// Patch is from the first "@@" on; empty for a file that is not text, and where only the mode is another.
	Patch string
}

// Diff returns the tracked files that are others than in HEAD, staged or not, in git's order. There must be a commit.
// Git runs no filter and no program for diffs. Of differences of more than 16 MiB it returns no patches.
func (t *Tree) Diff(ctx context.Context) ([]FileDiff, error) {
	f, err := t.readFilters(ctx)
	if err != nil {
		return nil, err
	}
	args := append(f.off(), "-c", "core.quotePath=false", "diff", "--no-color", "--no-ext-diff", "--no-textconv",
		"--no-renames", "--ignore-submodules=all", "--full-index", "-z", "--raw")
	out, err := t.runBounded(ctx, maxDiff, append(args, "-p", "HEAD", "--")...)
	if errors.Is(err, errTooMuch) {
		out, err = t.runBounded(ctx, maxDiff, append(args, "HEAD", "--")...)
	}
	if errors.Is(err, errTooMuch) {
		return nil, nil
	}
	return splitDiff(out), err
}

// splitDiff splits git's output: lines ":MODE MODE BLOB BLOB STATUS" and names, each with a NUL behind it, another NUL,
// and the patches in the same order.
func splitDiff(out string) (diffs []FileDiff) {
	for strings.HasPrefix(out, ":") {
		info, rest, _ := strings.Cut(out, "\x00")
		name, rest, ok := strings.Cut(rest, "\x00")
		out = rest
		if ok && !strings.HasSuffix(info, " U") && checkName(name) == nil {
			diffs = append(diffs, FileDiff{Name: name})
		} else {
			diffs = append(diffs, FileDiff{})
		}
	}
	const start = "diff --git "
	patches := strings.Split("\n"+strings.TrimLeft(out, "\x00"), "\n"+start)[1:]
	var named []FileDiff
	for i, d := range diffs {
		if len(patches) == len(diffs) { // else something is there that has no patch
			if at := strings.Index(patches[i], "\n@@ "); at >= 0 {
				d.Patch = strings.TrimSuffix(patches[i][at+1:], "\n")
			}
		}
		if d.Name != "" {
			named = append(named, d)
		}
	}
	return named
}

var errTooMuch = errors.New("too much output")

// bounded is a buffer that returns an error when it is full.
type bounded struct {
	bytes.Buffer
	left int
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		b.full = true
		return 0, errTooMuch
	}
	return b.Buffer.Write(p)
}
