package bot

// Nearest is the word of a list that somebody may have meant; empty when none is near: one slip of the pen away, in longer
// words two.
func Nearest(word string, words []string) string {
	best, distance := "", 2
	if len(word) > 4 {
		distance = 3
	}
	for _, w := range words {
		if d := editDistance(word, w); d < distance {
			best, distance = w, d
		}
	}
	return best
}

// editDistance is Levenshtein's, on bytes; words longer than 20 are as far as can be.
func editDistance(a, b string) int {
	if len(a) > 20 || len(b) > 20 {
		return 20
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
