package main

import (
	"slices"
	"strings"
)

// parseUdiff returns the edits of the hunks in the fences with diffs.
func parseUdiff(text string) ([]edit, error) {
	var edits []edit
	lines := splitLines(text)
	name := ""
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "```diff") {
			continue
		}
		start := i + 1
		for i = start; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
		}
		for _, h := range splitHunks(lines[start:i], &name) {
			if name == "" && h.path == "" {
				return nil, errNoName
			}
			edits = append(edits, h)
		}
	}
	return edits, nil
}

// splitHunks returns the hunks among the lines of a fence. A hunk without a name belongs to the file of the one before.
func splitHunks(lines []string, name *string) []edit {
	var hunks []edit
	var hunk []string
	flush := func() {
		if slices.ContainsFunc(hunk, isChange) {
			before, after := sides(hunk)
			hunks = append(hunks, edit{path: *name, search: before, replace: after, hunk: hunk})
		}
		hunk = nil
	}
	for i := 0; i < len(lines); i++ {
		line := endLine(lines[i])
		if strings.HasPrefix(line, "--- ") && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "+++ ") {
			flush()
			old, now := strings.TrimSpace(line[4:]), strings.TrimSpace(lines[i+1][4:])
			if rest, ok := strings.CutPrefix(now, "b/"); ok && (strings.HasPrefix(old, "a/") || old == "/dev/null") {
				now = rest
			}
			*name = now
			i++
			continue
		}
		switch {
		case line[0] == '@':
			flush()
		case strings.TrimSpace(line[1:]) == "" && isChange(line):
			hunk = append(hunk, line[:1]+"\n")
		case strings.TrimSpace(line) == "":
			hunk = append(hunk, " \n")
		case line[0] == ' ' || isChange(line):
			hunk = append(hunk, line)
		}
	}
	flush()
	return hunks
}

func isChange(line string) bool {
	return line[0] == '-' || line[0] == '+'
}

// sides returns the text of the lines of a hunk before and after its changes.
func sides(hunk []string) (before, after string) {
	var b, a strings.Builder
	for _, line := range hunk {
		if line[0] != '+' {
			b.WriteString(line[1:])
		}
		if line[0] != '-' {
			a.WriteString(line[1:])
		}
	}
	return b.String(), a.String()
}

// replaceHunk makes the changes of a hunk in whole: all of them in their place, else each run of them with as many of
// the lines about it as are there.
func replaceHunk(whole string, hunk []string) (string, bool) {
	if now, ok := replaceSides(whole, hunk); ok {
		return now, true
	}
	runs := [][]string{nil} // lines that are kept, then lines that change, and so on
	for _, line := range hunk {
		if isChange(line) != (len(runs)%2 == 0) {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], line)
	}
	runs = append(runs, nil)
	for i := 1; i < len(runs)-1; i += 2 {
		now, ok := replaceRun(whole, runs[i-1], runs[i], runs[i+1])
		if !ok {
			return "", false
		}
		whole = now
	}
	return whole, true
}

// replaceRun makes changes with as many of the lines above and below them as possible.
func replaceRun(whole string, above, changes, below []string) (string, bool) {
	for use := len(above) + len(below); use >= 0; use-- {
		for n := min(use, len(above)); n >= 0; n-- {
			if use-n > len(below) {
				break
			}
			if now, ok := replaceSides(whole, slices.Concat(above[len(above)-n:], changes, below[:use-n])); ok {
				return now, true
			}
		}
	}
	return "", false
}

// replaceSides replaces the text of a hunk: where it is equal, else where it is equal but for a common indentation.
func replaceSides(whole string, hunk []string) (string, bool) {
	before, after := sides(hunk)
	n := strings.Count(whole, before)
	switch {
	case before == "" || n > 1 && len(strings.Join(strings.Fields(before), "")) < 10:
		return "", false
	case n > 0:
		return strings.ReplaceAll(whole, before, after), true
	}
	return replaceLines(splitLines(whole), splitLines(before), splitLines(after))
}
