package conflicts

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

// Class is what kind of choice settles a conflict as a person did.
type Class string

// The classes, in the order in which they are tried.
const (
	// Ours, Theirs, OursTheirs, TheirsOurs and Base: whole sides.
	Ours       Class = "ours"
	Theirs     Class = "theirs"
	OursTheirs Class = "ours, theirs"
	TheirsOurs Class = "theirs, ours"
	Base       Class = "base"
	// None: nothing is left.
	None Class = "none"
	// Lines: lines of the sides.
	Lines Class = "lines"
	// New: a text, some of whose lines no side has.
	New Class = "new"
)

// Classes returns all classes.
func Classes() []Class {
	return []Class{Ours, Theirs, OursTheirs, TheirsOurs, Base, None, Lines, New}
}

// chosen returns the choice that settles a conflict as a person did. last reports whether nothing follows it in its
// file.
func chosen(s merge.Sides, person []string, last bool) (choice.Choice, Class) {
	for _, whole := range []struct {
		class   Class
		origins []choice.Origin
	}{
		{Ours, []choice.Origin{choice.Ours}},
		{Theirs, []choice.Origin{choice.Theirs}},
		{OursTheirs, []choice.Origin{choice.Ours, choice.Theirs}},
		{TheirsOurs, []choice.Origin{choice.Theirs, choice.Ours}},
		{Base, []choice.Origin{choice.Base}},
	} {
		c := choice.Sides(whole.origins...)
		if gives(c, s, person, last) {
			return c, whole.class
		}
	}
	if len(person) == 0 {
		return choice.Of(), None
	}
	if take := selection(s, person); take != nil {
		if c := choice.Of(take...); gives(c, s, person, last) {
			return c, Lines
		}
	}
	return choice.Text(strings.Join(person, "")), New
}

// gives reports whether a choice settles a conflict as a person did, byte for byte.
func gives(c choice.Choice, s merge.Sides, person []string, last bool) bool {
	lines, err := c.Settle(s, last)
	return err == nil && joined(lines) == strings.Join(person, "")
}

func joined(lines []choice.Line) string {
	var out strings.Builder
	for _, line := range lines {
		out.WriteString(line.Text)
	}
	return out.String()
}

// selection returns lines of the sides that are a person's, or nil. It goes on with the side that it is in if it can,
// so that the lines are in few runs, and takes a line again only if the sides have it no more often.
func selection(s merge.Sides, person []string) []choice.Take {
	sides := []struct {
		origin choice.Origin
		lines  []string
	}{{choice.Ours, s.Ours}, {choice.Theirs, s.Theirs}, {choice.Base, s.Base}}
	type place struct{ side, line int }
	all, free := map[string][]place{}, map[string][]place{}
	for i, side := range sides {
		for n, line := range side.lines {
			all[line], free[line] = append(all[line], place{i, n}), append(free[line], place{i, n})
		}
	}
	var take []choice.Take
	at := place{-1, -1}
	for _, line := range person {
		places := free[line]
		if len(places) == 0 {
			places = all[line]
		}
		if len(places) == 0 {
			return nil
		}
		next := max(0, slices.Index(places, place{at.side, at.line + 1}))
		at = places[next]
		free[line] = slices.Delete(slices.Clone(places), next, next+1)
		origin := sides[at.side].origin
		if n := len(take) - 1; n >= 0 && take[n].Origin == origin && take[n].To == at.line {
			take[n].To++
		} else {
			take = append(take, choice.Take{Origin: origin, From: at.line + 1, To: at.line + 1})
		}
	}
	return take
}
