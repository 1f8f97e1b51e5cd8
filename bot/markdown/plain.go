package markdown

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// GitHub may interpret anything that is more than a word: as a mention, a reference, a link or markup. So it is shown
// as code, which GitHub does not interpret; only what cannot have a meaning remains plain. That way, Plain need not
// know how each of those is written, and file names stand out.

var (
	number = regexp.MustCompile(`^[0-9]+([.,][0-9]+)*$`)
	// dashed are words that may be a name in a tracker (GH-12, GHSA-…, and what a repository has made links of).
	dashed = regexp.MustCompile(`(?i)[0-9].*-|-.*[0-9]|^(gh|ghsa|cve)-`)
	// hash is what may be a commit's hash: GitHub makes links of seven digits or more.
	hash     = regexp.MustCompile(`[0-9a-fA-F]{7,}`)
	bold     = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	codeMark = regexp.MustCompile("`[^`]+`")
	// scheme is the end of what may be the beginning of an address.
	scheme = regexp.MustCompile(`(?i)(https?|ftp|mailto|xmpp):$`)
)

// The punctuation before and after a word.
const (
	opening = `("'`
	closing = `.,;:!?)"'`
)

// Plain shows a sentence on one line, as text that GitHub does not interpret. name may contain blanks; wherever it is a
// word of the sentence, it is shown as code.
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

// indexAlone returns the offset at which name is a word of s, or -1.
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

// alone reports whether there is nothing but punctuation between a piece and the nearest blanks before and after it.
func alone(before, after string) bool {
	before, after = strings.TrimRight(before, opening), strings.TrimLeft(after, closing)
	return (before == "" || strings.HasSuffix(before, " ")) && (after == "" || strings.HasPrefix(after, " "))
}

// CellPlain is Plain for a table, where a bar ends the cell even in code.
func CellPlain(s, name string) string { return strings.ReplaceAll(Plain(s, name), "|", `\|`) }

// words shows the words of a piece of a sentence, and keeps the blanks at both of its ends.
func words(s string) string {
	list := strings.Split(s, " ")
	for i, w := range list {
		list[i] = word(w, i == 0)
	}
	return strings.Join(list, " ")
}

// word shows one word: the punctuation around it as it is, and the rest as code unless it is a mere word. first says
// that it may be at the start of a line.
func word(w string, first bool) string {
	if w != "" && strings.Trim(w, "-") == "" {
		return `\` + w // at the start of a line, a list or a heading
	}
	core := strings.TrimLeft(w, opening)
	open := w[:len(w)-len(core)]
	core = core[:coreLen(core)]
	end := w[len(open)+len(core):]
	switch {
	case core != "" && !mereWord(core):
		return open + Code(core) + end
	case first && number.MatchString(w[:len(w)-len(end)]) && end != "":
		return core + `\` + end // at the start of a line, a list
	}
	return w
}

// coreLen returns the length of a word without the punctuation behind it. The last character belongs to the word in
// "main()", ":tada:" and "https:".
func coreLen(w string) int {
	least := len(strings.TrimRight(w, closing)) // all behind it is punctuation
	if least == 0 {
		return 0
	}
	call := strings.Contains(w[:least], "(")
	for n := len(w); n > least; n-- {
		switch c := w[n-1]; {
		case c == ')' && call, c == ':' && (w[0] == ':' || scheme.MatchString(w[max(0, n-len("mailto:")):n])):
			return n
		}
	}
	return least
}

// mereWord reports whether a word is made of letters, or is a number, and means nothing to GitHub.
func mereWord(w string) bool {
	if hash.MatchString(w) {
		return false
	}
	if number.MatchString(w) || slices.Contains(abbreviations, strings.ToLower(w)) {
		return true
	}
	if dashed.MatchString(w) || strings.HasPrefix(w, "-") {
		return false
	}
	return !strings.ContainsFunc(w, func(r rune) bool { return !wordRune(r) })
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

// Spans shows a line of Markdown on one line: its inline code as code, and the rest like Plain.
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

// abbreviations are words that end with a period and do not end a sentence, in lower case and without the period.
var abbreviations = []string{
	"e.g", "i.e", "cf", "vs", "viz", "approx", "resp", "incl", "excl", "esp", "fig", "eq", "sec", "ch", "vol", "pp", "al",
	"ca", "mr", "mrs", "ms", "dr", "prof", "st", "dept", "est", "nos", "op", "ed", "z.b", "bzw", "d.h", "u.a",
}
