package engine

import "strings"

// indentPlaces forgives indentation, where one shift carries every line of find to the file's. The first line alone may have
// lost its indentation, as models often do.
func indentPlaces(f fit) []place {
	if !f.substantial() {
		return nil
	}
	return f.shiftedPlaces(keyBare, keyTrailing)
}

// shiftedPlaces finds the places whose lines have the keys bare of find, and one shift of indentation. Keys of the kind full
// tell lines with their indentation apart.
func (f fit) shiftedPlaces(bare, full keyKind) []place {
	var places []place
	for _, at := range f.spread(bare) {
		if s, ok := f.shiftTo(at); ok {
			places = append(places, f.shifted(at, s, bare, full))
		}
	}
	return places
}

// shifted settles what the new lines' indentation is, when s carries find's to the file's.
func (f fit) shifted(at []int, s shift, bare, full keyKind) place {
	switch f.putFollows(at, s, bare) {
	case followsFind:
		return f.place(at, full, f.reindent(s))
	case followsFile:
		return f.place(at, bare, asWritten)
	default:
		return place{at: at, doubt: "the new lines are indented neither as the lines to find nor as the file"}
	}
}

func trimIndent(s string) string { return strings.TrimLeft(s, " \t") }

func indentOf(s string) string { return s[:len(s)-len(trimIndent(s))] }

// follows says whose indentation put has.
type follows int

const (
	followsNeither follows = iota
	followsFind
	followsFile
)

// putFollows decides it by the lines that put has in common with find: they stand in put as in find, or as in the file. A put
// in the file's own indentation whose new lines are indented less than all it has in common could also be find wrapped in
// something, so that it is neither.
func (f fit) putFollows(at []int, s shift, bare keyKind) follows {
	if s.none() {
		return followsFind
	}
	pairs := f.common(bare)
	if len(pairs) == 0 {
		return f.putStarts(at)
	}
	asFind, asFile, shallow := 0, 0, -1
	for _, p := range pairs {
		in := indentOf(f.put[p.j])
		if in == indentOf(f.find[p.i]) {
			asFind++
		}
		if in == indentOf(f.file.lines[at[p.i]].text) {
			asFile++
		}
		if shallow < 0 || len(in) < shallow {
			shallow = len(in)
		}
	}
	wrapped := f.shallowest() < shallow
	switch {
	case asFile == len(pairs) && asFind < len(pairs) && !wrapped:
		return followsFile
	case asFind > 0 && asFile < len(pairs), asFind == len(pairs):
		return followsFind
	case asFind == 0 && asFile == 0 && wrapped:
		return followsFind
	}
	return followsNeither
}

// putStarts decides it for a put that has nothing in common with find, by its first line.
func (f fit) putStarts(at []int) follows {
	i, j := firstSolid(f.find), firstSolid(f.put)
	switch {
	case j == len(f.put), indentOf(f.put[j]) == indentOf(f.find[i]):
		return followsFind
	case indentOf(f.put[j]) == indentOf(f.file.lines[at[i]].text):
		return followsFile
	}
	return followsNeither
}

func firstSolid(lines []string) int {
	i := 0
	for i < len(lines) && isBlank(lines[i]) {
		i++
	}
	return i
}

// shallowest is the least indentation of any line of put.
func (f fit) shallowest() int {
	least := -1
	for _, s := range f.put {
		if n := len(indentOf(s)); !isBlank(s) && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

type pair struct{ i, j int }

// common pairs the non-blank lines that find and put share.
func (f fit) common(kind keyKind) []pair {
	var pairs []pair
	i, j := 0, 0
	kept := func(to int) {
		for ; i < to; i, j = i+1, j+1 {
			if !isBlank(f.find[i]) {
				pairs = append(pairs, pair{i, j})
			}
		}
	}
	for _, h := range diffLines(keysOf(kind, f.find), keysOf(kind, f.put)) {
		kept(h.f0)
		i, j = h.f1, h.p1
	}
	kept(len(f.find))
	return pairs
}

// reindent applies s to new lines; the first line gets the file's indentation where find's first line had lost it.
func (f fit) reindent(s shift) reindent {
	first, lost := firstSolid(f.put), indentOf(f.find[firstSolid(f.find)])
	return func(j int, line string) (string, bool) {
		if isBlank(line) {
			return line, true
		}
		in := indentOf(line)
		if s.lost && j == first && in == lost {
			return s.first + line[len(in):], true
		}
		out, ok := s.apply(in)
		return out + line[len(in):], ok
	}
}
