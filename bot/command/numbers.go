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
			return nil, fmt.Sprintf("%s is no list of numbers from 1 to %d.",
				markdown.Code(markdown.Clip(text, 40)), markdown.MaxNumber)
		}
		for n := first; n <= last; n++ {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
			if len(list) > maxNumbers {
				return nil, fmt.Sprintf("These are more than %d numbers, which is the most that one command takes.",
					maxNumbers)
			}
		}
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
