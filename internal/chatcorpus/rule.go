package main

import (
	"errors"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The forms of a reply.
const (
	formBlocks = "blocks"
	formWhole  = "whole"
	formUdiff  = "udiff"
	formProse  = "prose"
)

// An edit replaces a text in a file. A whole edit replaces all of it.
type edit struct {
	path            string
	search, replace string
	whole           bool
	hunk            []string // the lines of an edit of a diff, with their marks
}

var (
	blockHead    = regexp.MustCompile(`^<{5,9} (SEARCH|ORIGINAL)>?\s*$`)
	blockDivider = regexp.MustCompile(`^={5,9}\s*$`)
	blockTail    = regexp.MustCompile(`^>{5,9} (REPLACE|UPDATED)\s*$`)
	anyHead      = regexp.MustCompile(`(?m)^[ \t]*<{5,9} (SEARCH|ORIGINAL)`)
	anyDiff      = regexp.MustCompile("(?m)^```diff|^--- .*\n\\+\\+\\+ |^@@ |^diff --git ")
	anyFence     = regexp.MustCompile("(?m)^[ \t]*```")

	errNoEdit   = errors.New("no edit is found")
	errNoName   = errors.New("an edit has no file name")
	errUnclosed = errors.New("an edit does not end")
	errNoMatch  = errors.New("an edit does not match its file")
)

// formOf returns the form of the edits in a reply: whole files, if there are no marks of another form.
func formOf(text string) string {
	switch {
	case anyHead.MatchString(text):
		return formBlocks
	case strings.Contains(text, "\n```diff") || strings.HasPrefix(text, "```diff"):
		return formUdiff
	}
	return formWhole
}

// applyReply returns a copy of files after the edits in text, which are of the given form. Files have line feeds only.
// The names in chat are of those files that the tool has in its chat: a name in the reply may mean one of them.
func applyReply(form, text string, files map[string]string, chat []string) (map[string]string, error) {
	var edits []edit
	var err error
	switch form {
	case formBlocks:
		edits, err = parseBlocks(text, chat)
	case formWhole:
		edits, err = parseWhole(text, chat)
	case formUdiff:
		edits, err = parseUdiff(text)
	}
	if err != nil {
		return nil, err
	}
	if len(edits) == 0 {
		return nil, errNoEdit
	}
	after := maps.Clone(files)
	known := func(name string) bool {
		_, exists := files[name]
		return exists || slices.Contains(chat, name)
	}
	for _, e := range edits {
		e.path = relative(e.path, known)
		if err := e.apply(after, chat); err != nil {
			return nil, err
		}
	}
	return after, nil
}

// apply makes the edit in files. If its text is not in the file that it names, the edit is tried in the files of the
// chat.
func (e edit) apply(files map[string]string, chat []string) error {
	old := files[e.path]
	switch {
	case e.whole:
		files[e.path] = e.replace
		return nil
	case strings.TrimSpace(e.search) == "" && e.hunk != nil:
		files[e.path] = old + e.replace
		return nil
	case strings.TrimSpace(e.search) == "":
		files[e.path] = endLine(old) + endLine(e.replace)
		return nil
	case e.hunk != nil:
		now, ok := replaceHunk(old, e.hunk)
		if !ok {
			return errNoMatch
		}
		files[e.path] = now
		return nil
	}
	for _, name := range slices.Concat([]string{e.path}, chat) {
		if now, ok := replaceChunk(files[name], e.search, e.replace); ok {
			files[name] = now
			return nil
		}
	}
	return errNoMatch
}

// replaceChunk returns whole with the lines of part replaced: where they are equal, else where they are equal but for a
// common indentation, else between the lines "..." of an elision.
func replaceChunk(whole, part, replace string) (string, bool) {
	whole, part, replace = endLine(whole), endLine(part), endLine(replace)
	w, p, r := splitLines(whole), splitLines(part), splitLines(replace)
	if now, ok := replaceLines(w, p, r); ok {
		return now, true
	}
	if len(p) > 2 && strings.TrimSpace(p[0]) == "" {
		if now, ok := replaceLines(w, p[1:], r); ok {
			return now, true
		}
	}
	return replaceElided(whole, part, replace)
}

// replaceLines replaces the first place in w that equals p, or that equals p but for a common indentation.
func replaceLines(w, p, r []string) (string, bool) {
	for i := range len(w) - len(p) + 1 {
		if slices.Equal(w[i:i+len(p)], p) {
			return strings.Join(slices.Concat(w[:i], r, w[i+len(p):]), ""), true
		}
	}
	least := -1
	for _, line := range slices.Concat(p, r) {
		if n := len(line) - len(strings.TrimLeft(line, " \t")); strings.TrimSpace(line) != "" && (least < 0 || n < least) {
			least = n
		}
	}
	p, r = dedent(p, least), dedent(r, least)
	for i := range len(w) - len(p) + 1 {
		indent, ok := commonIndent(w[i:i+len(p)], p)
		if !ok {
			continue
		}
		moved := make([]string, len(r))
		for j, line := range r {
			if strings.TrimSpace(line) != "" {
				line = indent + line
			}
			moved[j] = line
		}
		return strings.Join(slices.Concat(w[:i], moved, w[i+len(p):]), ""), true
	}
	return "", false
}

func dedent(lines []string, n int) []string {
	out := slices.Clone(lines)
	for i, line := range out {
		if n > 0 && strings.TrimSpace(line) != "" {
			out[i] = line[n:]
		}
	}
	return out
}

// commonIndent returns the one text that the lines of w have before those of p.
func commonIndent(w, p []string) (indent string, ok bool) {
	for i := range p {
		if strings.TrimLeft(w[i], " \t\n") != strings.TrimLeft(p[i], " \t\n") {
			return "", false
		}
		if strings.TrimSpace(w[i]) == "" {
			continue
		}
		if len(w[i]) < len(p[i]) {
			return "", false
		}
		this := w[i][:len(w[i])-len(p[i])]
		if ok && this != indent {
			return "", false
		}
		indent, ok = this, true
	}
	return indent, ok
}

var elision = regexp.MustCompile(`(?m)^[ \t]*\.\.\.\n`)

// replaceElided replaces the pieces of part between its elisions, each of which must be in whole once.
func replaceElided(whole, part, replace string) (string, bool) {
	p, r := elision.Split(part, -1), elision.Split(replace, -1)
	same := slices.Equal(elision.FindAllString(part, -1), elision.FindAllString(replace, -1))
	if len(p) == 1 || !same {
		return "", false
	}
	for i := range p {
		switch {
		case p[i] == "" && r[i] == "":
		case p[i] == "":
			whole = endLine(whole) + r[i]
		case strings.Count(whole, p[i]) != 1:
			return "", false
		default:
			whole = strings.Replace(whole, p[i], r[i], 1)
		}
	}
	return whole, true
}

// endLine returns text with a line feed at its end, unless it is empty.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// splitLines returns the lines of text with their line feeds.
func splitLines(text string) []string {
	return slices.Collect(strings.Lines(text))
}

// cleanName returns the file name that a line holds, without the marks that models put about names.
func cleanName(line string) string {
	line = strings.TrimSpace(line)
	if line == "..." {
		return ""
	}
	line = strings.TrimLeft(strings.TrimRight(line, ":"), "#")
	return slashes(strings.Trim(strings.Trim(strings.TrimSpace(line), "`"), "*"))
}

// slashes returns a file name with slashes for the backslashes of Windows, and without those of Markdown.
func slashes(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, `\_`, "_"), `\`, "/")
}

// relative returns a file name without "./" and, if it is absolute, the longest known name at its end.
func relative(name string, known func(string) bool) string {
	name = path.Clean(name)
	for rest := name; path.IsAbs(name) || strings.Contains(name, ":/"); {
		var ok bool
		if _, rest, ok = strings.Cut(rest, "/"); !ok {
			break
		}
		if known(rest) {
			return rest
		}
	}
	return name
}

// fenceMarks begin the fences that the tool may ask for: it takes the first that its files do not hold.
var fenceMarks = []string{"````", "```", "<source>", "<code>", "<pre>", "<codeblock>", "<sourcecode>"}

// fenceOf returns the marks that begin and end a fence, if line begins one.
func fenceOf(line string) (begin, end string, ok bool) {
	for _, mark := range fenceMarks {
		if strings.HasPrefix(line, mark) {
			return mark, strings.Replace(mark, "<", "</", 1), true
		}
	}
	return "", "", false
}

// chatName returns the file of the chat that a name means: the same name, else the same base name.
func chatName(name string, chat []string) (string, bool) {
	if slices.Contains(chat, name) {
		return name, true
	}
	for _, c := range chat {
		if path.Base(c) == name {
			return c, true
		}
	}
	return "", false
}
