package unusual

import (
	"regexp"
	"sort"
	"strings"
)

// quotation is a string or a comment of a line.
type quotation struct {
	from, to int // in bytes
	// sure reports that it is one in most languages; ascii and turkish that it has letters of ASCII, and such that only
	// Turkish and its relatives have.
	sure, ascii, turkish bool
}

// isQuoted reports whether the nth of the words of a line is text in one of its quotations and no name: a word of one
// alphabet, without a letter of ASCII in the quotation, or with another word of that alphabet which looks like none of
// ASCII. Which marks the language of the file has is not known; so what only might be a comment, because it is behind
// something else, needs such a word.
func isQuoted(all []quotation, words []word, n int) bool {
	w := words[n]
	turkic := w.foreign == 'ı' && !w.blend
	if !turkic && (w.mixed || w.blend) {
		return false
	}
	i := sort.Search(len(all), func(i int) bool { return all[i].to > w.from })
	switch {
	case i == len(all) || all[i].from > w.from:
		return false
	case turkic:
		return all[i].turkish
	case all[i].sure && !all[i].ascii:
		return true
	}
	for j := max(n-maxSentence, 0); j < min(n+maxSentence, len(words)); j++ {
		o := words[j]
		if o.from >= all[i].from && o.from < all[i].to && o.distinctive() && o.script == w.script {
			return true
		}
	}
	return false
}

// lineComment matches the beginning of a comment that is a whole line, behindComment of one behind something else.
var (
	lineComment   = regexp.MustCompile(`^\s*(?://|#|--|;|\*|/\*|<!--|%)\s`)
	behindComment = regexp.MustCompile(`\s(?://|#|--|/\*)\s`)
)

// quotationsIn returns the quotations of a line, in order.
func quotationsIn(line string) (out []quotation) {
	add := func(from, to int, sure bool) {
		text := line[from:to]
		out = append(out, quotation{from, to, sure, strings.ContainsFunc(text, isASCIILetter),
			strings.ContainsAny(text, turkish)})
	}
	if m := lineComment.FindStringIndex(line); m != nil {
		add(m[1], len(line), true)
		return out
	}
	quote, from, end := byte(0), 0, 0
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			add(from, i, true)
			quote, end = 0, i+1
		case quote == 0 && (c == '"' || c == '\'' || c == '`'):
			quote, from = c, i+1
		}
	}
	if m := behindComment.FindStringIndex(line[end:]); m != nil {
		add(end+m[1], len(line), false)
	}
	return out
}
