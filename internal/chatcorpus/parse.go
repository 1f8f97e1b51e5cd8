package main

import (
	"path"
	"slices"
	"strings"
)

// parseBlocks returns the edits of the search and replace blocks in text.
func parseBlocks(text string, chat []string) ([]edit, error) {
	lines := splitLines(text)
	var edits []edit
	current := ""
	for i := 0; i < len(lines); i++ {
		if !blockHead.MatchString(strings.TrimSpace(lines[i])) {
			continue
		}
		known := chat
		if i+1 < len(lines) && blockDivider.MatchString(strings.TrimSpace(lines[i+1])) {
			known = nil // an empty search text makes a file
		}
		name := blockName(lines[max(0, i-3):i], known)
		if name == "" {
			name = current
		}
		if name == "" {
			return nil, errNoName
		}
		current = name
		start := i + 1
		i = indexLine(lines, start, func(s string) bool { return blockDivider.MatchString(s) })
		if i == len(lines) {
			return nil, errUnclosed
		}
		middle := i + 1
		i = indexLine(lines, middle, func(s string) bool { return blockTail.MatchString(s) || blockDivider.MatchString(s) })
		if i == len(lines) {
			return nil, errUnclosed
		}
		edits = append(edits, edit{
			path:    name,
			search:  unwrap(strings.Join(lines[start:middle-1], ""), name),
			replace: unwrap(strings.Join(lines[middle:i], ""), name),
		})
	}
	return edits, nil
}

// indexLine returns the index of the first line from start on whose trimmed text is wanted, or len(lines).
func indexLine(lines []string, start int, wanted func(string) bool) int {
	for i := start; i < len(lines); i++ {
		if wanted(strings.TrimSpace(lines[i])) {
			return i
		}
	}
	return len(lines)
}

// blockName returns the best file name in the up to three lines above a block. It looks past lines that open a fence.
func blockName(above, chat []string) string {
	var names []string
	for _, line := range slices.Backward(above) {
		mark, _, fenced := fenceOf(strings.TrimSpace(line))
		name := cleanName(line)
		if fenced {
			name = slashes(strings.TrimSpace(line)[len(mark):])
		}
		if name != "" && (!fenced || strings.ContainsAny(name, "./")) {
			names = append(names, name)
		}
		if !fenced {
			break
		}
	}
	for _, name := range names {
		if known, ok := chatName(name, chat); ok {
			return known
		}
	}
	for _, name := range names {
		if strings.Contains(name, ".") {
			return name
		}
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}

// unwrap returns text without a first line that repeats the file's name and without a fence about all of it.
func unwrap(text, name string) string {
	lines := splitLines(text)
	if len(lines) > 0 && strings.HasSuffix(strings.TrimSpace(lines[0]), path.Base(name)) {
		lines = lines[1:]
	}
	if n := len(lines); n > 1 {
		if _, end, ok := fenceOf(lines[0]); ok && strings.HasPrefix(lines[n-1], end) {
			lines = lines[1 : n-1]
		}
	}
	return endLine(strings.Join(lines, ""))
}

// parseWhole returns the edits of a list of whole files: each is a fence below a line with its name, or below a text
// that mentions a file of the chat. A fence without a name is the file of a chat that has one.
func parseWhole(text string, chat []string) ([]edit, error) {
	const (
		fromAbove = iota
		fromMention
		fromChat
		sources
	)
	var found [sources][]edit
	lines := splitLines(text)
	begin, end := "```", "```"
	if i := slices.IndexFunc(lines, func(line string) bool { _, _, ok := fenceOf(line); return ok }); i >= 0 {
		begin, end, _ = fenceOf(lines[i])
	}
	name, mentioned, source, start := "", "", 0, 0
	for i, line := range lines {
		fence := strings.HasPrefix(line, begin) || strings.HasPrefix(line, end)
		switch {
		case fence && name != "":
			found[source] = append(found[source], edit{path: name, replace: strings.Join(lines[start:i], ""), whole: true})
			name, mentioned = "", ""
		case fence:
			source, start = fromAbove, i+1
			if i > 0 {
				name = wholeName(lines[i-1], chat)
			}
			switch {
			case name != "":
			case mentioned != "":
				name, source = mentioned, fromMention
			case len(chat) == 1:
				name, source = chat[0], fromChat
			default:
				return nil, errNoName
			}
		case name == "":
			for word := range strings.FieldsSeq(line) {
				word = strings.TrimRight(word, ".:,;!")
				if quoted := strings.Trim(word, "`"); word == "`"+quoted+"`" && slices.Contains(chat, quoted) {
					mentioned = quoted
				}
			}
		}
	}
	if name != "" {
		found[source] = append(found[source], edit{path: name, replace: strings.Join(lines[start:], ""), whole: true})
	}
	var edits []edit
	for _, list := range found {
		for _, e := range list {
			if !slices.ContainsFunc(edits, func(old edit) bool { return old.path == e.path }) {
				edits = append(edits, e)
			}
		}
	}
	return edits, nil
}

// wholeName returns the file name in the line above a whole file. A name that only adds a directory to one of the chat
// means that one.
func wholeName(line string, chat []string) string {
	line = strings.TrimRight(strings.Trim(strings.TrimSpace(line), "*"), ":")
	name := slashes(strings.TrimSpace(strings.TrimLeft(strings.Trim(line, "`"), "#")))
	if len(name) > 250 {
		return ""
	}
	if base := path.Base(name); name != "" && !slices.Contains(chat, name) && slices.Contains(chat, base) {
		return base
	}
	return name
}
