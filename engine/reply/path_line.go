package reply

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// confidence is how certain it is that a line is a path and nothing else.
type confidence uint8

const (
	notPath  confidence = iota
	ifExists            // a path if the tree has such a file
	possible            // a path if there is no better one
	certain             // a path, even of a new file
)

// pathReading is what one or more lines mean as a path.
type pathReading struct {
	path       string
	names      []string // candidates, in the order in which to look them up
	confidence confidence
	header     bool // it is a "### File:" line
	element    bool // it is a <path> element
}

// isSettled reports whether no other line can name the file: this one does, or is a header with an unreadable path.
func (r pathReading) isSettled() bool { return r.confidence == certain || r.header && r.path == "" }

// isUnmistakable reports whether the line is a path regardless of its position.
func (r pathReading) isUnmistakable() bool {
	return r.confidence == certain && (r.header || strings.ContainsAny(r.path, `/.\`))
}

// maxCandidates bounds the readings of the path of a block. Blocks without a path of their own take those of the block
// before, and would add one each.
const maxCandidates = 16

// merge adds the readings of another source that is further away.
func (r *pathReading) merge(o pathReading) {
	if o.confidence > r.confidence {
		r.path, r.confidence, r.element = o.path, o.confidence, o.element
	}
	for _, name := range o.names {
		if (len(r.names) < maxCandidates || name == r.path) && !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
}

// assign sets the path of b and reports whether it could. A block that creates a file needs a certain path.
func (r pathReading) assign(b *block.Block) bool {
	if r.path == "" || b.Create && r.confidence < certain {
		return false
	}
	b.Path, b.Candidates = r.path, r.names
	return true
}

// readPathLine reads a line that may be a path; alone is set if there is no text directly above it.
func readPathLine(line string, alone bool) pathReading {
	raw := strings.TrimSpace(line)
	if raw == "" {
		return pathReading{}
	}
	if len(raw) > maxPathLine {
		d := stripDecoration(raw[:maxPathLine])
		return pathReading{header: d.heading && d.keyword}
	}
	if name, ok := pathElement(raw); ok {
		return pathReading{path: name, names: []string{name}, confidence: certain, element: true}
	}
	if isSimplePath(raw) {
		return pathReading{path: raw, names: []string{raw}, confidence: certain}
	}
	d := stripDecoration(raw)
	r := pathReading{path: d.path, confidence: d.classify(alone), header: d.heading && d.keyword}
	if r.confidence == notPath {
		// If the path comes from another source, but the tree has a file with the very name that is the only word of
		// this line, that file is meant. A header refers to no other file than its own.
		if !r.header && strings.ContainsAny(raw, "./") && !strings.ContainsAny(raw, " \t") {
			return pathReading{names: []string{raw}}
		}
		return pathReading{header: r.header}
	}
	r.names = append(r.names, d.path)
	if d.numbered && !d.quoted && couldBePath(raw) {
		r.names = append(r.names, raw) // "1. Intro.md" may be the name
	}
	return r
}

// pathElement returns the content of an element <path> or <file_path>, in which tools that edit files have the path.
func pathElement(s string) (name string, ok bool) {
	for _, tag := range []string{"path>", "file_path>"} {
		if rest, opens := strings.CutPrefix(s, "<"+tag); opens {
			name, ok = strings.CutSuffix(rest, "</"+tag)
			name = strings.TrimSpace(name)
			return name, ok && name != ""
		}
	}
	return "", false
}

// isSimplePath reports whether a line is certainly a path without decoration, as most are.
func isSimplePath(s string) bool {
	dotted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' || c == '/':
			dotted = true
		case c == '-' || c == '_' || text.IsAlnum(c):
		default:
			return false
		}
	}
	return dotted && text.IsLetter(s[0]) && text.IsLetter(s[len(s)-1])
}

// maxPathLine bounds the length of a path line. Git and file systems allow paths of 4,096 bytes.
const maxPathLine = 1024

// classify returns how certain it is that the line is a path.
func (d strippedLine) classify(alone bool) confidence {
	s := d.path
	if s == "" || !couldBePath(s) {
		return notPath
	}
	words := strings.Fields(s)
	switch dotted := strings.ContainsAny(s, `/.\`); {
	case strings.ContainsAny(s, "|`"):
		return d.classifyUnlikely(dotted, words)
	case len(words) > 1:
		return d.classifyWords(words, alone)
	case dotted || d.quoted || d.keyword || knownNames[s]:
		return certain
	case d.colon:
		return ifExists
	default:
		return possible
	}
}

// classifyUnlikely classifies a line with bars or backticks, which mostly are the markup of a table or of code. It is
// a path if it is quoted as a whole, or a single word after the keyword. Otherwise it is one if the tree has it, and
// none of its words is a bar or code.
func (d strippedLine) classifyUnlikely(dotted bool, words []string) confidence {
	whole := !d.quoted || d.span || strings.Count(d.path, "`")%2 == 1 || !strings.Contains(d.path, "`")
	switch bar := strings.Trim(d.path, "|") != d.path; {
	case !dotted, !whole, bar && !d.quoted, !d.quoted && slices.ContainsFunc(words, isCellOrCode):
		return notPath
	case d.quoted, d.keyword && len(words) == 1:
		return certain
	}
	return ifExists
}

// isCellOrCode reports whether a word divides the cells of a table, or is a span of code.
func isCellOrCode(word string) bool {
	return strings.Trim(word, "|") == "" || len(word) > 1 && strings.HasPrefix(word, "`") && strings.HasSuffix(word, "`")
}

// classifyWords classifies a line with spaces. It is a path if it stands alone, begins with a folder and ends with a
// file name; other lines with a dot or slash in the last word may be one if the tree has it.
func (d strippedLine) classifyWords(words []string, alone bool) confidence {
	first, last := words[0], words[len(words)-1]
	switch {
	case d.quoted && d.keyword:
		return certain
	case !strings.ContainsAny(last, "./"):
		return notPath
	case d.quoted || d.keyword:
		return certain
	case alone && strings.Contains(first, "/") && !hasExtension(first) && hasExtension(last):
		return certain
	}
	return ifExists
}

// couldBePath rules out lines with markup, URLs, function calls, or the end of a sentence.
func couldBePath(s string) bool {
	isForbidden := func(r rune) bool { return r < ' ' || r == 0x7F || strings.ContainsRune("<>\"*?", r) }
	if strings.IndexByte(`.,;:!/\={}`, s[len(s)-1]) >= 0 || strings.ContainsFunc(s, isForbidden) {
		return false
	}
	return !strings.Contains(s, "://") && !strings.Contains(s, "](") && !strings.HasSuffix(s, "()") &&
		strings.Trim(s, "-=.#_~+") != ""
}

// hasExtension reports whether the last component has an extension of one to eight letters or digits.
func hasExtension(s string) bool {
	dot := strings.LastIndexAny(s, `./\`)
	if dot < 0 || s[dot] != '.' {
		return false
	}
	ext := s[dot+1:]
	isOther := func(r rune) bool { return r >= utf8.RuneSelf || !text.IsAlnum(byte(r)) }
	return ext != "" && len(ext) <= 8 && !strings.ContainsFunc(ext, isOther)
}

// knownNames are file names without a dot.
var knownNames = map[string]bool{
	"Makefile": true, "makefile": true, "GNUmakefile": true, "Dockerfile": true, "Containerfile": true, "Gemfile": true,
	"Rakefile": true, "Procfile": true, "Vagrantfile": true, "Jenkinsfile": true, "Brewfile": true, "Podfile": true,
	"Justfile": true, "justfile": true, "Pipfile": true, "Caddyfile": true, "Tiltfile": true, "Earthfile": true,
	"BUILD": true, "WORKSPACE": true, "README": true, "LICENSE": true, "LICENCE": true, "COPYING": true, "NOTICE": true,
	"AUTHORS": true, "CONTRIBUTORS": true, "MAINTAINERS": true, "OWNERS": true, "CODEOWNERS": true, "CHANGELOG": true,
	"CHANGES": true, "NEWS": true, "INSTALL": true, "VERSION": true,
}

// strippedLine is a path line without its decoration.
type strippedLine struct {
	path     string
	quoted   bool // it was in backticks or quotes
	span     bool // it was in two backticks, between which others are part of it
	keyword  bool // it was after "File:"
	heading  bool // it was after #
	numbered bool // it was after the number of a list item
	colon    bool // it was before a colon
}

// stripDecoration strips what models write around a path: Markdown, list markers, comment marks, quotes, "File:", a
// colon, a range of lines. Each round strips one layer; no real path has more than a few.
func stripDecoration(s string) strippedLine {
	d := strippedLine{path: s}
	for range 10 {
		before := d.path
		d.stripFront()
		d.stripBack()
		d.stripQuotes()
		if d.path == before {
			break
		}
	}
	for strings.HasPrefix(d.path, "./") {
		d.path = strings.TrimLeft(d.path[2:], "/")
	}
	return d
}

// stripFront strips one mark or the keyword from the start.
func (d *strippedLine) stripFront() {
	if rest := strings.TrimLeft(d.path, "#"); rest != d.path {
		d.heading = d.heading || strings.HasPrefix(rest, " ")
		d.set(rest)
	}
	for _, sign := range []string{"//", "/*", "<!--", "-- ", "> ", "; ", "--- ", "+++ "} {
		if rest, ok := strings.CutPrefix(d.path, sign); ok {
			d.set(rest)
			return
		}
	}
	if rest, ok := cutListMarker(d.path); ok {
		d.numbered = d.numbered || text.IsAlnum(d.path[0])
		d.set(rest)
		return
	}
	d.stripKeyword()
}

// cutListMarker returns an item of a list without its marker, or another line as it is.
func cutListMarker(s string) (rest string, ok bool) {
	for _, bullet := range []string{"- ", "* ", "+ ", "• "} {
		if rest, ok := strings.CutPrefix(s, bullet); ok {
			return strings.TrimSpace(rest), true
		}
	}
	rest = strings.TrimLeft(s, "0123456789")
	if rest != s && (strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")) {
		return strings.TrimSpace(rest[1:]), true
	}
	return s, false
}

// stripKeyword strips "File:", "File path:" and the like.
func (d *strippedLine) stripKeyword() {
	i := strings.IndexByte(d.path, ':')
	if i < 0 || i > len("file path**") {
		return
	}
	switch strings.ToLower(strings.Trim(d.path[:i], " *`")) {
	case "file", "filename", "file name", "filepath", "file path", "path":
		d.keyword = true
		d.set(strings.TrimLeft(d.path[i+1:], "*"))
	}
}

// stripBack strips the end of a comment, a colon, or a note such as (lines 10-20).
func (d *strippedLine) stripBack() {
	for _, sign := range []string{"*/", "-->"} {
		if rest, ok := strings.CutSuffix(d.path, sign); ok {
			d.set(rest)
		}
	}
	if rest, ok := strings.CutSuffix(d.path, ":"); ok {
		d.colon = true
		d.set(rest)
	}
	if inner, ok := strings.CutSuffix(d.path, ")"); ok {
		if i := strings.LastIndex(inner, " ("); i > 0 && isNote(inner[i+2:]) {
			d.set(inner[:i])
		}
	}
	d.stripLineRange()
}

// isNote reports whether text in parentheses after a path is a note and not part of its name.
func isNote(s string) bool {
	word, rest, _ := strings.Cut(strings.ToLower(s), " ")
	switch word {
	case "line", "lines":
		return strings.Trim(rest, "0123456789-–, ") == ""
	case "new", "modified", "updated", "changed", "existing":
		return rest == "" || rest == "file"
	}
	return false
}

// stripLineRange strips :12, :12-20 and #L12-L20.
func (d *strippedLine) stripLineRange() {
	i := strings.LastIndexAny(d.path, ":#")
	if i <= 0 || i+1 == len(d.path) {
		return
	}
	rest := d.path[i+1:]
	if d.path[i] == '#' && rest[0] != 'L' {
		return
	}
	if strings.Trim(rest, "0123456789-L") == "" && strings.ContainsAny(rest, "0123456789") {
		d.set(d.path[:i])
	}
}

// stripQuotes strips emphasis and one pair of quotes.
func (d *strippedLine) stripQuotes() {
	if d.span {
		return
	}
	d.set(strings.Trim(d.path, "*"))
	for _, q := range []string{"``", "`", `"`, "'", "“”", "‘’"} {
		open, end := q, q
		if q[0] >= 0x80 {
			open, end = q[:3], q[3:]
		}
		if len(d.path) > len(open)+len(end) && strings.HasPrefix(d.path, open) && strings.HasSuffix(d.path, end) {
			d.quoted, d.span = true, q == "``"
			d.set(d.path[len(open) : len(d.path)-len(end)])
			if d.span {
				return
			}
		}
	}
}

func (d *strippedLine) set(s string) { d.path = strings.TrimSpace(s) }

// readInfo reads the info string of a fence: a path alone, after the language, or after title= and the like.
func readInfo(info string) pathReading {
	attributes := strings.HasPrefix(info, "{") // as {.python filename="a.py"}
	for word := range strings.FieldsSeq(strings.Trim(info, "{}")) {
		key, value, keyed := strings.Cut(word, "=")
		if keyed {
			if key != "title" && key != "file" && key != "filename" && key != "path" {
				continue
			}
			word = strings.Trim(value, `"'`)
		} else if _, value, ok := strings.Cut(word, ":"); ok {
			word = value // ```go:main.go
		}
		if !keyed && attributes {
			continue
		}
		if keyed || strings.Contains(word, "/") || hasExtension(word) || knownNames[word] || strings.HasPrefix(word, ".") {
			if r := readPathLine(word, true); r.confidence == certain {
				return r
			}
		}
	}
	return pathReading{}
}
