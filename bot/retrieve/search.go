package retrieve

import (
	"bytes"
	"cmp"
	"context"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on finding a text.
const (
	maxHits         = 30       // lines that are shown for a text
	maxFileHits     = 8        // of those, in one file before others have their turn
	maxHitBytes     = 200      // of a line that is shown
	maxSearchBytes  = 32 << 20 // that are searched for one text
	maxQuotedFiles  = 60       // whose lines may be shown
	maxClassedLines = 20       // of one file that are looked at for how well they match
	maxClassed      = 4000     // of all files
	maxDefining     = 500      // bytes of a line that is looked at for whether it defines a name
	minFindBytes    = 2        // of a text to find
)

// corpus is a set of files in which texts are found.
type corpus struct {
	files []string
	// read returns the bytes of a file, and reports whether they are known.
	read func(name string) ([]byte, bool)
	// redacted are the files without their secrets, those of all texts of the same round.
	redacted *redactedTexts
}

// matchClass is how well a line matches a text; less is better.
type matchClass int

const (
	matchDefines matchClass = iota // it defines the name
	matchWord                      // as a whole word, in the same case
	matchCase                      // in the same case
	matchFolded
)

// match is a file with lines that match a text.
type match struct {
	path  string
	class matchClass // of its best line
	lines int
}

// hit is a line that matches a text, without secrets.
type hit struct {
	path string
	line int
	text string
}

// search returns the files with lines that have a text in them, whatever the case of ASCII letters, the best first. It
// stops when the context is done; what it returns then is not all.
func (c corpus) search(ctx context.Context, text string) (found []match) {
	room := maxSearchBytes
	needle := newNeedle(text)
	classed := 0
	var folded []byte
	for _, f := range c.files {
		if ctx.Err() != nil {
			break
		}
		data, ok := c.read(f)
		if !ok || len(data) > maxShownFile {
			continue
		}
		if room -= len(data); room < 0 {
			break
		}
		folded = foldASCII(folded[:0], data)
		m := match{path: f, class: matchFolded}
		needle.eachLine(folded, func(from, to int) bool {
			if m.lines++; m.lines <= maxClassedLines && classed < maxClassed {
				classed++
				m.class = min(m.class, needle.classOf(f, string(data[from:to])))
			}
			return true
		})
		if m.lines > 0 && withheldText(data) == "" {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(testRank(a.path), testRank(b.path)),
			cmp.Compare(b.lines, a.lines), cmp.Compare(a.path, b.path))
	})
	return found
}

// testRank is 1 for a test, 0 for any other file.
func testRank(name string) int {
	if lexical.IsTest(name) {
		return 1
	}
	return 0
}

// quote returns the lines that are shown of those that match, and how many there are in all the files that were
// searched for secrets. Of lines in other files nothing is told: how many there are would say what a secret begins
// with. It stops when the context is done; what it returns then is not all.
func (c corpus) quote(ctx context.Context, text string, found []match) (hits []hit, all int) {
	needle := newNeedle(text)
	var first, rest [][]hit
	n := 0
	for i, m := range found {
		enough := n >= maxHits || i >= maxQuotedFiles
		if ctx.Err() != nil {
			break
		}
		if enough && c.redacted.room < maxRedactedWork/2 { // only to count lines; other texts need the rest
			break
		}
		data, ok := c.read(m.path)
		if !ok {
			continue
		}
		redacted, ok := c.redacted.of(m.path, data)
		if !ok {
			continue
		}
		of, lines := needle.hits(m.path, redacted.text)
		if all += lines; enough {
			continue
		}
		cut := min(len(of), maxFileHits)
		first, rest = append(first, of[:cut]), append(rest, of[cut:])
		n += cut
	}
	// Each file has its turn before one of them has more.
	left := maxHits
	for i := range first {
		first[i] = first[i][:min(left, len(first[i]))]
		left -= len(first[i])
	}
	for i := range first {
		more := rest[i][:min(left, len(rest[i]))]
		left -= len(more)
		hits = append(append(hits, first[i]...), more...)
	}
	return hits, all
}

// needle is a text to find.
type needle struct {
	text   string
	folded []byte
	// isName reports whether it is a name in code.
	isName bool
}

func newNeedle(text string) needle {
	return needle{text: text, folded: foldASCII(nil, []byte(text)), isName: plainName.MatchString(text)}
}

var plainName = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// eachLine calls visit with where each line is that has the text in it, until it returns false.
func (n needle) eachLine(folded []byte, visit func(from, to int) bool) {
	for at := 0; at < len(folded); {
		i := bytes.Index(folded[at:], n.folded)
		if i < 0 {
			return
		}
		from := at + bytes.LastIndexByte(folded[at:at+i], '\n') + 1
		to := len(folded)
		if end := bytes.IndexByte(folded[at+i:], '\n'); end >= 0 {
			to = at + i + end
		}
		if !visit(from, to) {
			return
		}
		at = to + 1
	}
}

// classOf returns how well a line of a file that has the text in it matches it.
func (n needle) classOf(file, line string) matchClass {
	switch {
	case !strings.Contains(line, n.text):
		return matchFolded
	case !n.isName || !hasWord(line, n.text):
		return matchCase
	case definesName(file, line, n.text):
		return matchDefines
	}
	return matchWord
}

// definesName reports whether a line, for all that it says itself, defines a name.
func definesName(file, line, name string) bool {
	if len(line) > maxDefining || !lexical.HasOutline(file) {
		return false
	}
	if path.Ext(file) == ".go" {
		line = "package p\n" + line + "\n"
	}
	return slices.ContainsFunc(lexical.Outline(file, []byte(line)), func(d lexical.Definition) bool {
		return d.Name == name
	})
}

// hasWord reports whether a line contains a name, and not only as a part of a longer one.
func hasWord(line, name string) bool {
	for at := 0; ; {
		i := strings.Index(line[at:], name)
		if i < 0 || name == "" {
			return false
		}
		at += i + len(name)
		if (at == len(name) || !isWordByte(line[at-len(name)-1])) && (at == len(line) || !isWordByte(line[at])) {
			return true
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// hits returns the first maxHits lines of a text that match, and how many there are in all.
func (n needle) hits(file, text string) (out []hit, all int) {
	line, counted := 1, 0
	n.eachLine(foldASCII(nil, []byte(text)), func(from, to int) bool {
		if all++; all > maxHits {
			return true
		}
		line += strings.Count(text[counted:from], "\n")
		counted = from
		out = append(out, hit{path: file, line: line, text: n.excerpt(text[from:to])})
		return true
	})
	return out, all
}

// excerpt returns the part of a line around what is found, without the white space around it.
func (n needle) excerpt(line string) string {
	line = strings.TrimSpace(line)
	if len(line) <= maxHitBytes {
		return line
	}
	at := max(0, bytes.Index(foldASCII(nil, []byte(line)), n.folded))
	from := max(0, min(at-maxHitBytes/4, len(line)-maxHitBytes))
	out := strings.ToValidUTF8(line[from:min(len(line), from+maxHitBytes)], "")
	if from > 0 {
		out = "…" + out
	}
	if from+maxHitBytes < len(line) {
		out += "…"
	}
	return out
}

// foldASCII appends a text with its ASCII letters in lower case: every byte keeps its place.
func foldASCII(out, text []byte) []byte {
	at := len(out)
	out = append(out, text...)
	for i, c := range out[at:] {
		if 'A' <= c && c <= 'Z' {
			out[at+i] = c + 'a' - 'A'
		}
	}
	return out
}
