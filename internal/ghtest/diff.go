package ghtest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// fileDiff is the change of a file in a pull request, from the merge base to its head.
type fileDiff struct {
	name, previous       string
	status, sha          string
	additions, deletions int
	patch                string // hunks only; "" for a binary file
	lines                []diffLine
}

// diffLine is a line of a patch. left and right are its line numbers, 0 on a side that does not have it.
type diffLine struct {
	text        string // with its sign; a hunk's header is "@@ …"
	hunk        int
	left, right int
}

var statusNames = map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied",
	'T': "changed"}

// pullFiles returns the diff of a pull request, which is cached by its two commits.
func (s *Server) pullFiles(is *issue) ([]*fileDiff, error) {
	key := is.pull.baseSHA + "..." + is.pull.headSHA
	if files, known := is.repo.diffs[key]; known {
		return files, nil
	}
	files, err := s.diff(is.repo, key)
	if err != nil {
		return nil, fmt.Errorf("diffing %s#%d: %w", is.repo.fullName(), is.number, err)
	}
	is.repo.diffs[key] = files
	return files, nil
}

func (s *Server) diff(r *repository, between string) ([]*fileDiff, error) {
	args := []string{"diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", "--full-index",
		"--abbrev=40"}
	raw, err := s.git(r.dir, append(args, "--raw", "-z", between)...)
	if err != nil {
		return nil, err
	}
	text, err := s.git(r.dir, append(args, "--patch", between)...)
	if err != nil {
		return nil, err
	}
	files := parseRaw(raw)
	patches := splitPatches(text)
	for _, f := range files {
		n := 1
		if f.status == "changed" { // a file that became a link, say: git writes two patches
			n = 2
		} else if len(patches) > 0 {
			f.setPatch(patches[0])
		}
		patches = patches[min(n, len(patches)):]
	}
	return files, nil
}

// parseRaw parses `git diff --raw -z`: ":modes shas X\0path\0", with a second path for renames.
func parseRaw(raw string) []*fileDiff {
	var files []*fileDiff
	fields := strings.Split(raw, "\x00")
	for i := 0; i+1 < len(fields) && strings.HasPrefix(fields[i], ":"); {
		meta := strings.Fields(fields[i])
		f := &fileDiff{name: fields[i+1], sha: meta[3], status: statusNames[meta[4][0]]}
		i += 2
		if f.status == "removed" {
			f.sha = meta[2]
		}
		if f.status == "renamed" || f.status == "copied" {
			f.previous, f.name = f.name, fields[i]
			i++
		}
		files = append(files, f)
	}
	return files
}

// splitPatches splits a diff at its "diff --git" lines.
func splitPatches(text string) []string {
	return strings.Split("\n"+text, "\ndiff --git ")[1:]
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

func (f *fileDiff) setPatch(text string) {
	start := strings.Index(text, "\n@@ ")
	if start < 0 {
		return
	}
	f.patch = strings.TrimSuffix(text[start+1:], "\n")
	hunk, left, right := 0, 0, 0
	for _, line := range strings.Split(f.patch, "\n") {
		d := diffLine{text: line}
		if m := hunkHeader.FindStringSubmatch(line); m != nil {
			hunk++
			left, _ = strconv.Atoi(m[1])
			right, _ = strconv.Atoi(m[2])
		} else if line != "" {
			switch line[0] {
			case '+':
				d.right, right, f.additions = right, right+1, f.additions+1
			case '-':
				d.left, left, f.deletions = left, left+1, f.deletions+1
			case ' ':
				d.left, d.right, left, right = left, right, left+1, right+1
			}
		}
		d.hunk = hunk
		f.lines = append(f.lines, d)
	}
}

// find returns the index of a line of the file in the patch, or -1 if the diff does not contain it.
func (f *fileDiff) find(side string, line int) int {
	for i, d := range f.lines {
		if at := d.on(side); at != 0 && at == line {
			return i
		}
	}
	return -1
}

func (d diffLine) on(side string) int {
	if side == "LEFT" {
		return d.left
	}
	return d.right
}

// hunkUpTo returns the diff_hunk of a comment: the hunk's header and its lines up to the commented one.
func (f *fileDiff) hunkUpTo(i int) string {
	var b []string
	for _, d := range f.lines[:i+1] {
		if d.hunk == f.lines[i].hunk {
			b = append(b, d.text)
		}
	}
	return strings.Join(b, "\n")
}
