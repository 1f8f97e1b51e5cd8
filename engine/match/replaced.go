package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Replaced returns the line of the replacement, counted from 0, if the file has it instead of the lines to find.
func (l Location) Replaced() (line int, ok bool) {
	switch l.Reason {
	case block.NotFound:
		return replacedAnywhere(l.file, l.Pattern, l.off)
	case block.Ambiguous, "":
		if line, ok := l.replacedInContext(); ok {
			return line, true
		}
		p := l.Pattern
		if l.Reason == "" {
			p = l.Match.Pattern
		}
		return l.replacedBelow(p)
	}
	return 0, false
}

// replacedBelow returns the line at which a level stricter than that of the location finds the replacement of p. Then
// the place at which the lines to find match is another one, to which only a second application of the block would get.
// A replacement that is a part of the lines to find tells nothing at their own place.
func (l Location) replacedBelow(p Pattern) (line int, ok bool) {
	if l.strictness() <= block.LevelExact || !tells(p) {
		return 0, false
	}
	partial, inverse := isPartOfFind(p), p.inverse(l.file.Work)
	for _, level := range levels {
		if level.level >= l.strictness() {
			break
		}
		if slices.Contains(l.off, level.level) {
			continue
		}
		for _, found := range level.matches(l.file, inverse) {
			if !partial || !found.within(l.Match) {
				return found.First(), true
			}
		}
	}
	return 0, false
}

// replacedInContext returns the line of a change of a block with fuzzy context if it is made already: a line of the
// context that the file has once has there, right next to it, the new lines. What the block matches is another place
// with the old ones.
func (l Location) replacedInContext() (line int, ok bool) {
	if l.Reason != "" || l.strictness() < block.LevelFuzzyContext {
		return 0, false
	}
	p, f := l.Match.Pattern, l.file
	find, replace := text.KeysOf(text.TrimRight, p.Find), text.KeysOf(text.TrimRight, p.Replace)
	file, where := f.Keys(text.TrimRight), f.Index(text.TrimRight, find, 1)
	isAnchor := func(s string) bool { return text.HasWord(s) && len(where[s]) == 1 }
	for _, h := range text.Diff(f.Work, find, replace) {
		put := replace[h.NewFrom:h.NewTo]
		if h.From == h.To || text.AllBlank(put) {
			continue
		}
		if h.From > 0 && isAnchor(find[h.From-1]) {
			if from := where[find[h.From-1]][0] + 1; text.HasAt(file, from, put) {
				return from, true
			}
		}
		if h.To < len(find) && isAnchor(find[h.To]) {
			if from := where[find[h.To]][0] - len(put); text.HasAt(file, from, put) {
				return from, true
			}
		}
	}
	return 0, false
}

// replacedAnywhere returns the line of the replacement if the file has it at one of the levels up to look-alikes, it is
// long enough not to be there by coincidence, and the file lacks one of the lines that the block removes, if it removes
// any.
func replacedAnywhere(f File, p Pattern, off []block.Level) (line int, ok bool) {
	if !isSubstantial(p.Replace) {
		return 0, false
	}
	inverse := p.inverse(f.Work)
	for _, level := range levels {
		if level.level > block.LevelHomoglyph {
			break
		}
		if slices.Contains(off, level.level) {
			continue
		}
		if found := level.matches(f, inverse); len(found) > 0 {
			return found[0].First(), lacksRemoved(f, p, level.level)
		}
	}
	return 0, false
}

// lacksRemoved reports whether the file lacks one of the lines that the block removes, compared as at a level, or the
// block removes none.
func lacksRemoved(f File, p Pattern, level block.Level) bool {
	kind := text.TrimRight
	if level > block.LevelBlankLines {
		kind = text.FoldTrimSpace
	}
	find := text.KeysOf(kind, p.Find)
	where, removes := f.Index(kind, find, 0), false
	for _, h := range p.changes {
		for _, s := range find[h.From:h.To] {
			if !text.IsBlank(s) && len(where[s]) == 0 {
				return true
			}
			removes = removes || !text.IsBlank(s)
		}
	}
	return !removes
}
