package engine

// matchBlankLinesAt returns the match in which find is at the given lines of the file but for blank lines. If it is not
// certain how the block changes them, those that only find has are left out.
func (m matcher) matchBlankLinesAt(at []int) match {
	found := m.matchAt(at, keyTrimRight, asWritten)
	if found.ambiguity == "" {
		return found
	}
	if plain, left := m.withoutStrayBlanks(at); len(left) < len(at) {
		return plain.matchAt(left, keyTrimRight, asWritten)
	}
	return found
}

// neighborPair are two lines with only blank lines between them. One of them is empty at an edge.
type neighborPair struct{ before, after string }

// withoutStrayBlanks returns m without those blank lines of find that the file lacks, where the replacement has as many
// blank lines between the same two lines as the file: they are no part of the change, and no line of the replacement
// is one of them. It also returns the lines of the file for the lines that are left.
func (m matcher) withoutStrayBlanks(at []int) (plain matcher, left []int) {
	wanted := m.blanksOfReplacement()
	plain = m
	plain.find = nil
	before, beforeAt := "", -1
	for i := 0; i < len(at); {
		end := i
		for end < len(at) && isBlank(m.find[end]) {
			end++
		}
		after, afterAt := "", -1
		if end < len(at) {
			after, afterAt = trimTrailing(m.find[end]), at[end]
		}
		blanks, ok := wanted[neighborPair{before, after}]
		agrees := ok && blanks == 0
		if beforeAt >= 0 && afterAt >= 0 {
			agrees = ok && blanks == afterAt-beforeAt-1
		}
		for ; i < end; i++ {
			if at[i] >= 0 || !agrees {
				plain.find, left = append(plain.find, m.find[i]), append(left, at[i])
			}
		}
		if end < len(at) {
			plain.find, left = append(plain.find, m.find[end]), append(left, at[end])
		}
		before, beforeAt, i = after, afterAt, end+1
	}
	return plain, left
}

// blanksOfReplacement returns how many blank lines the replacement has between each two of its other lines, and at its
// edges; -1 if there are different numbers between two that it has more than once.
func (m matcher) blanksOfReplacement() map[neighborPair]int {
	m.file.work.spend(len(m.find) + len(m.repl))
	counts := map[neighborPair]int{}
	before, blanks := "", 0
	add := func(after string) {
		pair := neighborPair{before, after}
		if n, ok := counts[pair]; ok && n != blanks {
			blanks = -1
		}
		counts[pair] = blanks
		before, blanks = after, 0
	}
	for _, s := range m.repl {
		if isBlank(s) {
			blanks++
		} else {
			add(trimTrailing(s))
		}
	}
	add("")
	return counts
}
