package command

import "github.com/tenon-bot/tenon/engine/text"

// Closest returns the word of a list that a misspelled word may have meant, or "" when none is close: one typo away, or
// two for a word of more than four letters.
func Closest(word string, words []string) string {
	best, distance := "", 2
	if len(word) > 4 {
		distance = 3
	}
	for _, w := range words {
		if d := text.Distance(word, w, distance-1); d < distance {
			best, distance = w, d
		}
	}
	return best
}
