package markdown

import (
	"regexp"
	"strings"
	"unicode"
)

// What is more than a word would be read by GitHub as something else: a mention, a reference, a link, markup. It is shown as
// code, whole, as GitHub looks for nothing in code; only what cannot mean anything stays plain. So nothing has to be known of
// how each of those is written, and names of files stand out besides.

var (
	number = regexp.MustCompile(`^[0-9]+([.,][0-9]+)*$`)
	// dashed are words that may be a name in a tracker (GH-12, GHSA-…, and what a repository has made links of).
	dashed = regexp.MustCompile(`(?i)[0-9].*-|-.*[0-9]|^(gh|ghsa|cve)-`)
	// hash is what may be a commit's name: GitHub makes links of seven digits and more.
	hash     = regexp.MustCompile(`[0-9a-fA-F]{7,}`)
	bold     = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	codeMark = regexp.MustCompile("`[^`]+`")
	// scheme ends what may be the beginning of an address.
	scheme = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp):$`)
)

// Punctuation that may stand before and behind a word.
const (
	opening = `("'`
	closing = `.,;:!?)"'`
)

// plain shows a sentence, on one line, as text that GitHub makes nothing of. name is one that may have blanks in it; it is
// shown as code wherever it stands alone.
func Plain(s, name string) string {
	s, name = squeeze(s), squeeze(name)
	if strings.Trim(name, `("'.,;:!?) `) == "" {
		return words(s)
	}
	var out []string
	for {
		i := indexAlone(s, name)
		if i < 0 {
			return strings.Join(append(out, words(s)), "")
		}
		out = append(out, words(s[:i]), Code(name))
		s = s[i+len(name):]
	}
}

// indexAlone is where a name stands alone in s; -1 where it does not.
func indexAlone(s, name string) int {
	for at := 0; ; {
		i := strings.Index(s[at:], name)
		if i < 0 {
			return -1
		}
		i += at
		if alone(s[:i], s[i+len(name):]) {
			return i
		}
		at = i + len(name)
	}
}

// alone says that there is nothing but punctuation between a piece and the next blanks before and after it.
func alone(before, after string) bool {
	before, after = strings.TrimRight(before, opening), strings.TrimLeft(after, closing)
	return (before == "" || strings.HasSuffix(before, " ")) && (after == "" || strings.HasPrefix(after, " "))
}

// cellPlain is plain inside a table, where a bar ends the cell even in code.
func CellPlain(s, name string) string { return strings.ReplaceAll(Plain(s, name), "|", `\|`) }

// words keeps the blanks at both ends, as what stands there may be a piece.
func words(s string) string {
	list := strings.Split(s, " ")
	for i, w := range list {
		list[i] = word(w, i == 0)
	}
	return strings.Join(list, " ")
}

// word shows one word: the punctuation around it as it is, and what is between as code unless it is a mere word.
func word(w string, first bool) string {
	if w != "" && strings.Trim(w, "-") == "" {
		return `\` + w // at a line's start, a list or a heading
	}
	core := strings.TrimLeft(w, opening)
	open := w[:len(w)-len(core)]
	for core != "" && strings.ContainsRune(closing, rune(core[len(core)-1])) && !closes(core) {
		core = core[:len(core)-1]
	}
	end := w[len(open)+len(core):]
	switch {
	case core != "" && !mereWord(core):
		return open + Code(core) + end
	case first && number.MatchString(w[:len(w)-len(end)]) && end != "":
		return core + `\` + end // at a line's start, a list
	}
	return w
}

// closes says that the last sign of a word belongs to one within, as in "main()", ":tada:" and "https:".
func closes(w string) bool {
	switch {
	case strings.Trim(w, closing) == "":
		return false
	case strings.HasSuffix(w, ":"):
		return w[0] == ':' || scheme.MatchString(w)
	}
	return strings.HasSuffix(w, ")") && strings.Contains(w, "(")
}

// mereWord says that a word is made of letters, or is a number, and has no meaning to GitHub.
func mereWord(w string) bool {
	if hash.MatchString(w) {
		return false
	}
	if number.MatchString(w) {
		return true
	}
	if dashed.MatchString(w) || strings.HasPrefix(w, "-") {
		return false
	}
	for _, r := range w {
		if !wordRune(r) {
			return false
		}
	}
	return true
}

func wordRune(r rune) bool {
	switch {
	case r == '-' || r == '\'':
		return true
	case r < 0x80:
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsPrint(r)
}

// spans shows a line's text, and its code as code.
func Spans(line string) string {
	s := squeeze(bold.ReplaceAllString(line, "$1"))
	var out []string
	for at := 0; ; {
		span := codeMark.FindStringIndex(s[at:])
		if span == nil {
			return strings.Join(append(out, words(s)), "")
		}
		from, to := at+span[0], at+span[1]
		if !alone(s[:from], s[to:]) {
			at = from + 1
			continue
		}
		out = append(out, words(s[:from]), Code(s[from+1:to-1]))
		s, at = s[to:], 0
	}
}
