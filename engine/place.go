package engine

import "slices"

// fit is one reading of a block, to be fitted into a file.
type matcher struct {
	file      *text
	find, put []string
}

// edit replaces the file's lines [from,to) by put.
type edit struct {
	from, to int
	repl      []string
}

// place is where a block fits, and what it does there.
type match struct {
	// fit is the reading that fits: the block's, less what the level forgives.
	matcher matcher
	// at holds the file's line for each line of find, -1 for a blank line that the file does not have.
	at    []int
	edits []edit
	// doubt says why it is not sure what to do at this place, although the place itself is.
	ambiguity string
}

// first returns the file's first line that find covers.
func (p match) firstLine() int {
	for _, n := range p.at {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// last returns the file's last line that find covers.
func (p match) lastLine() int {
	for _, n := range slices.Backward(p.at) {
		if n >= 0 {
			return n
		}
	}
	return 0
}

// maxPlaces bounds how many places are told apart: an answer names five, and knows that there are more.
const maxMatches = 6

// occurrences returns where find stands in file, overlaps counted, at most maxPlaces of them. It is linear in both for any
// input (Knuth, Morris, Pratt): neither a file nor a block of equal lines makes it slow.
func occurrences(file, find []string) []int {
	if len(find) == 0 || len(find) > len(file) {
		return nil
	}
	table := failureTable(find)
	var starts []int
	n := 0
	for i, s := range file {
		for n > 0 && (n == len(find) || find[n] != s) {
			n = table[n-1]
		}
		if find[n] == s {
			n++
		}
		if n == len(find) {
			if starts = append(starts, i-n+1); len(starts) == maxMatches {
				break
			}
			if n = table[n-1]; n == len(find) {
				n = 0
			}
		}
	}
	return starts
}

// borders returns, for each prefix of find, the length of its longest proper prefix that is its suffix as well.
func failureTable(find []string) []int {
	table := make([]int, len(find))
	n := 0
	for i := 1; i < len(find); i++ {
		for n > 0 && find[n] != find[i] {
			n = table[n-1]
		}
		if find[n] == find[i] {
			n++
		}
		table[i] = n
	}
	return table
}

// run returns the lines start, start+1, … that n lines of find stand for.
func lineRange(start, n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = start + i
	}
	return at
}
