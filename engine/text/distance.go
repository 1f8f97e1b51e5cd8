package text

// Distance returns how many bytes must be added, removed, replaced, or exchanged with a neighbor to turn one word into
// another, no byte twice, or limit+1 if that is more than limit. It takes time in proportion to limit and the length of
// the words.
func Distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	// The rows of a[:i-2], a[:i-1] and a[:i], of which only the columns near the diagonal can be small enough.
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(i-limit, 1), min(i+limit, len(b))
		least := limit + 1
		if row[from-1] = limit + 1; from == 1 {
			row[0], least = i, i
		}
		for j := from; j <= to; j++ {
			d := above[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, row[j-1]+1)
			if j < i+limit { // above[j] is in its band
				d = min(d, above[j]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], limit+1)
}
