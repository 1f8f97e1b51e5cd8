package engine

// blankPlaces forgives blank lines: those around find, and how many there are between its lines.
func blankPlaces(f fit) []place {
	var places []place
	for _, at := range f.spread(keyTrailing) {
		places = append(places, f.place(at, keyTrailing, asWritten))
	}
	return places
}

// spread finds where find's non-blank lines stand in the file with nothing but blank lines between them, and pairs the blank
// lines in between as far as both have them.
func (f fit) spread(kind keyKind) [][]int {
	solid, _ := solidLines(keysOf(kind, f.find))
	file, index := solidLines(f.file.lineKeys(kind))
	var all [][]int
	for _, start := range occurrences(file, solid) {
		all = append(all, f.pairBlanks(index[start:start+len(solid)]))
	}
	return all
}

// solidLines returns the lines that are not blank, and where they were.
func solidLines(keys []string) (solid []string, index []int) {
	solid, index = make([]string, 0, len(keys)), make([]int, 0, len(keys))
	for i, s := range keys {
		if !isBlank(s) {
			solid, index = append(solid, s), append(index, i)
		}
	}
	return solid, index
}

// pairBlanks gives each line of find its line of the file, when its non-blank lines are the file's lines solid.
func (f fit) pairBlanks(solid []int) []int {
	at := make([]int, len(f.find))
	n := 0
	for i, s := range f.find {
		if at[i] = -1; !isBlank(s) {
			at[i] = solid[n]
			n++
		}
	}
	lead := 0
	for lead < len(at) && at[lead] < 0 {
		lead++
	}
	for i := lead - 1; i >= 0; i-- { // blank lines before the first line pair up backwards
		if n := at[i+1] - 1; at[i+1] > 0 && isBlank(f.file.lines[n].text) {
			at[i] = n
		} else {
			break
		}
	}
	for i := lead + 1; i < len(at); i++ {
		if n := at[i-1] + 1; at[i] < 0 && at[i-1] >= 0 && n < len(f.file.lines) && isBlank(f.file.lines[n].text) {
			at[i] = n
		}
	}
	return at
}
