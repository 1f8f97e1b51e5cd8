package retrieve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Ask is one thing that a model asks to be shown: a file, lines of a file, a definition in a file, or the places of a
// text.
type Ask struct {
	// Path is that of a file or folder, or a pattern; it may also be a name that the code defines. Empty for a text.
	Path string
	// Lines are those asked for, zero for none in particular. Name is what is defined in the file; empty for none.
	Lines Span
	Name  string
	// Find is the text to find; empty for a file.
	Find string
}

// FindPrefix begins an ask for a text, as String writes it, and needPrefix any other.
const (
	FindPrefix = "FIND: "
	needPrefix = "NEED: "
)

// String returns the ask as a model writes it, so that ParseAsks reads the same ask again. Two asks are the same if
// their strings are.
func (a Ask) String() string {
	if a.Find != "" {
		if quoteNeeded(a.Find) {
			return FindPrefix + inQuotes(a.Find)
		}
		return FindPrefix + a.Find
	}
	path := a.Path
	if strings.ContainsAny(path, " \t,;()") {
		path = inQuotes(path)
	}
	switch {
	case a.Lines.From > 0:
		return needPrefix + withLines(path, a.Lines)
	case a.Name != "":
		return needPrefix + path + " " + a.Name
	}
	return needPrefix + path
}

// quoteNeeded reports whether a text to find would be read as another one if it were not in quotation marks.
func quoteNeeded(text string) bool {
	inner, _ := cutQuote(text)
	return inner != "" || strings.Trim(text, "*`") != text || askWithin.MatchString(text)
}

// inQuotes returns a text in quotation marks that it does not contain, or as it is if it contains all of them.
func inQuotes(text string) string {
	for _, mark := range []string{`"`, "`", "'", "``", "```"} {
		if !strings.Contains(text, mark) {
			return mark + text + mark
		}
	}
	return text
}

// withLines returns a path followed by lines, as an ask has them.
func withLines(path string, lines Span) string {
	return fmt.Sprintf("%s:%d-%d", path, lines.From, lines.To)
}

// Bounds on what is read of a reply.
const (
	maxParsedAsks  = 50      // of one reply
	maxAskLines    = 200     // lines of one reply that begin as an ask does
	maxAskLine     = 2000    // bytes of a line that are read
	maxAskStart    = 200     // bytes of a line in which its keyword ends
	maxAskedBytes  = 1000    // of a path
	maxFindBytes   = 200     // of a text to find
	maxReplyRead   = 1 << 20 // bytes of a reply in which asks are looked for
	maxBesideAsks  = 600     // bytes of other words in a reply that asks in lower case, or instead of an answer
	maxAskKeywords = 10      // on one line
)

var (
	// askLine matches the beginning of a line that asks for something: list markers, quotes and emphasis, the keyword,
	// and a colon. bareAsk matches one without the colon, where a path or a quotation must follow.
	askLine = regexp.MustCompile("^[\\s>]*(?:(?:[-+•*]|\\d{1,3}[.)]|\\[[ x]\\])\\s+)*[*_`\"'\\s]*" +
		"((?i:needs?|find))[*_`]*\\s*[:：][*_`]*")
	bareAsk = regexp.MustCompile("^[\\s>]*(?:(?:[-+•*]|\\d{1,3}[.)])\\s+)*[*_`]*(NEED|FIND)[*_`]*\\s+")
	// askWithin matches a further ask on the same line.
	askWithin = regexp.MustCompile("[\\s,;.*_`]+(NEED|FIND)[*_`]*\\s*[:：][*_`]*")
)

// ParseAsks returns what a reply asks to be shown, in its order, each once, maxParsedAsks at most. It looks at whole
// lines that begin with "NEED:" or "FIND:", and passes over edit blocks. The words may be in lower case before a path,
// lines or a quotation, in a reply that says little else.
func ParseAsks(reply string) []Ask {
	asks, capitals, others := readAsks(reply)
	if capitals || others <= maxBesideAsks {
		return asks
	}
	return nil
}

// ParseAsksOfAnswer is ParseAsks for a reply to a question: one that says much else is the answer, whatever its lines
// begin with.
func ParseAsksOfAnswer(reply string) []Ask {
	asks, _, others := readAsks(reply)
	if others > maxBesideAsks {
		return nil
	}
	return asks
}

// readAsks returns all that the lines of a reply ask for. capitals reports whether a keyword is in capitals, and others
// counts the bytes of the lines that ask for nothing.
func readAsks(reply string) (list []Ask, capitals bool, others int) {
	inBlock, room := false, maxAskLines
	for line := range strings.Lines(reply[:min(len(reply), maxReplyRead)]) {
		line = strings.ToValidUTF8(strings.TrimRight(line[:min(len(line), maxAskLine)], "\r\n"), "")
		switch {
		case strings.HasPrefix(line, "<<<<<<<"):
			inBlock = true
		case strings.HasPrefix(line, ">>>>>>>"):
			inBlock = false
			continue
		}
		if inBlock || len(list) >= maxParsedAsks || room == 0 {
			continue
		}
		asks, inCapitals, ok := parseAskLine(line)
		if ok {
			room--
		}
		if len(asks) == 0 {
			others += len(strings.TrimSpace(line))
		}
		for _, a := range asks {
			if len(list) < maxParsedAsks && !slices.Contains(list, a) {
				list = append(list, a)
				capitals = capitals || inCapitals
			}
		}
	}
	return list, capitals, others
}

// IsAsk reports whether a line of a reply asks to be shown something, with the keyword in capitals as in prompts.
func IsAsk(line string) bool {
	keyword, _, ok := cutKeyword(strings.TrimRight(line[:min(len(line), maxAskLine)], "\r\n"))
	return ok && inCapitals(keyword)
}

func inCapitals(keyword string) bool { return keyword == strings.ToUpper(keyword) }

// cutKeyword returns the keyword that begins a line, and what follows it; ok is false if the line asks for nothing.
func cutKeyword(line string) (keyword, rest string, ok bool) {
	start := line[:min(len(line), maxAskStart)]
	m := askLine.FindStringSubmatchIndex(start)
	if m == nil {
		if m = bareAsk.FindStringSubmatchIndex(start); m == nil || !beginsPlainly(line[m[2]:m[3]], line[m[1]:]) {
			return "", "", false
		}
	}
	keyword, rest = line[m[2]:m[3]], strings.TrimRight(line[m[1]:], " \t")
	for _, mark := range []string{"**", "__", "*", "`"} { // around the whole line
		if strings.HasSuffix(line[:m[2]], mark) && !strings.Contains(line[m[3]:m[1]], mark) {
			return keyword, strings.TrimSuffix(rest, mark), true
		}
	}
	return keyword, rest, true
}

// parseAskLine returns what a line asks for. capitals reports whether its first keyword is in capitals, and ok whether
// it begins as an ask does.
func parseAskLine(line string) (asks []Ask, capitals, ok bool) {
	keyword, rest, ok := cutKeyword(line)
	if !ok {
		return nil, false, false
	}
	if capitals = inCapitals(keyword); !capitals && !namesCode(rest) {
		return nil, false, true
	}
	for range maxAskKeywords {
		more := askWithin.FindStringSubmatchIndex(outsideQuotes(rest))
		text := rest
		if more != nil {
			text = rest[:more[0]]
		}
		if strings.EqualFold(keyword, "find") {
			asks = append(asks, parseFind(text)...)
		} else {
			asks = append(asks, parseNeed(text)...)
		}
		if more == nil {
			break
		}
		keyword, rest = rest[more[2]:more[3]], rest[more[1]:]
	}
	return asks, capitals, true
}

// beginsPlainly reports whether what follows a keyword without a colon can only be what is asked for.
func beginsPlainly(keyword, rest string) bool {
	word, _, _ := strings.Cut(rest, " ")
	if keyword == "FIND" {
		inner, _ := cutQuote(rest)
		return inner != ""
	}
	name, _ := cutLines(strings.Trim(word, "`\"'*,;"))
	return strings.ContainsAny(name, "./") && looksLikePath(name)
}

// namesCode reports whether what follows a keyword begins with a path, lines or a quotation, or is one name of code.
// Other words after "Need:" are most likely a sentence.
func namesCode(rest string) bool {
	words := askWords(markdownLink.ReplaceAllString(strings.TrimSpace(rest), "$1"))
	for i, w := range words {
		switch {
		case w.quoted, isAskedPath(w.text), len(words) == 1 && compound.MatchString(w.text):
			return true
		case lineWord.MatchString(w.text) && i+1 < len(words) && lineSpan.MatchString(words[i+1].text):
			return true
		case !slices.Contains(fillers, strings.ToLower(w.text)):
			return false
		}
	}
	return false
}

// quotes are the quotation marks that are understood, longer ones before their beginnings.
var quotes = []struct{ open, end string }{
	{"```", "```"}, {"``", "``"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"“", "”"}, {"‘", "’"}, {"«", "»"},
}

// cutQuote returns what is quoted at the beginning of a text, and what follows the quotation; inner is empty if nothing
// is quoted there.
func cutQuote(text string) (inner, rest string) {
	for _, q := range quotes {
		if quoted, ok := strings.CutPrefix(text, q.open); ok {
			if inner, rest, ok := strings.Cut(quoted, q.end); ok {
				return inner, rest
			}
		}
	}
	return "", text
}

// outsideQuotes returns a line with each byte between back-ticks or double quotation marks replaced by a blank.
func outsideQuotes(line string) string {
	out := []byte(line)
	for i := 0; i < len(line); i++ {
		if c := line[i]; c == '`' || c == '"' {
			if n := strings.IndexByte(line[i+1:], c); n > 0 {
				for k := range n {
					out[i+1+k] = ' '
				}
				i += n + 1
			}
		}
	}
	return string(out)
}

// parseFind reads what follows "FIND:": the texts in quotation marks at its beginning, or else all of it.
func parseFind(text string) (asks []Ask) {
	text = strings.TrimSpace(text)
	rest := text
	for len(asks) < maxParsedAsks {
		rest = strings.TrimLeft(rest, " \t,;")
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "and "), "or ")
		var inner string
		if inner, rest = cutQuote(rest); inner == "" {
			break
		}
		asks = appendFind(asks, inner)
	}
	if len(asks) > 0 {
		return asks
	}
	return appendFind(nil, strings.TrimRight(strings.Trim(text, "*`"), " \t"))
}

func appendFind(asks []Ask, text string) []Ask {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxFindBytes || markdown.Unprintable(strings.ReplaceAll(text, "\t", " ")) {
		return asks
	}
	return append(asks, Ask{Find: text})
}
