package main

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/engine/text"
)

// word is a piece of a line. changed is true if it is not in the other side's line.
type word struct {
	text    string
	changed bool
}

// maxMarked is the largest change whose words are compared, in words of both sides.
const maxMarked = 16 << 10

// markWords compares the words of two sequences of lines. It marks no words if the lines have little in common.
func markWords(old, put []string) (oldWords, putWords [][]word) {
	oldWords, putWords = splitLines(old), splitLines(put)
	a, b := allWords(oldWords), allWords(putWords)
	if len(old) == 0 || len(put) == 0 || len(a)+len(b) > maxMarked {
		return oldWords, putWords
	}
	marks := text.NewMarks(len(a), len(b))
	for _, h := range text.Diff(nil, a, b) {
		mark(marks.Old[h.From:h.To])
		mark(marks.New[h.NewFrom:h.NewTo])
	}
	if alike(oldWords, marks.Old) && alike(putWords, marks.New) {
		setMarks(oldWords, marks.Old)
		setMarks(putWords, marks.New)
	}
	return oldWords, putWords
}

func splitLines(lines []string) [][]word {
	words := make([][]word, len(lines))
	for i, line := range lines {
		words[i] = splitWords(line)
	}
	return words
}

// splitWords splits a line into sequences of letters and digits, sequences of blanks, and other characters.
func splitWords(line string) []word {
	var words []word
	start, last := 0, 0
	for at, r := range line {
		class := wordClass(r)
		if at > 0 && (class == 0 || class != last) {
			words = append(words, word{text: line[start:at]})
			start = at
		}
		last = class
	}
	if line != "" {
		words = append(words, word{text: line[start:]})
	}
	return words
}

// wordClass returns 1 for letters, digits and underscores, 2 for blanks, and 0 for other characters.
func wordClass(r rune) int {
	switch {
	case r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
		return 1
	case unicode.IsSpace(r):
		return 2
	default:
		return 0
	}
}

// allWords returns the words of lines, with an empty one after each line.
func allWords(lines [][]word) []string {
	var all []string
	for _, line := range lines {
		for _, w := range line {
			all = append(all, w.text)
		}
		all = append(all, "")
	}
	return all
}

func mark(marks []bool) {
	for i := range marks {
		marks[i] = true
	}
}

// alike reports whether at least a third of the characters, blanks excluded, are in words without a mark.
func alike(lines [][]word, marks []bool) bool {
	same, all, i := 0, 0, 0
	for _, line := range lines {
		for _, w := range line {
			n := len(strings.TrimSpace(w.text))
			all += n
			if !marks[i] {
				same += n
			}
			i++
		}
		i++
	}
	return same*3 >= all
}

// setMarks marks the words, and blanks between two marked words. It marks nothing in a line that is new as a whole.
func setMarks(lines [][]word, marks []bool) {
	for _, line := range lines {
		if slices.Contains(marks[:len(line)], false) {
			setLineMarks(line, marks)
		}
		marks = marks[len(line)+1:]
	}
}

func setLineMarks(line []word, marks []bool) {
	for i := range line {
		blank := i > 0 && i+1 < len(line) && strings.TrimSpace(line[i].text) == ""
		line[i].changed = marks[i] || blank && marks[i-1] && marks[i+1]
	}
}

// joined returns a line with consecutive words joined that are all changed, or all unchanged.
func joined(line []word) []word {
	var runs []word
	for _, w := range line {
		if n := len(runs); n > 0 && runs[n-1].changed == w.changed {
			runs[n-1].text += w.text
		} else {
			runs = append(runs, w)
		}
	}
	return runs
}
