package retrieve

import (
	"slices"
	"strings"
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
		keyword, text := cutAsk(line)
		if keyword != "" {
			room--
		}
		asks := parseAsks(keyword, text)
		if len(asks) == 0 {
			others += len(strings.TrimSpace(line))
		}
		for _, a := range asks {
			if len(list) < maxParsedAsks && !slices.Contains(list, a) {
				list = append(list, a)
				capitals = capitals || inCapitals(keyword)
			}
		}
	}
	return list, capitals, others
}

// IsAsk reports whether a line of a reply asks to be shown something, with the keyword in capitals as in prompts.
func IsAsk(line string) bool {
	keyword, _ := cutAsk(strings.TrimRight(line[:min(len(line), maxAskLine)], "\r\n"))
	return inCapitals(keyword)
}

// String returns the ask as a model writes it, so that ParseAsks reads the same ask again. Two asks are the same if
// their strings are.
func (a Ask) String() string {
	for _, mark := range []string{"", `"`, "`", "'", "``", "```"} {
		if text := a.between(mark); slices.Equal(ParseAsks(text), []Ask{a}) {
			return text
		}
	}
	return a.between("")
}
