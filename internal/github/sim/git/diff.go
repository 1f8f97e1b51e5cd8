package git

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/tenon-bot/tenon/engine/text"
)

// The states of a file in a diff, in GitHub's words. Changed is a file of another type, such as a link.
const (
	Added    = "added"
	Removed  = "removed"
	Modified = "modified"
	Renamed  = "renamed"
	Changed  = "changed"
)

// FileDiff is the change of a file, as GitHub lists it.
type FileDiff struct {
	Path, Previous       string // Previous is the path before it was renamed
	Status               string
	SHA                  string // of the blob; of a removed one, before
	Additions, Deletions int
	// Patch are the hunks; empty for a binary file, and without changed lines.
	Patch string
	Lines []Line
}

// Line is a line of a patch. Left and Right are its line numbers, 0 on a side that does not have it.
type Line struct {
	Text        string // with its sign; a hunk's header is "@@ …"
	Hunk        int
	Left, Right int
}

// On returns the number of a line on a side, "LEFT" or "RIGHT".
func (l Line) On(side string) int {
	if side == "LEFT" {
		return l.Left
	}
	return l.Right
}

// Find returns the index of a line of the file in the patch, or -1 if the patch does not contain it.
func (f *FileDiff) Find(side string, line int) int {
	return slices.IndexFunc(f.Lines, func(l Line) bool { return l.On(side) != 0 && l.On(side) == line })
}

// HunkUpTo returns the header of a line's hunk and its lines up to that one, which a comment on the line shows.
func (f *FileDiff) HunkUpTo(i int) string {
	var shown []string
	for _, l := range f.Lines[:i+1] {
		if l.Hunk == f.Lines[i].Hunk {
			shown = append(shown, l.Text)
		}
	}
	return strings.Join(shown, "\n")
}

// renameScore is the similarity, in percent, from which on a file is a renamed one, as in git.
const renameScore = 50

// Diff compares two trees, sorted by path. The first may be empty.
func (o *Objects) Diff(from, to string) ([]*FileDiff, error) {
	changes, err := o.changes(from, to, true)
	if err != nil {
		return nil, err
	}
	files := make([]*FileDiff, len(changes))
	for i, c := range changes {
		if files[i], err = o.fileDiff(c); err != nil {
			return nil, fmt.Errorf("diffing %s: %w", files[i].Path, err)
		}
	}
	return files, nil
}

// change is how a path differs. Before or after has no path if there is no such file.
type change struct{ before, after Entry }

func (c change) path() string { return cmp.Or(c.after.Path, c.before.Path) }

// changes lists how two trees differ, sorted by path.
func (o *Objects) changes(from, to string, renames bool) ([]change, error) {
	before, err := &object.Tree{}, error(nil)
	if from != "" {
		before, err = o.tree(from)
	}
	if err != nil {
		return nil, err
	}
	after, err := o.tree(to)
	if err != nil {
		return nil, err
	}
	found, err := object.DiffTreeWithOptions(context.Background(), before, after,
		&object.DiffTreeOptions{DetectRenames: renames, RenameScore: renameScore})
	if err != nil {
		return nil, fmt.Errorf("comparing trees: %w", err)
	}
	list := make([]change, len(found))
	for i, c := range found {
		list[i] = change{changeEntry(c.From), changeEntry(c.To)}
	}
	slices.SortFunc(list, func(a, b change) int { return strings.Compare(a.path(), b.path()) })
	return list, nil
}

func changeEntry(e object.ChangeEntry) Entry {
	if e.Name == "" {
		return Entry{}
	}
	out := entryOf(e.TreeEntry, "")
	out.Path = e.Name
	return out
}

func (o *Objects) fileDiff(c change) (*FileDiff, error) {
	f := &FileDiff{Path: c.path(), SHA: c.after.SHA, Status: Modified}
	switch {
	case c.before.Path == "":
		f.Status = Added
	case c.after.Path == "":
		f.Status, f.SHA = Removed, c.before.SHA
	case c.before.Path != c.after.Path:
		f.Status, f.Previous = Renamed, c.before.Path
	case c.before.IsFile() != c.after.IsFile() || c.before.Kind() != c.after.Kind():
		f.Status = Changed
		return f, nil
	}
	if c.before.SHA == c.after.SHA {
		return f, nil
	}
	old, err := o.shown(c.before)
	if err != nil {
		return f, err
	}
	now, err := o.shown(c.after)
	if err != nil {
		return f, err
	}
	if !isBinary(old) && !isBinary(now) {
		f.setPatch(unified(string(old), string(now)))
	}
	return f, nil
}

// shown returns the text of an entry in a diff.
func (o *Objects) shown(e Entry) ([]byte, error) {
	switch {
	case e.Path == "":
		return nil, nil
	case e.Mode == ModeSubmodule:
		return []byte("Subproject commit " + e.SHA + "\n"), nil
	}
	return o.Blob(e.SHA)
}

// isBinary is git's rule for a file whose lines are not shown.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// maxHeading is how many bytes of a line git shows behind a hunk's header.
const maxHeading = 80

// unified returns the hunks that make one text of another, as git writes them: behind the header of a hunk is the
// nearest line above it that begins with a letter.
func unified(before, after string) string {
	old := strings.Split(before, "\n")
	lines := strings.Split(strings.TrimSuffix(text.Unified(nil, before, after), "\n"), "\n")
	for i, line := range lines {
		m := hunkHeader.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, _ := strconv.Atoi(m[1])
		for _, above := range slices.Backward(old[:max(from-1, 0)]) {
			if beginsWithLetter.MatchString(above) {
				lines[i] = line + " " + strings.TrimRight(above[:min(len(above), maxHeading)], " \t\r\f\v")
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

var beginsWithLetter = regexp.MustCompile(`^[A-Za-z_$]`)

func (f *FileDiff) setPatch(patch string) {
	if f.Patch = patch; patch == "" {
		return
	}
	hunk, left, right := 0, 0, 0
	for line := range strings.SplitSeq(patch, "\n") {
		l := Line{Text: line}
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			hunk++
			left, _ = strconv.Atoi(m[1])
			right, _ = strconv.Atoi(m[2])
		} else if line != "" {
			switch line[0] {
			case '+':
				l.Right, right, f.Additions = right, right+1, f.Additions+1
			case '-':
				l.Left, left, f.Deletions = left, left+1, f.Deletions+1
			case ' ':
				l.Left, l.Right, left, right = left, right, left+1, right+1
			}
		}
		l.Hunk = hunk
		f.Lines = append(f.Lines, l)
	}
}

// MovedLine returns where a line of a file in one tree is in another, or 0 if it was changed there.
func (o *Objects) MovedLine(from, to, path string, line int) (int, error) {
	old, err := o.textAt(from, path)
	if err != nil {
		return 0, err
	}
	now, err := o.textAt(to, path)
	if err != nil {
		return 0, err
	}
	moved := line
	for _, h := range text.Diff(nil, strings.SplitAfter(old, "\n"), strings.SplitAfter(now, "\n")) {
		switch {
		case h.From < line && line <= h.To:
			return 0, nil
		case h.To < line:
			moved += h.NewTo - h.NewFrom - (h.To - h.From)
		}
	}
	return moved, nil
}

// textAt returns the content of a file, or "" if there is none.
func (o *Objects) textAt(tree, path string) (string, error) {
	id, err := o.idAt(tree, path)
	if err != nil || id == "" {
		return "", err
	}
	data, err := o.File(tree, path)
	return string(data), err
}
