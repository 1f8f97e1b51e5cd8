package command

import (
	"slices"
	"strings"
	"unicode"
)

// maxFiller is how many words a text can have that says no more than the verb does.
const maxFiller = 12

// fillers are words that say no more than the verb and the issue do, alone or together, in lower case.
var fillers = []string{
	"address", "and", "bug", "can", "could", "do", "fix", "for", "handle", "implement", "issue", "it", "kindly", "me",
	"now", "please", "pls", "plz", "problem", "resolve", "solve", "thank", "thanks", "that", "the", "this", "us", "would",
	"you",
}

// saysNothingMore reports whether a text says no more than the command itself, as "please fix this" does.
func saysNothingMore(text string) bool {
	if strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !isFillerMark(r) }) >= 0 {
		return false
	}
	words := strings.FieldsFunc(strings.ToLower(text), isFillerMark)
	return len(words) <= maxFiller &&
		!slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(fillers, w) })
}

func isFillerMark(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(".,!?", r) }
