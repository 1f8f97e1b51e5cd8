package command

// Nearest is the word of a list that somebody may have meant; empty when none is near: one slip of the pen away, in longer
// words two.
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

// editDistance counts letters put in, left out, replaced, or swapped with their neighbour (optimal string alignment), on bytes;
// words longer than 20 are as far as can be.
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
