package command

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// CIWords says what the text of a command has to do with continuous integration.
type CIWords int

// What a text has to do with CI, each more than the one before.
const (
	// CINone is a text about something else.
	CINone CIWords = iota
	// CIMentioned is a text that speaks of tests, a build, errors or the like.
	CIMentioned
	// CIAndMore is "ci" with a task behind it, in a clause or a line of its own.
	CIAndMore
	// CIMeant is a text that asks in ordinary words for what CI reports to be fixed, and for nothing else, as "make the
	// tests pass" does.
	CIMeant
	// CINamed is "ci", perhaps with a request around it, as in "ci, please".
	CINamed
)

// ciOf returns what a text has to do with CI.
func ciOf(text string) CIWords {
	switch {
	case meansCI(text) && ciText(strings.Trim(text, ciQuotes))[0] == "ci":
		return CINamed
	case meansCI(text):
		return CIMeant
	case ciName.MatchString(strings.TrimSpace(text)):
		return CIAndMore
	case ciMention.MatchString(text):
		return CIMentioned
	}
	return CINone
}

// ciName matches a text that begins with "ci", as far as the sentence, the line or the clause ends behind it.
var ciName = regexp.MustCompile("(?i)^ci(?:[ \t]*\r?\n|\\s*[.,:;!?]\\s|\\s+[-–—]+\\s)")

// The words of a text that asks for nothing but what CI reports, in lower case. One of ciNames is enough for that; one
// of ciParts needs one of ciStates beside it: "the tests" alone may be about the tests themselves.
var (
	ciNames = []string{"build", "builds", "ci"}
	ciParts = []string{
		"check", "checks", "job", "jobs", "lint", "linter", "pipeline", "pipelines", "suite", "test", "tests", "workflow",
		"workflows",
	}
	ciStates = []string{
		"broken", "fail", "failed", "failing", "fails", "failure", "failures", "green", "pass", "passes", "passing", "red",
	}
	ciFillers = []string{
		"again", "all", "and", "are", "back", "be", "been", "bring", "can", "could", "error", "errors", "every", "fix", "for",
		"get", "github", "go", "has", "have", "is", "it", "kindly", "make", "me", "my", "now", "of", "on", "our", "please",
		"pls", "plz", "repair", "resolve", "so", "solve", "thank", "thanks", "that", "the", "these", "this", "those", "to",
		"turn", "unbreak", "us", "which", "would", "you",
	}
)

// meansCI reports whether a text asks for what CI reports to be fixed, and for nothing else.
func meansCI(text string) bool {
	words := ciText(strings.Trim(text, ciQuotes))
	if len(words) == 0 || len(words) > maxFiller {
		return false
	}
	name, part, state := false, false, false
	for _, w := range words {
		switch {
		case slices.Contains(ciNames, w):
			name = true
		case slices.Contains(ciParts, w):
			part = true
		case slices.Contains(ciStates, w):
			state = true
		case !slices.Contains(ciFillers, w):
			return false
		}
	}
	return name || part && state
}

// ciQuotes may be around a text that is about CI.
const ciQuotes = " \t\r\n`\"'"

// ciText returns the words of a text in lower case, nil if it has anything but words and marks between them.
func ciText(text string) []string {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !isFillerMark(r) }) >= 0 {
		return nil
	}
	return strings.FieldsFunc(strings.ToLower(text), isFillerMark)
}

// ciMention matches a word of a text that speaks of what CI tells.
var ciMention = regexp.MustCompile(`(?i)\b(?:ci|tests?|tested|testing|builds?|lint(?:s|ed|er|ers|ing)?|checks|` +
	`(?:failing|failed|broken|red)\s+(?:check|job)|errors?|fail(?:s|ed|ing|ures?)?|pipelines?|workflows?|` +
	`compil(?:e|es|ed|er|ing|ation)|type-?check(?:s|er|ing)?)\b`)
