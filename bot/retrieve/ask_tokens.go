package retrieve

import (
	"slices"
	"strings"
	"unicode"
)

// token is a part of what follows a keyword.
type token struct {
	kind tokenKind
	text string
}

type tokenKind int

const (
	endToken       tokenKind = iota
	wordToken                // without what people write around it
	quotedToken              // without its quotation marks
	separatorToken           // commas, "and" or "or"
	keywordToken             // NEED or FIND, with a colon
)

// Characters around words.
const (
	blanks     = " \t"
	separators = ",;、，；"
	emphasis   = "*_`"
	lineMarks  = emphasis + blanks + ">+-•[]0123456789.)\"'" // of quotes, lists and emphasis
	quoteMarks = "`\"'“”‘’«»<>"
)

// isOneOf reports whether a token is one of some words, in any case.
func (t token) isOneOf(words []string) bool { return slices.Contains(words, strings.ToLower(t.text)) }

// scanner returns the tokens of a text, one after another.
type scanner struct{ text string }

// next returns the next token; it has the kind endToken at the end, and before a remark that lasts to the end.
func (s *scanner) next() token {
	text := strings.TrimLeft(s.text, blanks)
	if s.text = strings.TrimLeft(text, separators); s.text != text {
		return token{kind: separatorToken}
	}
	if inner, rest := cutQuote(text); inner != "" {
		s.text = rest
		return token{quotedToken, inner}
	}
	if word, rest, colon := cutKeyword(text, emphasis); colon && inCapitals(word) {
		s.text = rest
		return token{keywordToken, word}
	}
	word := upTo(text, blanks+separators)
	t := token{wordToken, trimWord(word)}
	switch s.text = text[len(word):]; {
	case word == "#" || word == "//" || strings.Trim(word, "-") == "" || strings.IndexAny(word, "–—") == 0:
		s.text = ""
		return token{}
	case word[0] == '(' && !t.isOneOf(rangeWords) && !t.isOneOf(definitionWords):
		s.text = afterBrackets(text)
		return s.next()
	case t.text == "":
		return s.next()
	case t.isOneOf([]string{"and", "or"}):
		return token{kind: separatorToken}
	}
	return t
}

// upTo returns what is before the first of some characters in a text, or all of it.
func upTo(text, chars string) string {
	if at := strings.IndexAny(text, chars); at >= 0 {
		return text[:at]
	}
	return text
}

// afterBrackets returns what follows the brackets that a text begins with.
func afterBrackets(text string) string {
	deep := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			deep++
		case ')':
			deep--
		}
		if deep == 0 {
			return text[i+1:]
		}
	}
	return ""
}

// trimWord returns a word without what people write around it.
func trimWord(word string) string {
	if _, target, ok := strings.Cut(word, "]("); ok { // a link in Markdown
		word = strings.Replace(target, ")", "", 1)
	}
	word = strings.TrimRight(strings.TrimLeft(word, quoteMarks+"("), quoteMarks+".!?:")
	if strings.Count(word, ")") > strings.Count(word, "(") {
		word = strings.TrimRight(strings.TrimSuffix(word, ")"), quoteMarks)
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(word, "**"), "**")
	if len(word)-len(inner) == len("****") && strings.Trim(inner, "/") == inner {
		return inner
	}
	return word
}

// quotes are the quotation marks that are understood, longer ones before their beginnings.
var quotes = [][2]string{
	{"```", "```"}, {"``", "``"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"},
}

// cutQuote returns what is quoted at the beginning of a text, and what follows the quotation; inner is empty if nothing
// is quoted there.
func cutQuote(text string) (inner, rest string) {
	for _, q := range quotes {
		if quoted, ok := strings.CutPrefix(text, q[0]); ok {
			if inner, rest, ok := strings.Cut(quoted, q[1]); ok {
				return inner, rest
			}
		}
	}
	return "", text
}

func inCapitals(word string) bool { return word != "" && word == strings.ToUpper(word) }

// cutKeyword returns the keyword that is behind marks at the beginning of a text, and what follows it and its colon,
// without the emphasis that it is in. The word is empty if there is none.
func cutKeyword(text, marks string) (word, rest string, colon bool) {
	start := strings.TrimLeft(text, marks)
	behind := strings.TrimLeftFunc(start, unicode.IsLetter)
	word = start[:len(start)-len(behind)]
	before := text[:len(text)-len(start)]
	mark := before[len(strings.TrimRight(before, emphasis)):]
	after := strings.TrimLeft(strings.TrimPrefix(behind, mark), blanks)
	rest = strings.TrimLeft(after, ":：")
	isKeyword := (token{text: word}).isOneOf([]string{"find", "need", "needs"})
	if !isKeyword || rest == behind || strings.HasSuffix(before, "+") || strings.HasSuffix(before, "-") {
		return "", text, false
	}
	if !strings.HasPrefix(behind, mark) && !strings.HasPrefix(rest, mark) { // all of the line is in emphasis
		return word, strings.TrimSuffix(rest, mark), rest != after
	}
	return word, strings.TrimPrefix(rest, mark), rest != after
}

// Words beside paths and names.
var (
	toWords         = []string{"to", "through", "until"}
	rangeWords      = append([]string{"line", "lines"}, toWords...)
	definitionWords = []string{
		"class", "const", "constant", "def", "definition", "definitions", "enum", "fn", "func", "function", "interface",
		"macro", "member", "method", "module", "struct", "the", "trait", "type", "variable",
	}
	// fillers are words that add nothing to the paths and names beside them.
	fillers = slices.Concat(rangeWords, definitionWords, []string{
		"also", "at", "file", "files", "for", "from", "in", "n/a", "no", "none", "nothing", "null", "of", "please",
	})
)
