package match

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// What a place must have in common with a block whose context has drifted further than fuzzy allows.
const (
	minSimilarity  = 0.6 // share of common words that makes a line a changed form of another
	minDriftChars  = 4   // characters of the required lines
	minAloneChars  = 20  // characters of one required line if context is missing
	minStrongLines = 3   // required lines with words that need no other context
	minStrongChars = 60  // characters of those
	maxChangedGap  = 16  // lines in which to look for a changed form
)

// maxRunnerUp is how many context lines may match at another place, relative to the best one.
const maxRunnerUp = 0.5

// evidence is what speaks for and against an alignment: lines with words, and not those that are all over the file.
type evidence struct {
	// required are the lines that must be there, chars their characters.
	required, chars int
	// matched are the other context lines that the file has, changed those that it has in a similar form at the same
	// place, missing the rest.
	matched, changed, missing int
}

// isEnough reports whether the place is certain: many required lines are there, or fewer with context that is mostly
// unchanged. elsewhere is the most context lines at a place that has one of those changed or missing: the block may be
// meant for that place.
func (e evidence) isEnough(elsewhere int) bool {
	switch {
	case e.required == 0, e.chars < minDriftChars, float64(elsewhere) > maxRunnerUp*float64(e.matched):
		return false
	case e.isStrong():
		return true
	case e.matched == 0:
		return e.missing == 0 && e.changed > 0
	}
	return e.required > 1 || e.missing == 0 || e.missing <= e.matched && e.chars >= minAloneChars
}

// isStrong reports whether there are so many required lines that they tell the place alone.
func (e evidence) isStrong() bool { return e.required >= minStrongLines && e.chars >= minStrongChars }

// evidence returns the evidence for an alignment.
func (c context) evidence(a alignment) evidence {
	where := c.Index(text.FoldTrimRight, c.find, maxAnchors)
	var e evidence
	for i, s := range c.find {
		switch {
		case c.required[i] && (a.at[i] < 0 || c.file[a.at[i]] != s):
			e.changed++
		case c.required[i]:
			e.chars += text.CharCount(s)
			if text.HasWord(s) {
				e.required++
			}
		case !text.HasWord(s), len(where[s]) > maxAnchors:
		case a.at[i] >= 0:
			e.matched++
		case hasSimilar(c.File, gapAt(a.at, i, len(c.file)), s):
			e.changed++
		default:
			e.missing++
		}
	}
	return e
}

// hasSimilar reports whether one of the lines is a changed form of s.
func hasSimilar(f File, in text.Span, s string) bool {
	return slices.ContainsFunc(f.Lines()[in.From:in.To], func(have string) bool {
		f.Work.Spend((min(len(s), text.MaxWordBytes) + min(len(have), text.MaxWordBytes)) / text.BytesPerWord)
		return !f.Work.UsedUp() && similarity(s, have) >= minSimilarity && !isOtherName(f, s, have)
	})
}

// gapAt returns the lines of the file among which a changed form of line i would be: those between its neighbors, or as
// many as the lines to find have there and two more. There are at most maxChangedGap.
func gapAt(at []int, i, end int) text.Span {
	before, after := i-1, i+1
	for before >= 0 && at[before] < 0 {
		before--
	}
	for after < len(at) && at[after] < 0 {
		after++
	}
	switch {
	case before >= 0 && after < len(at):
		from := at[before] + 1
		return text.Span{From: from, To: min(at[after], from+maxChangedGap)}
	case before >= 0:
		from := at[before] + 1
		return text.Span{From: from, To: min(from+min(i-before+2, maxChangedGap), end)}
	case after < len(at):
		to := at[after]
		return text.Span{From: max(to-min(after-i+2, maxChangedGap), 0), To: to}
	}
	return text.Span{}
}

// similarity returns how many of the words of two lines are common to both: from 0 to 1.
func similarity(a, b string) float64 {
	count := map[string]int{}
	all, common := 0, 0
	for word := range text.LongWords(a) {
		count[word]++
		all++
	}
	for word := range text.LongWords(b) {
		if all++; count[word] > 0 {
			count[word]--
			common++
		}
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(common) / float64(all)
}
