package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutation is a fault to plant, and the test that should find it.
type mutation struct {
	name    string
	test    test
	changes []change
}

// test says which tests to run: those of packages whose name fits a pattern, or all if it is empty.
type test struct {
	packages []string
	run      string
}

// and returns the tests of both, and perhaps more: each pattern is for all packages.
func (t test) and(o test) test {
	for _, p := range o.packages {
		if !slices.Contains(t.packages, p) {
			t.packages = append(slices.Clip(t.packages), p)
		}
	}
	if t.run != "" && o.run != "" {
		t.run += "|"
	}
	t.run += o.run
	return t
}

func (t test) String() string {
	text := "go test " + strings.Join(t.packages, " ")
	if t.run != "" {
		text += " -run '" + t.run + "'"
	}
	return text
}

// change replaces lines of a file, which must occur in it once. Both texts end with a line feed.
type change struct{ file, before, after string }

// parse reads a list of mutations. Blank lines separate them, and lines that begin with "#" are comments. A mutation is
//
//	mutation: NAME
//	test: PACKAGE … -run PATTERN
//	file: PATH
//	-a line that is replaced
//	+a line that replaces it
//
// The pattern may be left out. There may be several files, and several changes of one.
func parse(text string) (list []mutation, err error) {
	names := map[string]bool{}
	for i, paragraph := range paragraphs(text) {
		m, err := parseMutation(paragraph)
		switch {
		case err != nil:
			return nil, fmt.Errorf("mutation %d, %q: %w", i+1, m.name, err)
		case names[m.name]:
			return nil, fmt.Errorf("mutation %d, %q: another one has this name", i+1, m.name)
		}
		names[m.name] = true
		list = append(list, m)
	}
	return list, nil
}

// paragraphs returns the lines between blank ones, without comments.
func paragraphs(text string) (list [][]string) {
	var lines []string
	for line := range strings.Lines(text + "\n\n") {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line != "" && !strings.HasPrefix(line, "#"):
			lines = append(lines, line)
		case line == "" && len(lines) > 0:
			list = append(list, lines)
			lines = nil
		}
	}
	return list
}

func parseMutation(lines []string) (m mutation, err error) {
	file := ""
	for i, line := range lines {
		key, value, _ := strings.Cut(line, ": ")
		switch {
		case line[0] == '-' || line[0] == '+':
			if file == "" {
				return m, fmt.Errorf("%q is of no file", line)
			}
			if n := len(m.changes); n == 0 || m.changes[n-1].file != file || line[0] == '-' && lines[i-1][0] == '+' {
				m.changes = append(m.changes, change{file: file})
			}
			c := &m.changes[len(m.changes)-1]
			if line[0] == '-' {
				c.before += line[1:] + "\n"
			} else {
				c.after += line[1:] + "\n"
			}
		case key == "mutation":
			m.name = value
		case key == "test":
			var packages string
			packages, m.test.run, _ = strings.Cut(value, " -run ")
			m.test.packages = strings.Fields(packages)
		case key == "file":
			file = value
		default:
			return m, fmt.Errorf("%q is none of mutation, test, file, -line and +line", line)
		}
	}
	if m.name == "" || len(m.test.packages) == 0 || len(m.changes) == 0 {
		return m, errors.New("it needs a name, a test and a change")
	}
	if slices.ContainsFunc(m.changes, func(c change) bool { return c.before == "" }) {
		return m, errors.New("it adds lines without one to replace, so that nothing says where")
	}
	return m, nil
}

// overlay returns what go's -overlay needs to build the mutated code of the module at root. The mutated files are
// written to a scratch folder.
func (m mutation) overlay(root, scratch string) ([]byte, error) {
	mutated, err := m.mutate(os.DirFS(root))
	if err != nil {
		return nil, err
	}
	replace := map[string]string{}
	for name, text := range mutated {
		path := filepath.Join(scratch, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return nil, err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = path
	}
	return json.Marshal(map[string]any{"Replace": replace})
}

// mutate returns the files that the mutation changes, as they are with it.
func (m mutation) mutate(root fs.FS) (map[string]string, error) {
	files := map[string]string{}
	for _, c := range m.changes {
		text, ok := files[c.file]
		if !ok {
			data, err := fs.ReadFile(root, c.file)
			if err != nil {
				return nil, err
			}
			text = string(data)
		}
		lines, before := strings.SplitAfter(text, "\n"), strings.SplitAfter(c.before, "\n")
		before = before[:len(before)-1]
		var at []int
		for i := range len(lines) - len(before) {
			if slices.Equal(lines[i:i+len(before)], before) {
				at = append(at, i)
			}
		}
		if len(at) != 1 {
			return nil, fmt.Errorf("these lines occur %d times in %s instead of once; change the mutation so that it plants "+
				"the same fault in the present code:\n%s", len(at), c.file, c.before)
		}
		files[c.file] = strings.Join(slices.Replace(lines, at[0], at[0]+len(before), c.after), "")
	}
	return files, nil
}
