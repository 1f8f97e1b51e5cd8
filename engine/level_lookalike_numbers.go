package engine

import (
	"slices"
	"strconv"
	"strings"
)

// numberedPlaces forgives line numbers in front of every line of find, and of put where it has them, as listings show them.
// The numbers must run on. A block that is too small to be sure of fits only where its numbers are the file's.
func numberedPlaces(f fit) []place {
	find, start, ok := cutNumbers(f.find)
	if !ok {
		return nil
	}
	put, ok := f.cutPut(start)
	if !ok {
		return nil
	}
	bare := fit{file: f.file, find: find, put: put}
	for _, places := range []func(fit) []place{exactPlaces, trailingPlaces, blankPlaces, indentPlaces} {
		found := places(bare)
		if len(found) > 0 && !bare.substantial() {
			found = numberedSo(found, start)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// numberedSo keeps the places that begin at the line of that number.
func numberedSo(places []place, number int) []place {
	for _, p := range places {
		if p.first()+1 == number {
			return []place{p}
		}
	}
	return nil
}

// cutNumbers drops the numbers that run on from start; ok is false unless every line has one.
func cutNumbers(lines []string) (cut []string, start int, ok bool) {
	if lines = trimBlank(lines); len(lines) == 0 {
		return nil, 0, false
	}
	cut = make([]string, len(lines))
	for i, s := range lines {
		n, rest, ok := cutNumber(s)
		if i == 0 {
			start = n
		}
		if !ok || n != start+i {
			return nil, 0, false
		}
		cut[i] = rest
	}
	return cut, start, true
}

// cutPut drops the numbers of put when each of its lines has one, from start on and never falling; new lines may repeat or
// skip some. A put that is numbered in part is refused.
func (f fit) cutPut(start int) (cut []string, ok bool) {
	cut = make([]string, len(f.put))
	last, numbered := start, 0
	for i, s := range f.put {
		n, rest, ok := cutNumber(s)
		if ok && n >= last && (i > 0 || n == start) {
			last, numbered = n, numbered+1
		}
		cut[i] = rest
	}
	switch {
	case numbered == len(f.put):
		return cut, true
	case slices.ContainsFunc(f.put, func(s string) bool { return slices.Contains(f.find, s) && !isBlank(s) }):
		return nil, false
	}
	return f.put, true
}

// cutNumber reads "12 | code", "12: code", "12→code" or "12<tab>code".
func cutNumber(s string) (n int, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.Atoi(s[:digits])
	if err != nil {
		return 0, "", false
	}
	rest = s[digits:]
	if tabbed, ok := strings.CutPrefix(rest, "\t"); ok {
		return n, tabbed, true
	}
	for _, sep := range []string{"|", ":", "→", "│"} {
		if after, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), sep); ok {
			return n, strings.TrimPrefix(after, " "), true
		}
	}
	return 0, "", false
}
