package engine

import (
	"path"
	"slices"
	"strings"
)

// Depths of lines that are not indented under what contains them: a section of an INI or TOML file contains the lines
// after it, as does a heading of Markdown.
const (
	sectionDepth = 0
	lineDepth    = 7 // of a line that is not indented; more than the levels of headings
)

// sectionFiles are the extensions of files with sections: "[name]".
var sectionFiles = []string{
	"", ".toml", ".ini", ".cfg", ".conf", ".lock", ".properties", ".editorconfig", ".gitconfig", ".service", ".desktop",
}

// asideMarks begin comments, and directives of templates.
var asideMarks = []string{"//", "/*", "* ", "{{", "{%"}

// isUnderOtherName reports whether a place is under another name than the block's: whether a line that encloses a
// change of the block, by indentation or as the header of a section, is not what encloses the place. A header may have
// drifted if it defines the same name, and the file has that name only once.
func (m matcher) isUnderOtherName(at []int) bool {
	file := m.file.lineKeys(keyExact)
	for i, n := range at {
		if n >= 0 && m.find[i] != file[n] && m.nameOf(m.find, i) != m.nameOf(file, n) && !m.isSlip(m.find[i], file[n]) {
			return true
		}
	}
	for _, h := range diffLines(m.file.work, m.find, m.repl) {
		depth, n := m.changeAt(h, at)
		if n < 0 {
			continue
		}
		m.file.work.spend(n)
		there := m.enclosers(file, n, depth)
		for _, i := range m.enclosers(m.find, h.f0, depth) {
			if m.isOtherHeader(i, at, there) {
				return true
			}
		}
	}
	return false
}

// changeAt returns how deep a change is, and the line of the file that it is before; -1 if it is not known.
func (m matcher) changeAt(h hunk, at []int) (depth, n int) {
	changed := m.find[h.f0:h.f1]
	if h.f0 == h.f1 {
		changed = m.repl[h.r0:h.r1]
	}
	depth = -1
	for _, s := range changed {
		if d := m.depthOf(s); !isBlank(s) && (depth < 0 || d < depth) {
			depth = d
		}
	}
	if depth < 0 {
		return 0, -1
	}
	for i := h.f0; i < h.f1; i++ {
		if at[i] >= 0 {
			return depth, at[i]
		}
	}
	before, after := m.neighborLines(hunk{f0: h.f0, f1: h.f0})
	switch {
	case before >= 0 && at[before] >= 0:
		return depth, at[before] + 1
	case after < len(at) && at[after] >= 0:
		return depth, at[after]
	}
	return depth, -1
}

// enclosers returns the lines before line n that enclose a change of some depth there, the innermost first.
func (m matcher) enclosers(lines []string, n, depth int) []int {
	var all []int
	for n--; n >= 0 && depth > sectionDepth; n-- {
		s := lines[n]
		if isBlank(s) || m.enclosesNothing(s) {
			continue
		}
		if d := m.depthOf(s); d < depth {
			depth = d
			all = append(all, n)
		}
	}
	return all
}

// enclosesNothing reports whether a line is a comment, a directive, of a template too, or the end of what is before it.
func (m matcher) enclosesNothing(s string) bool {
	body := strings.TrimSpace(s)
	switch {
	case !hasWord(body), strings.IndexByte(")]}", body[0]) >= 0:
		return true
	case body[0] == '#':
		return !m.isHeading(s) && !strings.HasSuffix(body, "{")
	}
	return slices.ContainsFunc(asideMarks, func(mark string) bool { return strings.HasPrefix(body, mark) })
}

// depthOf returns how deep a line is.
func (m matcher) depthOf(s string) int {
	switch {
	case m.isSection(s):
		return sectionDepth
	case m.isHeading(s):
		return len(s) - len(strings.TrimLeft(s, "#"))
	}
	return lineDepth + len(indentOf(s))
}

func (m matcher) isSection(s string) bool {
	s = trimTrailing(s)
	return strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && slices.Contains(sectionFiles, path.Ext(m.file.path))
}

// isHeading reports whether a line is a heading of Markdown.
func (m matcher) isHeading(s string) bool {
	switch path.Ext(m.file.path) {
	case ".md", ".mdx", ".markdown":
		body := strings.TrimLeft(s, "#")
		return body != s && len(s)-len(body) < lineDepth && strings.HasPrefix(body, " ")
	}
	return false
}

// isOtherHeader reports whether line i of find, which encloses a change, is another than the lines that enclose its
// place.
func (m matcher) isOtherHeader(i int, at, there []int) bool {
	file := m.file.lineKeys(keyExact)
	s := m.find[i]
	same := func(n int) bool {
		return keyOf(keyFoldTrimRight, file[n]) == keyOf(keyFoldTrimRight, s)
	}
	if slices.ContainsFunc(there, same) {
		return false
	}
	name := m.nameOf(m.find, i)
	k := slices.IndexFunc(there, func(n int) bool { return m.depthOf(file[n]) == m.depthOf(s) })
	switch {
	case name == "" || k < 0 && at[i] >= 0:
		return k >= 0 && m.hasLine(s)
	case k < 0:
		return m.hasLine(s) || definitionName(s) != ""
	case m.isSlip(s, file[there[k]]):
		return false
	case m.nameOf(file, there[k]) != name:
		return at[i] < 0 || m.nameOf(file, there[k]) != ""
	}
	within := span{0, len(file)}
	if k+1 < len(there) && slices.Contains(m.find[:i], file[there[k+1]]) {
		within = m.file.extent(there[k+1])
	}
	return m.timesNamed(name, within) > 1
}

// isSlip reports whether a header of the block is that of the file with a typo within a word. A letter at the end of a
// word makes another name: handlerA, handlerB.
func (m matcher) isSlip(block, file string) bool {
	x, y, from := middle(block, file)
	return isTypo(block, file) && !m.file.isOtherName(block, file) &&
		isInside(block, from, from+len(x)) && isInside(file, from, from+len(y))
}

// timesNamed counts the lines of a part of the file that open something of a name.
func (m matcher) timesNamed(name string, within span) int {
	file := m.file.lineKeys(keyExact)
	last := name[strings.LastIndexAny(name, " .")+1:]
	m.file.work.spend(within.to - within.from)
	count := 0
	for n := within.from; n < within.to; n++ {
		if strings.Contains(file[n], last) && m.nameOf(file, n) == name {
			count++
		}
	}
	return count
}

// hasLine reports whether the file has a line, at any indentation.
func (m matcher) hasLine(s string) bool {
	m.file.work.spend(len(m.file.lines))
	s = strings.TrimSpace(s)
	return slices.ContainsFunc(m.file.lines, func(l line) bool { return strings.TrimSpace(l.text) == s })
}

// nameOf returns the name of what a line opens: of a definition, section or key; "" if it opens nothing that has one.
func (m matcher) nameOf(lines []string, n int) string {
	s := lines[n]
	body := strings.TrimSpace(s)
	if m.isSection(s) || m.isHeading(s) {
		return body
	}
	if next := nextNonBlank(lines, n, 1); next < len(lines) && strings.TrimSpace(lines[next]) == "{" {
		s = body + " {"
	}
	if name := definitionName(s); name != "" {
		return name
	}
	return m.keyName(body)
}

// keyName returns the key that a line opens: "web" for "web:", "first" for "first = {", and the whole of an item of a
// list of YAML, which tells it from the other items.
func (m matcher) keyName(body string) string {
	ext := path.Ext(m.file.path)
	if (ext == ".yml" || ext == ".yaml") && strings.HasPrefix(body, "- ") {
		return body
	}
	key := strings.TrimRight(body, "{[( \t")
	key = strings.TrimRight(key, ":= \t")
	if key == body || len(body) > maxWordBytes || strings.ContainsAny(key, "(=;") {
		return ""
	}
	word, _, _ := strings.Cut(key, " ")
	if slices.Contains(controlWords, word) || word == "default" {
		return ""
	}
	return key
}
