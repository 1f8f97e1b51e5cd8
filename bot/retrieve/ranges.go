package retrieve

import "github.com/tenon-bot/tenon/bot/markdown"

// Span is a range of lines, counted from 1, both ends included; zero for none.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// lineCount returns how many lines are in ranges.
func lineCount(ranges markdown.Ranges) (n int) {
	for _, r := range ranges {
		n += r[1] - r[0]
	}
	return n
}

// without returns ranges without what is in others. Both are sorted, and none overlaps another.
func without(ranges, others markdown.Ranges) (out markdown.Ranges) {
	for _, r := range ranges {
		for _, o := range others {
			if o[1] <= r[0] || o[0] >= r[1] {
				continue
			}
			if o[0] > r[0] {
				out = append(out, [2]int{r[0], o[0]})
			}
			r[0] = min(o[1], r[1])
		}
		if r[0] < r[1] {
			out = append(out, r)
		}
	}
	return out
}
