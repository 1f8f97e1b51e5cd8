package command

// Closest returns the word of a list that a misspelled word may have meant, or "" when none is close: one typo away, or
// two for a word of more than four letters.
func Closest(word string, words []string) string {
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

// editDistance counts the insertions, deletions, replacements and swaps of neighbouring bytes that turn one word into
// another (optimal string alignment). It is 20 for words longer than 20 bytes.
func editDistance(a, b string) int {
	if len(a) > 20 || len(b) > 20 {
		return 20
	}
	var d [21][21]int
	for i := range len(a) + 1 {
		for j := range len(b) + 1 {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			case a[i-1] == b[j-1]:
				d[i][j] = d[i-1][j-1]
			default:
				d[i][j] = 1 + min(d[i-1][j], d[i][j-1], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], 1+d[i-2][j-2])
			}
		}
	}
	return d[len(a)][len(b)]
}
