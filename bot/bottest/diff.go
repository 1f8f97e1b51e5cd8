package bottest

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
)

// fileDiff is what a pull request does to a file.
type fileDiff struct {
	path    string
	removed bool
	// patch is its part of the diff, from the first "@@"; empty where GitHub shows none.
	patch string
	lines []diffLine
}

// diffLine is a line of a patch. left and right are its numbers in the old and the new file; 0 where it is not in it.
type diffLine struct {
	text              string
	hunk, left, right int
}

// maxPatched is the size of a file, in bytes, from which on its patch is not shown.
const maxPatched = 1 << 20

// diffTrees compares two trees as a pull request shows it.
func diffTrees(before, after tree) (list []fileDiff) {
	removed := map[string]bool{}
	for _, name := range changedPaths(before, after) {
		if _, is := after[name]; !is {
			removed[before[name].id()] = true
		}
	}
	for _, name := range changedPaths(before, after) {
		old, was := before[name]
		now, is := after[name]
		f := fileDiff{path: name, removed: !is}
		moved := is && !was && removed[now.id()]
		large := len(old.data)+len(now.data) > maxPatched
		if !moved && !large && !bytes.Contains(old.data, []byte{0}) && !bytes.Contains(now.data, []byte{0}) {
			f.setPatch(unified(string(old.data), string(now.data)))
		}
		list = append(list, f)
	}
	return list
}

// unified returns the hunks that make one text of another, as git writes them: behind the place of a hunk is the
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
				lines[i] = line + " " + above[:min(len(above), 80)]
				break
			}
		}
	}
	return strings.Join(lines, "\n")
}

var beginsWithLetter = regexp.MustCompile(`^[A-Za-z_$]`)

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

func (f *fileDiff) setPatch(patch string) {
	f.patch = patch
	if patch == "" {
		return
	}
	hunk, left, right := 0, 0, 0
	for _, line := range strings.Split(patch, "\n") {
		d := diffLine{text: line}
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			hunk++
			left, _ = strconv.Atoi(m[1])
			right, _ = strconv.Atoi(m[2])
		} else if line != "" {
			switch line[0] {
			case '+':
				d.right, right = right, right+1
			case '-':
				d.left, left = left, left+1
			case ' ':
				d.left, d.right, left, right = left, right, left+1, right+1
			}
		}
		d.hunk = hunk
		f.lines = append(f.lines, d)
	}
}

// at is the index of a line of the new file in the patch; -1 when the patch does not show it.
func (f *fileDiff) at(line int) int {
	for i, d := range f.lines {
		if d.right == line && line != 0 {
			return i
		}
	}
	return -1
}

// hunkUpTo is what a comment on a line shows: the hunk's header and its lines down to that one.
func (f *fileDiff) hunkUpTo(i int) string {
	var shown []string
	for _, d := range f.lines[:i+1] {
		if d.hunk == f.lines[i].hunk {
			shown = append(shown, d.text)
		}
	}
	return strings.Join(shown, "\n")
}

// movedLine is where a line of a text is in another; 0 when it was changed.
func movedLine(before, after string, line int) int {
	moved := line
	for _, h := range text.Diff(nil, strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")) {
		switch {
		case h.From < line && line <= h.To:
			return 0
		case h.To < line:
			moved += h.NewTo - h.NewFrom - (h.To - h.From)
		}
	}
	return moved
}
