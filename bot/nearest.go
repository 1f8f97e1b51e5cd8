package bot

// Nearest is the one of the known words that somebody may have meant; empty when none is near.
func Nearest(word string, known []string) string {
	best, distance := "", 3
	for _, k := range known {
		if d := editDistance(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}
