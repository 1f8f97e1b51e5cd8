package report

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Bounds on what of a model's explanation is shown at once.
const (
	maxSentences = 3
	maxLead      = 600 // characters
)

// explanation returns a model's explanation as Markdown that GitHub shows safely: its first sentences, which are shown
// at once as one paragraph, and the rest, which continues in a fold. A short list after them belongs to them. first is
// empty if the explanation begins with code.
func explanation(text string) (first, rest string) {
	rest = markdown.Safe(text, maxProse, markdown.Code)
	for left, room := maxSentences, maxLead; left > 0 && rest != ""; {
		block, after, _ := strings.Cut(rest, "\n\n")
		if isTitle(block) && first == "" {
			rest = after // it says nothing by itself
			continue
		}
		said, more, n := block, "", strings.Count(block, "\n")+1
		switch {
		case isTitle(block):
			return first, rest
		case isParagraph(block):
			said, more, n = leadOf(block, left, room)
		case !isShortList(block) || n > left && first != "" && !strings.HasSuffix(first, ":"):
			return first, rest
		}
		if room -= utf8.RuneCountInString(said); said == "" || room < 0 {
			return first, rest
		}
		gap := "\n\n"
		if isParagraph(block) && !strings.Contains(first, "\n") {
			gap = " "
		}
		first = strings.TrimSpace(first + gap + said)
		left -= n
		if rest = after; more != "" {
			return first, strings.TrimSpace(asParagraph(more) + "\n\n" + after)
		}
		if left == 0 && strings.HasSuffix(said, ":") {
			left = 1 // for the list that it announces
		}
	}
	return first, rest
}

// leadOf returns the first sentences of a paragraph, as many as have room, and their number.
func leadOf(paragraph string, most, room int) (said, more string, n int) {
	for ; most > 0; most-- {
		said, more, n = markdown.FirstSentences(paragraph, most)
		if utf8.RuneCountInString(said) <= room {
			return said, more, n
		}
	}
	return "", paragraph, 0
}

var (
	listItem   = regexp.MustCompile(`^(?:- |[0-9]+\. )`)
	titleLine  = regexp.MustCompile(`^\*\*[^*]+\*\*$`)
	itemNumber = regexp.MustCompile(`^([0-9]+)([.)])`)
)

// isTitle, isParagraph and isShortList tell the blocks apart that markdown.Safe writes.
func isTitle(block string) bool { return titleLine.MatchString(block) }

func isParagraph(block string) bool {
	return !listItem.MatchString(block) && !strings.HasPrefix(block, "```") && !strings.HasPrefix(block, "> ")
}

func isShortList(block string) bool {
	return listItem.MatchString(block) && !strings.Contains(block, "```") && strings.Count(block, "\n") < maxSentences
}

// asParagraph returns the rest of a paragraph so that it begins no list.
func asParagraph(text string) string { return itemNumber.ReplaceAllString(text, `$1\$2`) }
