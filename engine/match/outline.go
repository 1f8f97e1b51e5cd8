package match

import (
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
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

// outline tells which lines contain others, by the extension of their file.
type outline struct{ extension string }

func outlineOf(f File) outline { return outline{path.Ext(f.Path)} }

// enclosers returns the lines before line n that enclose a change of some depth there, the innermost first.
func (o outline) enclosers(lines []string, n, depth int) []int {
	var all []int
	for n--; n >= 0 && depth > sectionDepth; n-- {
		s := lines[n]
		if text.IsBlank(s) || o.enclosesNothing(s) {
			continue
		}
		if d := o.depthOf(s); d < depth {
			depth = d
			all = append(all, n)
		}
	}
	return all
}

// enclosesNothing reports whether a line is a comment, a directive, of a template too, or the end of what is before it.
func (o outline) enclosesNothing(s string) bool {
	body := strings.TrimSpace(s)
	switch {
	case !text.HasWord(body), strings.IndexByte(")]}", body[0]) >= 0:
		return true
	case body[0] == '#':
		return !o.isHeading(s) && !strings.HasSuffix(body, "{")
	}
	return slices.ContainsFunc(asideMarks, func(mark string) bool { return strings.HasPrefix(body, mark) })
}

// depthOf returns how deep a line is.
func (o outline) depthOf(s string) int {
	switch {
	case o.isSection(s):
		return sectionDepth
	case o.isHeading(s):
		return len(s) - len(strings.TrimLeft(s, "#"))
	}
	return lineDepth + len(text.IndentOf(s))
}

func (o outline) isSection(s string) bool {
	s = text.TrimTrailing(s)
	return strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && slices.Contains(sectionFiles, o.extension)
}

// isHeading reports whether a line is a heading of Markdown.
func (o outline) isHeading(s string) bool {
	switch o.extension {
	case ".md", ".mdx", ".markdown":
		body := strings.TrimLeft(s, "#")
		return body != s && len(s)-len(body) < lineDepth && strings.HasPrefix(body, " ")
	}
	return false
}
