package match

// strict returns the matches at the strictest of the first three levels that has any.
func strict(f File, p Pattern) []Match {
	for _, level := range []func(File, Pattern) []Match{exact, trailingSpace, blankLines} {
		if found := level(f, p); len(found) > 0 {
			return found
		}
	}
	return nil
}
