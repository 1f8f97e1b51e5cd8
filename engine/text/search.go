package text

import "github.com/tenon-bot/tenon/meter"

// MaxFound is how many places Search finds at most.
const MaxFound = 100

// bytesPerComparison is how long a line is whose comparison costs more than one unit of work.
const bytesPerComparison = 64

// Search returns the indices at which find occurs in lines, overlaps included, at most MaxFound. It uses the algorithm
// of Knuth, Morris and Pratt, so that it takes linear time even if all lines are equal. If the work is used up, or find
// is empty, it finds nothing.
func Search(w *meter.Work, lines, find []string) []int {
	if len(find) == 0 || len(find) > len(lines) || w.UsedUp() {
		return nil
	}
	failure, comparisons := failureTable(find)
	long := 0 // bytes of long lines that were compared
	var starts []int
	n := 0 // the length of the prefix of find that ends at the current line
	for i, s := range lines {
		for {
			comparisons++
			if len(s) > bytesPerComparison && len(find[n]) == len(s) {
				long += len(s)
			}
			if find[n] == s {
				n++
				break
			}
			if n == 0 {
				break
			}
			n = failure[n-1]
		}
		if n == len(find) {
			if starts = append(starts, i-n+1); len(starts) == MaxFound {
				break
			}
			n = failure[n-1]
		}
	}
	w.Spend(comparisons)
	w.SpendBytes(long)
	return starts
}

// failureTable returns, for each prefix of find, the length of its longest proper prefix that is also its suffix, and
// the number of comparisons that it took.
func failureTable(find []string) (failure []int, comparisons int) {
	failure = make([]int, len(find))
	n := 0
	for i := 1; i < len(find); i++ {
		for {
			comparisons++
			if find[n] == find[i] {
				n++
				break
			}
			if n == 0 {
				break
			}
			n = failure[n-1]
		}
		failure[i] = n
	}
	return failure, comparisons
}
