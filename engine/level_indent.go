package engine

import (
	"slices"
	"strings"
)

// indentPlaces forgives indentation, where one shift carries every line of find to the file's. The first line alone may have
// lost its indentation, as models often do.
func indentPlaces(f fit) []place { return f.shiftedPlaces(keyBare, keyTrailing) }

// shiftedPlaces finds the places whose lines have the keys bare of find, and one shift of indentation. Keys of the kind full
// tell lines with their indentation apart.
func (f fit) shiftedPlaces(bare, full keyKind) []place {
	if !f.worded() {
		return nil
	}
	var places []place
	for _, at := range f.spread(bare) {
		if s, ok := f.shiftTo(at); ok && f.sameGaps(at) {
			places = append(places, f.shifted(at, s, bare, full))
		}
	}
	return places
}

// sameGaps reports that blank lines stand between the same lines in find and in the file, however many: a block that differs
// in its indentation and in that is too unlike.
func (f fit) sameGaps(at []int) bool {
	prev := -1
	for i, s := range f.find {
		if isBlank(s) {
			continue
		}
		if prev >= 0 && (i-prev > 1) != (at[i]-at[prev] > 1) {
			return false
		}
		prev = i
	}
	return true
}

// shifted settles what the new lines' indentation is, when s carries find's to the file's.
func (f fit) shifted(at []int, s shift, bare, full keyKind) place {
	switch f.putFollows(at, s, bare) {
	case followsFind:
		if f.lostAlone(at) {
			return place{fit: f, at: at, doubt: "one line to find does not tell whether the others lost their indentation as well"}
		}
		return f.place(at, full, f.reindent(s))
	case followsFile:
		return f.asFile(at).place(at, full, asWritten)
	default:
		return place{fit: f, at: at, doubt: "the new lines are indented neither as the lines to find nor as the file"}
	}
}

// asFile is the block with the file's own lines to find, for a put that is written in the file's indentation.
func (f fit) asFile(at []int) fit {
	f.find = slices.Clone(f.find)
	for i, n := range at {
		if n >= 0 {
			f.find[i] = f.file.lines[n].text
		}
	}
	return f
}

// lostAlone reports a find of one line that may have lost its indentation alone: the other lines of put are where new lines
// could be, at or below that line's own, or where the file goes on.
func (f fit) lostAlone(at []int) bool {
	i, j := firstSolid(f.find), firstSolid(f.put)
	if firstSolid(f.find[i+1:]) < len(f.find)-i-1 || j == len(f.put) || trimTrailing(f.put[j]) != trimTrailing(f.find[i]) {
		return false
	}
	least, in := shallowest(f.put[j+1:]), len(indentOf(f.file.lines[at[i]].text))
	if least < 0 || len(indentOf(f.find[i])) >= in {
		return false
	}
	next := at[i] + 1
	for next < len(f.file.lines) && isBlank(f.file.lines[next].text) {
		next++
	}
	return least >= in || next < len(f.file.lines) && len(indentOf(f.file.lines[next].text)) <= least
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
// in the file's own indentation, with a new line that is indented less than all the file has there, could also be find
// wrapped in something, so that it is neither; unless s cannot carry it.
func (f fit) putFollows(at []int, s shift, bare keyKind) follows {
	if s.none() {
		return followsFind
	}
	pairs := f.common(bare)
	if len(pairs) == 0 {
		return f.putStarts(at)
	}
	onlyFind, onlyFile, neither := 0, 0, 0
	for _, p := range pairs {
		in := indentOf(f.put[p.j])
		switch asFind, asFile := in == indentOf(f.find[p.i]), in == indentOf(f.file.lines[at[p.i]].text); {
		case asFind && !asFile:
			onlyFind++
		case asFile && !asFind:
			onlyFile++
		case !asFile:
			neither++
		}
	}
	wrapped := shallowest(f.put) < f.shallowestAt(at)
	switch {
	case onlyFile > 0 && onlyFind+neither == 0 && (!wrapped || !f.carries(s)):
		return followsFile
	case onlyFile == 0 && neither < len(pairs):
		return followsFind
	}
	return followsNeither
}

// carries reports that s can shift every line of put.
func (f fit) carries(s shift) bool {
	in := f.reindent(s)
	for j, line := range f.put {
		if _, ok := in(j, line); !ok {
			return false
		}
	}
	return true
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

// shallowest is the least indentation of any line, in bytes.
func shallowest(lines []string) int {
	least := -1
	for _, s := range lines {
		if n := len(indentOf(s)); !isBlank(s) && (least < 0 || n < least) {
			least = n
		}
	}
	return least
}

// shallowestAt is the least indentation of the file's lines that find stands for.
func (f fit) shallowestAt(at []int) int {
	var lines []string
	for _, n := range at {
		if n >= 0 {
			lines = append(lines, f.file.lines[n].text)
		}
	}
	return shallowest(lines)
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
