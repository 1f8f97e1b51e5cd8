package engine

import "strings"

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
