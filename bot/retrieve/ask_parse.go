package retrieve

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-enry/go-enry/v2/data"

	"github.com/tenon-bot/tenon/bot/markdown"
)

var (
	// askedLines matches lines, and what they are written to.
	askedLines = regexp.MustCompile(`^(?:(.*?)[:#]+\s*)?[Ll]?(\d+)\s*(?:(?:-|–|\.\.|:)\s*[Ll]?(\d+))?$`)
	askedName  = regexp.MustCompile(`^[A-Za-z_$~@][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$~][\w$]*)*[?!=]?(?:\([^()]*\))?$`)
	// compound matches names that are no words of a language.
	compound = regexp.MustCompile(`_|[a-z0-9][A-Z]|[.:#]\w|\(`)
)

func (t token) isFiller() bool { return t.kind == wordToken && t.isOneOf(fillers) }

// isAskedPath reports whether a word is a path or a pattern, and no name in code.
func isAskedPath(word string) bool {
	ext := strings.ToLower(path.Ext(word))
	_, isSource := data.LanguagesByExtension[ext]
	return strings.ContainsAny(word, `/\`) || isPattern(word) || isSource && len(ext) > 1 ||
		slices.Contains(plainNames, strings.ToLower(word))
}

// cutAsk returns the keyword that begins a line, and what follows it; the keyword is empty if the line asks for
// nothing.
func cutAsk(line string) (keyword, rest string) {
	keyword, rest, colon := cutKeyword(strings.TrimRight(line, blanks), lineMarks)
	capitals := inCapitals(keyword)
	if colon && capitals || (colon || capitals) && namesCode(rest) {
		return keyword, rest
	}
	return "", ""
}

// namesCode reports whether a text begins with a path, lines or a quotation, or is one name of code. Otherwise, what
// seems to be a keyword before it is most likely a word of a sentence.
func namesCode(text string) bool {
	s := scanner{text}
	last, t := token{}, s.next()
	for t.isFiller() {
		last, t = t, s.next()
	}
	isLines := last.isOneOf(rangeWords) && askedLines.MatchString(t.text)
	isName := compound.MatchString(t.text) && s.next().kind == endToken
	return t.kind == quotedToken || isAskedPath(t.text) || isAskedPath(upTo(t.text, ":#")) || isLines || isName
}

// parser reads what a line asks for, by this grammar, in which words that add nothing may be anywhere:
//
//	line  = keyword asks { keyword asks } .
//	asks  = thing { separator thing } .                    behind NEED
//	asks  = quotation { separator quotation } | text .     behind FIND
//	thing = path [ lines | name ] | name "in" path | lines "of" path | name | lines .
//
// Lines alone are those of the path before them. A remark ends what is asked for.
type parser struct {
	scanner
	asks []Ask
	// onPath is set while the last ask is the thing that is being read. names are its other words, and lines those
	// before its path. last is the token before.
	onPath bool
	names  []token
	lines  Span
	last   token
}

// parseAsks returns what a line asks for, of which a keyword and a text were cut.
func parseAsks(keyword, text string) []Ask {
	p := parser{scanner: scanner{text}}
	for keyword != "" {
		if strings.EqualFold(keyword, "find") {
			keyword = p.find()
		} else {
			keyword = p.need()
		}
	}
	return slices.DeleteFunc(p.asks, func(a Ask) bool {
		return a.Path == "" && a.Find == "" || a.Path == "." || len(a.Path) > maxAskedBytes || len(a.Find) > maxFindBytes ||
			markdown.Unprintable(a.Path+a.Name+strings.ReplaceAll(a.Find, "\t", " "))
	})
}

// find reads texts in quotation marks, or all of the line, and returns the keyword that follows.
func (p *parser) find() (keyword string) {
	text := strings.Trim(strings.TrimSpace(p.text), "*`")
	t := p.next()
	if t.kind != quotedToken {
		t, p.text = token{quotedToken, text}, ""
	}
	for ; t.kind == quotedToken || t.kind == separatorToken; t = p.next() {
		p.asks = append(p.asks, Ask{Find: strings.TrimSpace(t.text)})
	}
	if t.kind == keywordToken {
		return t.text
	}
	return ""
}

// need reads paths and names, and returns the keyword that follows.
func (p *parser) need() (keyword string) {
	for {
		t := p.next()
		if t.kind == wordToken || t.kind == quotedToken {
			p.readWord(t)
		} else {
			p.endThing()
		}
		if p.last = t; t.kind == endToken || t.kind == keywordToken {
			return t.text
		}
	}
}

// readWord reads a word, and the lines or the name that are written to it: "a.go:3-9", "a.go#Start".
func (p *parser) readWord(t token) {
	if link, lines, ok := parseLink(t.text); ok {
		if t.text = link.paths()[0]; lines.From > 0 {
			t.text = withLines(t.text, lines)
		}
	}
	m, before := askedLines.FindStringSubmatch(t.text), p.last
	isNumber := m != nil && t.text == m[2]
	owner := upTo(t.text, ":#")
	name := strings.TrimLeft(t.text[len(owner):], ":# ")
	switch {
	case t.isFiller():
	case m != nil && (!isNumber || before.kind != wordToken || before.isOneOf(rangeWords) || isAskedPath(before.text)):
		p.addPath(m[1])
		p.addLines(askedSpan(m[2], m[3]))
	case askedName.MatchString(name) && (owner == "" || isAskedPath(owner)):
		p.addPath(owner)
		p.names = append(p.names, token{quotedToken, name})
	case isAskedPath(t.text):
		p.addPath(t.text)
	default:
		p.names = append(p.names, t)
	}
}

// addPath adds a path, if it is not empty. It begins another thing unless it is behind "in" or the like.
func (p *parser) addPath(name string) {
	if name == "" {
		return
	}
	if p.onPath || len(p.names) > 0 && !p.last.isFiller() {
		p.endThing()
	}
	name = strings.ReplaceAll(strings.Trim(name, quoteMarks+blanks), `\`, "/")
	p.asks = append(p.asks, Ask{Path: name, Lines: p.lines})
	p.onPath, p.lines = true, Span{}
}

// addLines adds lines to the path that is being read, or to the next one.
func (p *parser) addLines(lines Span) {
	to := &p.lines
	if p.onPath {
		to = &p.asks[len(p.asks)-1].Lines
	}
	switch {
	case lines.From == 0:
	case to.From > 0 && (p.last.isOneOf(toWords) || !p.onPath):
		*to = Span{min(to.From, lines.From), max(to.To, lines.To)}
	case to.From > 0:
		p.endThing()
		p.lines = lines
	default:
		*to = lines
	}
}

// endThing ends the thing that is being read. Words beside lines alone are an explanation.
func (p *parser) endThing() {
	n, names := len(p.asks)-1, p.names
	switch {
	case p.onPath:
	case p.lines.From > 0 && n >= 0 && p.asks[n] == (Ask{Path: p.asks[n].Path}):
		p.asks[n].Lines = p.lines
	case p.lines.From > 0 && n >= 0 && p.asks[n].Find == "":
		p.asks = append(p.asks, Ask{Path: p.asks[n].Path, Lines: p.lines})
	case len(names) > 0:
		p.asks = append(p.asks, Ask{Path: names[0].text, Lines: p.lines})
		names = names[1:]
	default:
		return // lines before any path are those of the first one
	}
	if last := &p.asks[len(p.asks)-1]; last.Lines.From == 0 {
		last.Name = nameIn(names)
	}
	p.onPath, p.names, p.lines = false, nil, Span{}
}

// nameIn returns the name of a definition among the words beside a path; empty if they are only an explanation.
func nameIn(words []token) string {
	words = slices.DeleteFunc(words, func(w token) bool { return !askedName.MatchString(w.text) })
	for _, w := range words {
		if len(words) == 1 || w.kind == quotedToken || compound.MatchString(w.text) {
			return strings.TrimSuffix(strings.TrimLeft(w.text, "@"), "()")
		}
	}
	return ""
}

// askedSpan returns a range of lines, in whichever order its ends are; of a line 0, it is the first.
func askedSpan(from, to string) Span {
	a, _ := strconv.Atoi(from)
	b, _ := strconv.Atoi(cmp.Or(to, from))
	if a > maxLineNumber {
		return Span{}
	}
	return Span{max(1, min(a, b)), min(max(1, a, b), maxLineNumber)}
}
