package engine

import (
	"fmt"

	"github.com/tenon-bot/tenon/engine/explain"
	"github.com/tenon-bot/tenon/engine/match"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxListedMatches is how many matches the result of an ambiguous block lists.
const maxListedMatches = 20

// explain sets why the block has no single match in file.
func (res *Result) explain(file *text.Text, l match.Location) {
	switch l.Reason {
	case Ambiguous:
		for _, n := range l.Starts {
			res.MatchLines = append(res.MatchLines, n+1)
		}
		res.fail(refusal{Ambiguous, explain.Ambiguous(res.MatchLines)})
		listed := min(len(res.MatchLines), maxListedMatches)
		res.MatchLines, res.MoreMatches = res.MatchLines[:listed], len(res.MatchLines)-listed
		res.Line = res.MatchLines[0]
	case NotFound:
		res.explainMissing(file)
	default:
		res.fail(refusal{l.Reason, details[l.Reason]})
		res.ClosestMatch, res.Difference = explain.Closest(file, res.Block.Find)
	}
}

// explainMissing sets which part of the block is not in file, and what is there instead.
func (res *Result) explainMissing(file *text.Text) {
	reason := explain.Missing(file, res.Block)
	res.fail(refusal{reason, details[reason]})
	res.ClosestMatch, res.Difference = explain.Closest(file, res.Block.Find)
	if file.Work.UsedUp() {
		res.ClosestMatch, res.Difference = nil, nil
		res.fail(tooMuchWork)
	}
	if res.Difference != nil {
		res.Line = res.Difference.Line
		if reason == OldMismatch {
			res.Detail += fmt.Sprintf(" (first difference at line %d)", res.Line)
		}
	}
}

// showPlace shows the place where a block matches that is refused anyway.
func (res *Result) showPlace(file *text.Text, l match.Location) {
	find := l.Pattern.Find
	missing := 0 // lines of find after the blank ones at its start that the file lacks
	for i := text.FirstNonBlank(find); i < len(l.Match.At) && l.Match.At[i] < 0; i++ {
		missing++
	}
	res.ClosestMatch, res.Difference = explain.Excerpt(file, text.TrimBlank(find), l.Match.First()-missing)
	if res.Line == 0 {
		res.Line = l.Match.First() + 1
	}
}
