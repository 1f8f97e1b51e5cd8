package retrieve

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/go-enry/go-enry/v2/data"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// askWord is a word of what follows "NEED:".
type askWord struct {
	text string
	// quoted says that it was in quotation marks or back-ticks, next that a comma or the like is before it.
	quoted, next bool
}

var (
	markdownLink = regexp.MustCompile(`\[[^\]\[]*\]\(([^()\s]+)\)`)
	// inBrackets matches lines, or the name of a definition, in brackets.
	inBrackets = regexp.MustCompile(
		`\(((?i:lines?|the|class|function|method|def|func|fn|struct|type|interface|trait|enum)\s[^()]*(?:\(\))?[^()]*)\)`)
	// remark matches an explanation that follows what is asked for.
	remark = regexp.MustCompile(`\s(?:[-–—]+|#|//|\()\s.*$|\s\([^()]*\)?$|\s[–—].*$`)
	// blobLink matches the address of a file on GitHub up to the file's path.
	blobLink = regexp.MustCompile(`^https?://[^/\s]+/[^/\s]+/[^/\s]+/(?:blob|tree|raw|blame)/[^/\s]+/`)
	lineWord = regexp.MustCompile(`^(?i:lines?|ll?\.?)$`)
	lineSpan = regexp.MustCompile(`^[Ll]?(\d{1,9})(?:(?:-|–|\.\.)[Ll]?(\d{1,9}))?$`)
	spanWord = regexp.MustCompile(`^(?i:to|through|until|and|-|–|\.\.)$`)
	// pathAndName matches a path followed by the name of a definition.
	pathAndName = regexp.MustCompile(`^(.+?\.\w{1,12})(?:::?|#|@)([A-Za-z_$~][\w$~.:#]*)$`)
	askedName   = regexp.MustCompile(`^[A-Za-z_$~@][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$~][\w$]*)*[?!=]?(?:\([^()]*\))?$`)
	// compound matches names that are no words of a language.
	compound = regexp.MustCompile(`_|[a-z0-9][A-Z]|[.:#]\w|\(`)
)

// fillers are words beside a path and a name that add nothing.
var fillers = []string{
	"also", "and", "at", "class", "const", "constant", "def", "definition", "definitions", "enum", "file", "files", "fn",
	"for", "from", "func", "function", "in", "interface", "macro", "member", "method", "module", "of", "please", "struct",
	"the", "trait", "type", "variable",
}

// beforePaths are words before the path of the file that a name is in.
var beforePaths = []string{"in", "of", "from", "file", "the", "at"}

// nothing are words for nothing at all.
var nothing = []string{"", "-", "none", "nothing", "n/a", "no", "null"}

// parseNeed reads what follows "NEED:": paths with lines or names, and names alone.
func parseNeed(text string) (asks []Ask) {
	if slices.Contains(nothing, strings.ToLower(strings.Trim(text, " \t.`*\"()"))) {
		return nil
	}
	text = inBrackets.ReplaceAllString(markdownLink.ReplaceAllString(text, "$1"), " $1 ")
	text = " " + strings.TrimSpace(text)
	if at := remark.FindStringIndex(outsideQuotes(text)); at != nil {
		text = text[:at[0]]
	}
	var group []askWord
	flush := func() {
		for _, a := range readGroup(group, asks) {
			if len(asks) < maxParsedAsks && !markdown.Unprintable(a.Path+a.Name) && len(a.Path) <= maxAskedBytes {
				asks = append(asks, a)
			}
		}
		group = nil
	}
	for _, w := range askWords(text) {
		if len(group) > 0 && beginsGroup(w, group) {
			flush()
		}
		group = append(group, w)
	}
	flush()
	return asks
}

// beginsGroup reports whether a word begins the next thing that is asked for, rather than saying more of this one.
func beginsGroup(w askWord, group []askWord) bool {
	last := group[len(group)-1]
	switch {
	case lineSpan.MatchString(w.text):
		// "12" in "lines 3, 12" or in "a.go:3,12"; not in "lines 3 to 12".
		return w.next && lineSpan.MatchString(last.text) || w.next && !lineWord.MatchString(last.text)
	case lineWord.MatchString(w.text):
		return false
	case w.next:
		return true
	case isAskedPath(w.text):
		return slices.ContainsFunc(group, func(g askWord) bool { return isAskedPath(g.text) }) ||
			!slices.Contains(beforePaths, strings.ToLower(last.text))
	}
	return false
}

// askWords splits a text at white space, commas and semicolons that are not in quotes.
func askWords(text string) (words []askWord) {
	next := false
	for text != "" && len(words) < 4*maxParsedAsks {
		trimmed := strings.TrimLeft(text, " \t,;、，；")
		next = next || strings.ContainsAny(text[:len(text)-len(trimmed)], ",;、，；")
		text = trimmed
		if inner, rest := cutQuote(text); inner != "" {
			words = append(words, askWord{strings.TrimSpace(inner), true, next})
			text, next = rest, false
			// Lines may follow the quotation.
			if tail := tailOfQuote.FindString(text); tail != "" {
				words[len(words)-1].text += tail
				text = text[len(tail):]
			}
			continue
		}
		end := strings.IndexAny(text, " \t,;、，；")
		if end < 0 {
			end = len(text)
		}
		word := strings.Trim(text[:end], "`\"'<>")
		if inner := strings.Trim(word, "*"); len(word)-len(inner) > 2 && word[0] == '*' && word[len(word)-1] == '*' {
			word = inner // in emphasis
		}
		text = text[end:]
		if strings.EqualFold(word, "and") && len(words) > 0 && !lineSpan.MatchString(words[len(words)-1].text) {
			next = true
			continue
		}
		if word = strings.TrimRight(word, ".!?:"); word != "" {
			words, next = append(words, askWord{word, false, next}), false
		}
	}
	return words
}

var tailOfQuote = regexp.MustCompile(`^(?:[:#]L?\d+(?:[-–]L?\d+)?)`)

// isAskedPath reports whether a word is a path or a pattern, and no name in code.
func isAskedPath(word string) bool {
	name, _ := cutLines(word)
	if m := pathAndName.FindStringSubmatch(name); m != nil {
		name = m[1]
	}
	if strings.ContainsAny(name, `/\`) || isPattern(name) {
		return true
	}
	if _, ok := data.LanguagesByExtension[strings.ToLower(path.Ext(name))]; ok && len(path.Ext(name)) > 1 {
		return true
	}
	return slices.Contains(plainNames, strings.ToLower(name))
}

// readGroup reads the words of one thing that is asked for. before are those before it: "a.go:1-5, 9-12" names the path
// once.
func readGroup(group []askWord, before []Ask) []Ask {
	lines, words := linesIn(group)
	at := slices.IndexFunc(words, func(w askWord) bool { return isAskedPath(w.text) })
	if at < 0 {
		words = slices.DeleteFunc(words, func(w askWord) bool {
			return !w.quoted && len(words)+len(before) > 1 && slices.Contains(fillers, strings.ToLower(w.text))
		})
		at = 0
	}
	switch {
	case len(words) == 0 && lines.From > 0 && len(before) > 0:
		return []Ask{{Path: before[len(before)-1].Path, Lines: lines}}
	case len(words) == 0:
		return nil
	}
	a := askOf(words[at].text)
	if a.Lines.From == 0 {
		a.Lines = lines
	}
	if a.Name == "" && a.Lines.From == 0 {
		a.Name = nameIn(slices.Delete(slices.Clone(words), at, at+1))
	}
	if a.Path == "" || a.Path == "." || !isAskedPath(a.Path) && !askedName.MatchString(a.Path) && !words[at].quoted &&
		!looksLikePath(a.Path) && len(words) > 1 {
		return nil
	}
	return []Ask{a}
}

// linesIn returns the lines that words name, and the other words.
func linesIn(group []askWord) (lines Span, others []askWord) {
	for i := 0; i < len(group); i++ {
		w := group[i]
		m := lineSpan.FindStringSubmatch(w.text)
		isLine := m != nil && (w.next || i == 0 || lineWord.MatchString(group[i-1].text) ||
			strings.ContainsAny(w.text, "L-–"))
		switch {
		case lineWord.MatchString(w.text) && i+1 < len(group) && lineSpan.MatchString(group[i+1].text):
		case isLine && lines.From == 0:
			to := m[2]
			if i+2 < len(group) && spanWord.MatchString(group[i+1].text) {
				if end := lineSpan.FindStringSubmatch(group[i+2].text); end != nil {
					to = end[1]
					i += 2
				}
			}
			lines = askedSpan(m[1], to)
		case isLine:
		default:
			others = append(others, w)
		}
	}
	return lines, others
}

// askedSpan returns a range of lines, in whichever order its ends are; of a line 0, it is the first.
func askedSpan(from, to string) Span {
	if strings.Trim(from, "0") == "" {
		from = "1"
	}
	a, b := spanOf(from, ""), spanOf(to, "")
	switch {
	case a.From == 0 || b.From == 0:
		return a
	case b.From < a.From:
		a, b = b, a
	}
	return Span{a.From, b.To}
}

// askOf reads a path with what follows it in the same word.
func askOf(word string) Ask {
	word = blobLink.ReplaceAllString(word, "")
	name, lines := cutLines(word)
	if m := askedRange.FindStringSubmatch(word); m != nil {
		name, lines = m[1], askedSpan(m[2], m[3])
	}
	a := Ask{Path: name, Lines: lines}
	if m := pathAndName.FindStringSubmatch(name); m != nil && lines.From == 0 {
		a.Path, a.Name = m[1], strings.TrimRight(m[2], ".:#")
	}
	a.Path = strings.TrimSpace(strings.ReplaceAll(a.Path, `\`, "/"))
	return a
}

// askedRange matches a path with a range of lines, in more forms than people write.
var askedRange = regexp.MustCompile(`^(.+?)[:#]\s*[Ll]?(\d{1,9})\s*(?:-|–|\.\.|:)\s*[Ll]?(\d{1,9})$`)

// nameIn returns the name of a definition among the words beside a path; empty if they are only an explanation.
func nameIn(words []askWord) string {
	words = slices.DeleteFunc(words, func(w askWord) bool {
		return !w.quoted && slices.Contains(fillers, strings.ToLower(w.text)) || !askedName.MatchString(w.text)
	})
	for _, w := range words {
		if len(words) == 1 || w.quoted || compound.MatchString(w.text) {
			return strings.TrimSuffix(strings.TrimLeft(w.text, "@"), "()")
		}
	}
	return ""
}
