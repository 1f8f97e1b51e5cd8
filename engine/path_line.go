package engine

import (
	"slices"
	"strings"
)

// strength says how surely a line is a path, and nothing else.
type confidence uint8

const (
	notPath  confidence = iota
	ifExists            // only if the tree has such a file
	possible            // if nothing better is known
	certain             // good enough to make a new file
)

// pathReading is what a line, or several, can mean as a path.
type pathReading struct {
	path       string
	names      []string // the candidates, in the order in which to look for them
	confidence confidence
	header     bool // a "### File:" line
}

func (r pathReading) isCertain() bool { return r.confidence == certain }

// unread says that the line is a header whose path cannot be read: the block is for that file, and for no other.
func (r pathReading) isUnreadable() bool { return r.header && r.path == "" }

// stands says that the line is a path without any doubt wherever it stands.
func (r pathReading) isUnmistakable() bool {
	return r.confidence == certain && (r.header || strings.ContainsAny(r.path, `/.\`))
}

// add takes the readings of a source that is further away.
func (r *pathReading) merge(o pathReading) {
	if o.confidence > r.confidence {
		r.path, r.confidence = o.path, o.confidence
	}
	for _, name := range o.names {
		if !slices.Contains(r.names, name) {
			r.names = append(r.names, name)
		}
	}
}

// give sets the block's path. A block that makes a file needs a sure one.
func (r pathReading) assign(b *Block) bool {
	if r.path == "" || b.Create && r.confidence < certain {
		return false
	}
	b.Path, b.Candidates = r.path, r.names
	return true
}

// readPathLine reads a line that stands where a path may; alone says that no text stands directly above it.
func readPathLine(line string, alone bool) pathReading {
	raw := trimSpace(line)
	if raw == "" {
		return pathReading{}
	}
	if len(raw) > maxPathLine {
		d := stripDecoration(raw[:maxPathLine])
		return pathReading{header: d.heading && d.keyword}
	}
	if isSimplePath(raw) {
		return pathReading{path: raw, names: []string{raw}, confidence: certain}
	}
	d := stripDecoration(raw)
	r := pathReading{path: d.path, confidence: d.classify(alone), header: d.heading && d.keyword}
	if r.confidence == notPath {
		return readUnlikely(raw, r.header)
	}
	r.names = append(r.names, d.path)
	if d.numbered && couldBePath(raw) {
		r.names = append(r.names, raw) // "1. Intro.md" may be the name
	}
	return r
}

// isSimplePath says that a line is a path beyond doubt and without decoration, as nearly all path lines are.
func isSimplePath(s string) bool {
	dotted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '.' || c == '/':
			dotted = true
		case c == '-' || c == '_' || isAlnum(c):
		default:
			return false
		}
	}
	return dotted && isLetter(s[0]) && isLetter(s[len(s)-1])
}

// unlikely is what a line means that looks like no path. It gives a block none; but where another source does, the file of just
// that name goes first, if the tree has it and the line is one word. A header means no other file than its own, read or not.
func readUnlikely(raw string, header bool) pathReading {
	if !header && strings.ContainsAny(raw, "./") && !strings.ContainsAny(raw, " \t") {
		return pathReading{names: []string{raw}}
	}
	return pathReading{header: header}
}

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || isLetter(c) }

// maxPath bounds what is looked at as a path; git and file systems allow 4,096 bytes.
const maxPathLine = 1024

// judge says how surely the undecorated text is a path.
func (d strippedLine) classify(alone bool) confidence {
	s := d.path
	if s == "" || !couldBePath(s) {
		return notPath
	}
	words := strings.Fields(s)
	switch dotted := strings.ContainsAny(s, `/.\`); {
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

// judgeWords judges a line with spaces: a folder first and a file name last, on a line of its own, is a path; other lines
// with a dot or slash in the last word may be one if the tree says so.
func (d strippedLine) classifyWords(words []string, alone bool) confidence {
	first, last := words[0], words[len(words)-1]
	switch {
	case !strings.ContainsAny(last, "./"):
		return notPath
	case d.quoted || d.keyword:
		return certain
	case alone && strings.Contains(first, "/") && !hasExtension(first) && hasExtension(last):
		return certain
	}
	return ifExists
}

// plausible rules out what no path line holds: markup, addresses, calls, the end of a sentence.
func couldBePath(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x20 || c == 0x7F:
			return false
		case strings.IndexByte("<>|`\"*?", c) >= 0:
			return false
		}
	}
	switch s[len(s)-1] {
	case '.', ',', ';', ':', '!', '/', '\\', '=', '{', '}':
		return false
	}
	return !strings.Contains(s, "://") && !strings.HasSuffix(s, "()") && strings.Trim(s, "-=.#_~+") != ""
}

// hasExtension says that the last component has an extension of one to eight letters or digits.
func hasExtension(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if dot < 0 || strings.ContainsAny(s[dot:], `/\`) {
		return false
	}
	ext := s[dot+1:]
	return len(ext) > 0 && len(ext) <= 8 && strings.Trim(ext, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// knownNames are files that have neither a dot nor a folder in their name.
var knownNames = map[string]bool{
	"Makefile": true, "makefile": true, "GNUmakefile": true, "Dockerfile": true, "Containerfile": true, "Gemfile": true,
	"Rakefile": true, "Procfile": true, "Vagrantfile": true, "Jenkinsfile": true, "Brewfile": true, "Podfile": true,
	"Justfile": true, "justfile": true, "Pipfile": true, "Caddyfile": true, "Tiltfile": true, "Earthfile": true,
	"BUILD": true, "WORKSPACE": true, "README": true, "LICENSE": true, "LICENCE": true, "COPYING": true, "NOTICE": true,
	"AUTHORS": true, "CONTRIBUTORS": true, "MAINTAINERS": true, "OWNERS": true, "CODEOWNERS": true, "CHANGELOG": true,
	"CHANGES": true, "NEWS": true, "INSTALL": true, "VERSION": true,
}

// decorated is a path line with its decoration taken off.
type strippedLine struct {
	path     string
	quoted   bool // in backticks or quotes
	keyword  bool // "File:" stood before it
	heading  bool // # stood before it
	numbered bool // a list number stood before it
	colon    bool // : stood behind it
}

// undecorate strips what models put around a path: Markdown, list marks, comment signs, quotes, "File:", a colon, a range of
// lines. Every round takes something off, and a handful is enough for any line a person would still call a path.
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

// front strips one sign and the keyword from the beginning.
func (d *strippedLine) stripFront() {
	if rest := strings.TrimLeft(d.path, "#"); rest != d.path {
		d.heading = d.heading || strings.HasPrefix(rest, " ")
		d.set(rest)
	}
	for _, sign := range []string{"//", "/*", "<!--", "-- ", "- ", "+ ", "* ", "> ", "; ", "• ", "--- ", "+++ "} {
		if strings.HasPrefix(d.path, sign) {
			d.set(d.path[len(sign):])
			return
		}
	}
	if n := countDigits(d.path); n > 0 && n+1 < len(d.path) && (d.path[n] == '.' || d.path[n] == ')') && d.path[n+1] == ' ' {
		d.numbered = true
		d.set(d.path[n+1:])
		return
	}
	d.stripKeyword()
}

// cutKeyword strips "File:", "File path:" and the like.
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

// back strips a comment's end, a colon, or a note such as (lines 10-20).
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
	if i := strings.LastIndex(d.path, " ("); i > 0 && strings.HasSuffix(d.path, ")") && isNote(d.path[i+2:len(d.path)-1]) {
		d.set(d.path[:i])
	}
	d.stripLineRange()
}

// isNote says that the text in parentheses behind a path is a remark, not part of its name.
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

// cutLines strips :12, :12-20 and #L12-L20.
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

// around strips a pair of quotes and emphasis.
func (d *strippedLine) stripQuotes() {
	d.set(strings.Trim(d.path, "*"))
	for _, q := range []string{"``", "`", `"`, "'", "“”", "‘’"} {
		open, end := q, q
		if q[0] >= 0x80 {
			open, end = q[:3], q[3:]
		}
		if len(d.path) > len(open)+len(end) && strings.HasPrefix(d.path, open) && strings.HasSuffix(d.path, end) {
			d.quoted = true
			d.set(d.path[len(open) : len(d.path)-len(end)])
		}
	}
}

func (d *strippedLine) set(s string) { d.path = trimSpace(s) }

func countDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// readInfo reads the info string of a fence: a path alone, behind the language, or behind title= and the like.
func readInfo(info string) pathReading {
	for word := range strings.FieldsSeq(info) {
		if key, value, ok := strings.Cut(word, "="); ok {
			if key != "title" && key != "file" && key != "filename" && key != "path" {
				continue
			}
			word = strings.Trim(value, `"'`)
		} else if _, value, ok := strings.Cut(word, ":"); ok {
			word = value // ```go:main.go
		}
		if strings.Contains(word, "/") || hasExtension(word) {
			if r := readPathLine(word, true); r.isCertain() {
				return r
			}
		}
	}
	return pathReading{}
}
