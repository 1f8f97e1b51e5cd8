package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/unmerged"
	"github.com/tenon-bot/tenon/internal/worktree"
)

// stoppedMerge is a command of git that stopped at conflicts, and what became of them.
type stoppedMerge struct {
	worktree.Stopped
	files  []*stoppedFile
	others []otherConflict
	// settled are the conflicts that have an answer.
	settled resolution.Settled
	result  resolution.Result
	// elsewhere counts the paths with conflicts that are not asked for.
	elsewhere int
	// marked are files that were staged with their conflict markers.
	marked []string
	// name returns the name of a file for people, which a shell takes, too.
	name func(path string) string
}

// stoppedFile is a text with conflicts.
type stoppedFile struct {
	unmerged.File
	// now is the text that was read; there is none if the work tree has no such file.
	now    []byte
	absent bool
	// staged means that it is settled, and staged.
	staged bool
	// why says why it was written and not staged, unwritten why it was not written.
	why, unwritten string
}

// otherConflict is a path whose conflict is not one of lines.
type otherConflict struct {
	path string
	kind unmerged.Kind
}

// readStopped reads the conflicts of a work tree, or of some files of it.
func readStopped(ctx context.Context, tree *worktree.Tree, files []string) (*stoppedMerge, error) {
	list, err := tree.Unmerged(ctx)
	if err != nil {
		return nil, err
	}
	wanted, err := conflictingFiles(tree.Dir(), files, list)
	if err != nil {
		return nil, err
	}
	s := &stoppedMerge{settled: resolution.Settled{}, name: namesIn(tree.Dir())}
	if s.Stopped, err = tree.Stopped(ctx); err != nil {
		return nil, err
	}
	next := 1
	for _, u := range list {
		f, kind, err := readConflicts(ctx, tree, u, next)
		if err != nil {
			return nil, err
		}
		next += len(f.Conflicts())
		switch {
		case u.Staged:
			if kind == unmerged.Text && len(f.Open) > 0 {
				s.marked = append(s.marked, u.Path)
			}
		case len(wanted) > 0 && !slices.Contains(wanted, u.Path):
			s.elsewhere++
		case kind != unmerged.Text:
			s.others = append(s.others, otherConflict{u.Path, kind})
		default:
			s.files = append(s.files, &f)
		}
	}
	return s, nil
}

// conflictingFiles returns the paths of files that a person named.
func conflictingFiles(top string, files []string, list []worktree.Unmerged) (paths []string, err error) {
	for _, name := range files {
		path, err := pathFromTop(top, name)
		if err != nil {
			return nil, usageError{err}
		}
		if !slices.ContainsFunc(list, func(u worktree.Unmerged) bool { return u.Path == path && !u.Staged }) {
			return nil, usageError{fmt.Errorf("%s has no conflicts; tenon resolve --list shows those that are open",
				terminal.Escape(name))}
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// readConflicts reads a text with conflicts, or says of what other kind they are. first is the number of the first one.
func readConflicts(ctx context.Context, tree *worktree.Tree, u worktree.Unmerged, first int) (f stoppedFile,
	kind unmerged.Kind, err error) {
	if kind = unmerged.KindOf(u); kind != unmerged.Text {
		return f, kind, nil
	}
	var versions [3][]byte
	for i, stage := range []worktree.Stage{u.Base, u.Ours, u.Theirs} {
		if stage.Blob == "" {
			continue
		}
		var ok bool
		if versions[i], ok, err = tree.Blob(ctx, stage.Blob); err != nil {
			return f, "", err
		} else if !ok {
			return f, unmerged.TooLarge, nil
		}
	}
	if unmerged.IsNested(versions[1]) || unmerged.IsNested(versions[2]) {
		return f, unmerged.Nested, nil
	}
	switch f.now, err = tree.ReadFile(u.Path); {
	case errors.Is(err, fs.ErrNotExist):
		f.absent = true
	case err != nil:
		return f, unmerged.Unreadable, nil //nolint:nilerr // the other files can be settled
	}
	var refusal merge.Refusal
	f.File, refusal = unmerged.New(u.Path, versions[0], versions[1], versions[2], f.now, first)
	if refusal != "" {
		return f, unmerged.KindOfRefusal(refusal), nil
	}
	return f, unmerged.Text, nil
}

// open returns the conflicts that are open.
func (s *stoppedMerge) open() (out []choice.Conflict) {
	for _, f := range s.files {
		out = append(out, f.Open...)
	}
	return out
}

// merge returns the files with open conflicts as a merge, and the conflicts that are not open any more: those are not
// asked about.
func (s *stoppedMerge) merge() (resolution.Merge, resolution.Settled) {
	m := resolution.Merge{Ours: resolution.Branch{Name: s.Ours, Subjects: s.OurSubjects},
		Theirs: resolution.Branch{Name: s.Theirs, Subjects: s.TheirSubjects}}
	closed := resolution.Settled{}
	for _, f := range s.files {
		if len(f.Open) > 0 {
			m.Files = append(m.Files, f.File.File)
		}
		for _, c := range f.Conflicts() {
			if !slices.ContainsFunc(f.Open, func(open choice.Conflict) bool { return open.ID == c.ID }) {
				closed[c.ID] = choice.Answer{ID: c.ID}
			}
		}
	}
	return m, closed
}

// settle notes the answers to conflicts.
func (s *stoppedMerge) settle(answers []choice.Answer) {
	for _, a := range answers {
		s.settled[a.ID] = a
	}
}

// take notes what a model chose. Conflicts in which it wrote new lines stay open if these are refused.
func (s *stoppedMerge) take(r resolution.Result, n newLines) {
	s.result = r
	for _, f := range s.files {
		written := r.Settled.New(f.File.File.File)
		for _, c := range f.Open {
			if a, ok := r.Settled[c.ID]; ok && (n != refuseNew || written[c.ID] == nil) {
				s.settled[c.ID] = a
			}
		}
	}
}

// complete reports whether nothing that was asked for is left to settle or to stage.
func (s *stoppedMerge) complete() bool {
	return len(s.others)+len(s.marked) == 0 &&
		!slices.ContainsFunc(s.files, func(f *stoppedFile) bool { return !f.staged })
}
