package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

const (
	// maxFailures is how many edits that were not made are shown at once; of more, most are folded.
	maxFailures = 3
	// maxAroundDifference is how many lines of a file are shown before and after the first difference.
	maxAroundDifference = 2
	// maxNearest bounds the lines of a file that are shown for a failed block, in characters, maxNearestLines where
	// nothing is known to differ.
	maxNearest, maxNearestLines = 2000, 8
)

// failures says of each edit that was not made why, and what helps, and shows the lines that it met. It returns the
// room that is left.
func (r Summary) failures(room int) (string, int) {
	if r.does() == merging {
		return r.unmerged(room)
	}
	items := r.failedEdits()
	if len(items) == 0 {
		return "", room
	}
	var shown, folded []string
	left := room - foldRoom - utf8.RuneCountInString(r.elsewhere())
	for i, item := range items {
		if size(item) > left {
			break
		}
		left -= size(item)
		if i < maxFailures-1 || len(items) <= maxFailures {
			shown = append(shown, item)
		} else {
			folded = append(folded, item)
		}
	}
	if more := len(items) - len(shown) - len(folded); more > 0 && room > foldRoom {
		folded = append(folded, fmt.Sprintf("… and %d more%s", more, r.elsewhere()))
	}
	if len(folded) > 0 && len(items) > maxFailures {
		n := len(items) - min(len(shown), len(items))
		title := fmt.Sprintf("%d more %s could not be made", n, english.PluralWord(n, r.does().noun, ""))
		folded = []string{markdown.Fold(title, markdown.JoinSections(folded))}
	}
	text := markdown.JoinSections(append(shown, folded...))
	return text, room - size(text)
}

// failedEdits has a section for each edit that was not made, and one for the edits of a file which they break.
func (r Summary) failedEdits() (out []string) {
	files := r.brokenFiles()
	for i, row := range r.Results {
		number := row.NumberAt(i)
		numbers := []int{number}
		if at := slices.IndexFunc(files, func(f brokenFile) bool { return f.path == row.Path && f.refused }); at >= 0 &&
			row.Reason == string(engine.SyntaxError) {
			if numbers = files[at].edits; numbers[0] != number {
				if shown := r.wantedFold(number, row); shown != "" {
					out = append(out, shown)
				}
				continue
			}
		}
		if row.Status.Applied() || needless(row) || row.Reason == string(edit.ReasonHeld) {
			continue
		}
		out = append(out, markdown.JoinSections([]string{
			r.failureSentence(numbers, row), r.met(row), r.wantedFold(number, row),
		}))
	}
	return out
}

// failureSentence says in one sentence why edits of a file were not made, and what helps.
func (r Summary) failureSentence(numbers []int, row record.Result) string {
	what := r.faultAndRemedy(row)
	if len(r.Results) == 1 && row.Number == 0 {
		return r.placeLink(row, markdown.Code) + ": " + what
	}
	name := namedEdits(numbers)
	if noun := r.does().noun; noun != editing.noun {
		name = noun + " " + editList(numbers)
	}
	return fmt.Sprintf("**%s**, %s: %s", upperFirst(name), r.placeLink(row, markdown.Code), what)
}

// faultAndRemedy says in one sentence why an edit was not made, and what helps.
func (r Summary) faultAndRemedy(row record.Result) string {
	text := r.fault(row)
	if helps := r.remedy(row); helps != "" {
		text += "; " + helps
	}
	return strings.TrimSuffix(text, ".") + "."
}

// met shows the lines of the file that an edit met: once, with the first difference marked.
func (r Summary) met(row record.Result) string {
	switch lines := differing(row); {
	case row.Reason == string(engine.SyntaxError):
		return ""
	case len(lines) > 0:
		return markdown.Fenced("diff", markdown.Clip(strings.Join(lines, "\n"), maxNearest))
	case len(row.Nearest) > 0 && len(row.Nearest) <= maxNearestLines:
		return markdown.CodeBlock(markdown.Clip(strings.Join(row.Nearest, "\n"), maxNearest))
	}
	return ""
}

// differing returns the lines of the closest match around the first that differs: that with a plus, and what the edit
// expected there with a minus. There are none if nothing is known to differ.
func differing(row record.Result) (out []string) {
	if row.Differs == 0 {
		return nil
	}
	at := row.Differs - row.NearestLine
	line := func(mark, text string) { out = append(out, mark+markdown.Clip(text, markdown.MaxCell)) }
	for i := max(0, at-maxAroundDifference); i < min(at, len(row.Nearest)); i++ {
		line(" ", row.Nearest[i])
	}
	line("-", row.Want)
	if row.Have != "" || at >= 0 && at < len(row.Nearest) {
		line("+", row.Have)
	}
	for i := max(0, at+1); i < min(at+1+maxAroundDifference, len(row.Nearest)); i++ {
		line(" ", row.Nearest[i])
	}
	return out
}

// wantedFold shows the whole change of an edit that people can still have committed as it is.
func (r Summary) wantedFold(number int, row record.Result) string {
	diff := r.diff(row)
	if diff == "" || row.Reason != string(engine.SyntaxError) && row.Reason != string(engine.NotAsShown) {
		return ""
	}
	return markdown.Fold(fmt.Sprintf("What edit %d would change", number), markdown.Fenced("diff", diff))
}

// placeList lists the lines at which an ambiguous block matches, with links to them.
func (r Summary) placeList(failed record.Result) string {
	sha := cmp.Or(r.SHA, r.Base)
	links := make([]string, 0, len(failed.Places)+1)
	for _, line := range failed.Places {
		link := humanize.Comma(int64(line))
		if sha != "" {
			link = fileLink(link, r.Links, sha, failed.Path, line)
		}
		links = append(links, link)
	}
	if failed.MorePlaces > 0 {
		links = append(links, fmt.Sprintf("%d more", failed.MorePlaces))
	}
	return english.WordSeries(links, "and")
}
