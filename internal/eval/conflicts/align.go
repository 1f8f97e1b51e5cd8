package conflicts

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// contextLines is how many merged lines on each side of a conflict must be in the person's file, one after the other,
// for the conflict to be located there; fewer if fewer are between it and the next one, or an end of the file.
const contextLines = 3

// located is the lines of a person's file that are in the place of a conflict; not ok if they cannot be told.
type located struct {
	lines []string
	ok    bool
}

// locate returns what a person's file has in place of each conflict. It compares the file with the merged text with all
// conflicts settled by ours, by theirs, by both and by nothing, and takes what locates the most conflicts; of several,
// what makes the fewest lines that no side has.
func locate(pieces []merge.Piece, person []string) []located {
	settled := []func(merge.Sides) []string{
		func(s merge.Sides) []string { return s.Ours },
		func(s merge.Sides) []string { return s.Theirs },
		func(s merge.Sides) []string { return slices.Concat(s.Ours, s.Theirs) },
		func(merge.Sides) []string { return nil },
	}
	var best []located
	most, fewest := -1, 0
	for _, settle := range settled {
		found := locateBy(pieces, person, settle)
		n, foreign := 0, 0
		for i, c := range conflictsOf(pieces) {
			if found[i].ok {
				n++
				foreign += newLines(c, found[i].lines)
			}
		}
		if n > most || n == most && foreign < fewest {
			best, most, fewest = found, n, foreign
		}
	}
	return best
}

func conflictsOf(pieces []merge.Piece) []merge.Sides {
	var out []merge.Sides
	for _, p := range pieces {
		if p.Conflict != nil {
			out = append(out, *p.Conflict)
		}
	}
	return out
}

// newLines returns how many lines no side has.
func newLines(s merge.Sides, lines []string) int {
	n := 0
	for _, line := range lines {
		if !slices.Contains(s.Ours, line) && !slices.Contains(s.Theirs, line) && !slices.Contains(s.Base, line) {
			n++
		}
	}
	return n
}

// locateBy locates conflicts in a person's file by the merged text with all conflicts settled.
func locateBy(pieces []merge.Piece, person []string, settle func(merge.Sides) []string) []located {
	var whole []string
	var places []text.Span
	for _, p := range pieces {
		if p.Conflict == nil {
			whole = append(whole, p.Lines...)
			continue
		}
		from := len(whole)
		whole = append(whole, settle(*p.Conflict)...)
		places = append(places, text.Span{From: from, To: len(whole)})
	}
	at := partners(whole, person)
	out := make([]located, len(places))
	for i, place := range places {
		above, below := 0, len(whole)
		if i > 0 {
			above = places[i-1].To
		}
		if i+1 < len(places) {
			below = places[i+1].From
		}
		above, below = max(above, place.From-contextLines), min(below, place.To+contextLines)
		from, fromOK := 0, place.From == 0
		if place.From > above {
			from, fromOK = at[place.From-1]+1, together(at[above:place.From])
		}
		to, toOK := len(person), place.To == len(whole)
		if below > place.To {
			to, toOK = at[place.To], together(at[place.To:below])
		}
		if fromOK && toOK && from <= to {
			out[i] = located{person[from:to], true}
		}
	}
	return out
}

// together reports whether lines have partners, one after the other.
func together(at []int) bool {
	for i, n := range at {
		if n < 0 || n != at[0]+i {
			return false
		}
	}
	return true
}

// partners returns where each line is in another text, or -1.
func partners(lines, other []string) []int {
	out := make([]int, len(lines))
	i, j := 0, 0
	hunks := text.Diff(meter.Of(meter.Default), lines, other)
	for _, h := range append(hunks, text.Hunk{From: len(lines), To: len(lines), NewFrom: len(other), NewTo: len(other)}) {
		for ; i < h.From; i, j = i+1, j+1 {
			out[i] = j
		}
		for ; i < h.To; i++ {
			out[i] = -1
		}
		j = h.NewTo
	}
	return out
}
