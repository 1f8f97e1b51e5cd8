package engine

// maxPieces bounds how often a block may leave something out.
const maxPieces = 20

// elisionPlaces forgives lines left out in the middle: "..." or a comment with it, alone on a line, as often in find as in
// put. Every piece between them must fit at one place only, and in order; what lies between the pieces stays as it is.
func elisionPlaces(f fit) []place {
	find, put := pieces(f.find), pieces(f.put)
	if !f.substantial() || len(find) < 2 || len(find) > maxPieces || len(find) != len(put) {
		return nil
	}
	whole := place{fit: f}
	for i := range find {
		p, ok := fit{file: f.file, find: find[i], put: put[i]}.piece()
		if !ok || len(p.at) > 0 && len(whole.at) > 0 && p.first() <= whole.last() {
			return nil
		}
		if p.doubt != "" {
			whole.doubt = p.doubt
		}
		whole.at = append(whole.at, p.at...)
		whole.edits = append(whole.edits, p.edits...)
	}
	if len(whole.at) == 0 {
		return nil
	}
	return []place{whole}
}

// piece fits one piece; ok is false unless exactly one place does. A piece of nothing but blank lines must stay as it is.
func (f fit) piece() (p place, ok bool) {
	if allBlank(f.find) {
		return place{}, allBlank(f.put)
	}
	for _, places := range []func(fit) []place{exactPlaces, trailingPlaces, blankPlaces} {
		if found := places(f); len(found) > 0 {
			return found[0], len(found) == 1
		}
	}
	return place{}, false
}

// pieces cuts lines at those that stand for something left out.
func pieces(lines []string) [][]string {
	var all [][]string
	start := 0
	for i, s := range lines {
		if isElision(s) {
			all = append(all, lines[start:i])
			start = i + 1
		}
	}
	return append(all, lines[start:])
}

func isElision(s string) bool {
	inner, _ := uncomment(s)
	return inner == "..." || inner == "…" || isPlaceholder(s)
}
