package engine

import "fmt"

// explain words why a block found no single place.
func (a *applier) explain(f *file, b Block, s location, res *Result) {
	switch s.reason {
	case Ambiguous:
		for _, n := range s.starts {
			res.MatchLines = append(res.MatchLines, n+1)
		}
		res.fail(refusal{Ambiguous, ambiguous(res.MatchLines)})
		res.MatchLines = res.MatchLines[:min(len(res.MatchLines), maxNamedPlaces)]
		res.Line = res.MatchLines[0]
	case NotFound:
		a.explainMissing(f, b, res)
	default:
		res.fail(refusal{s.reason, sentences[s.reason]})
	}
}

// missing says which part of a block is missing: its anchor, what follows it, or what follows that.
func (a *applier) explainMissing(f *file, b Block, res *Result) {
	reason := NotFound
	keys := f.text.lineKeys(keyTrimRight)
	has := func(parts ...[]string) bool {
		var lines []string
		for _, p := range parts {
			lines = append(lines, p...)
		}
		return len(lines) > 0 && len(occurrences(keys, keysOf(keyTrimRight, lines))) > 0
	}
	switch {
	case allBlank(b.Anchor) && len(b.Tail) == 0:
	case len(b.Tail) > 0 && has(b.Anchor, b.Old):
		reason = TrailingMismatch
	case !allBlank(b.Anchor) && !has(b.Anchor):
		reason = AnchorNotFound
	case !allBlank(b.Anchor):
		reason = OldMismatch
	}
	res.fail(refusal{reason, sentences[reason]})
	res.ClosestMatch, res.Difference = closestMatch(f.text, b.Find)
	if res.Difference != nil {
		res.Line = res.Difference.Line
		if reason == OldMismatch {
			res.Detail += fmt.Sprintf(" (first difference at line %d)", res.Line)
		}
	}
}
