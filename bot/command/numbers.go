package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// maxNumbers is how many blocks or suggestions one command can name.
const maxNumbers = 200

// parseNumbers reads a list such as "1,3-5": numbers and ranges. A problem is a sentence for whoever wrote it.
func parseNumbers(text string) (list []int, problem string) {
	if strings.TrimSpace(text) == "" {
		return nil, "The numbers are missing."
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, ok := parseRange(strings.TrimSpace(part))
		if !ok {
			return nil, fmt.Sprintf("%s is not a list of numbers from 1 to %d.",
				markdown.Code(markdown.Clip(text, 40)), markdown.MaxNumber)
		}
		for n := first; n <= last; n++ {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
			if len(list) > maxNumbers {
				return nil, fmt.Sprintf("One command takes at most %d numbers, and there are more.",
					maxNumbers)
			}
		}
	}
	return list, ""
}

// selected returns the numbers of edits that were selected on a page, each once. A problem is a sentence for whoever
// did.
func selected(blocks []int) (list []int, problem string) {
	list = slices.Compact(slices.Sorted(slices.Values(blocks)))
	switch {
	case len(list) == 0:
		return nil, "No edit is selected. Select at least one, and apply again."
	case len(list) > maxNumbers:
		return nil, fmt.Sprintf("One command applies at most %d edits, and %d are selected. Select fewer, and apply again.",
			maxNumbers, len(list))
	case list[0] < 1 || list[len(list)-1] > markdown.MaxNumber:
		return nil, fmt.Sprintf("Edits have numbers from 1 to %d.", markdown.MaxNumber)
	}
	return list, ""
}

// parseRange reads "3" or "3-5".
func parseRange(text string) (first, last int, ok bool) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	first, ok1 := parseNumber(strings.TrimSpace(from))
	last, ok2 := parseNumber(strings.TrimSpace(to))
	return first, last, ok1 && ok2 && first <= last
}

func parseNumber(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 1 && n <= markdown.MaxNumber && text == strconv.Itoa(n)
}

// NumbersInWords returns a list of ascending numbers as it reads in a sentence: "1 and 3-5".
func NumbersInWords(list []int) string {
	text := FormatNumbers(list)
	if i := strings.LastIndex(text, ", "); i >= 0 {
		return text[:i] + " and " + text[i+2:]
	}
	return text
}

// FormatNumbers returns a list of ascending numbers as people write it and as commands take it: "1, 3-5".
func FormatNumbers(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch part := fmt.Sprint(list[i]); j - i {
		case 0:
			parts = append(parts, part)
		case 1:
			parts = append(parts, part, fmt.Sprint(list[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}
