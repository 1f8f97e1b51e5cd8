package report

import (
	"cmp"
	"fmt"
	"html"
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
	// maxFolds is how many folds of one kind are side by side; more than that are put into another fold.
	maxFolds = 6
	// foldRoom is kept for the fold around folds, and for saying how many are missing, in characters.
	foldRoom = 400
	// maxNearest bounds the lines of a file that are shown for a failed block, in characters.
	maxNearest = 2000
)

// folds show first what can be done about the blocks that failed, then what the others changed.
func (r Summary) folds(room int) string {
	var failed, applied []string
	for i, row := range r.Results {
		number := row.NumberAt(i)
		switch {
		case row.Status.Failed():
			failed = append(failed, r.failureFold(number, row))
		case row.Reason == string(engine.EarlierFailed) && row.Diff != "":
			text := r.remedy(engine.EarlierFailed) + "\n\n" + markdown.Fenced("diff", row.Diff)
			failed = append(failed, markdown.Fold(foldTitle(number, row, "not tried"), text))
		case row.Status.Applied() && row.Diff != "" && r.Patch.Text == "":
			title := foldTitle(number, row, fmt.Sprintf("+%d −%d", row.Added, row.Removed))
			applied = append(applied, markdown.Fold(title, markdown.Fenced("diff", row.Diff)))
		}
	}
	first, room := r.foldList("What to do about", "edits that were not applied", failed, room)
	second, _ := r.foldList("What changed:", "edits", applied, room)
	return markdown.JoinSections([]string{first, second})
}

// foldList shows as many folds as there is room for, and says how many more there are. It returns the room that is
// left.
func (r Summary) foldList(head, what string, folds []string, room int) (string, int) {
	if len(folds) == 0 {
		return "", room
	}
	var kept []string
	left := room - foldRoom - utf8.RuneCountInString(r.elsewhere())
	for _, f := range folds {
		if size(f) > left {
			break
		}
		kept, left = append(kept, f), left-size(f)
	}
	if more := len(folds) - len(kept); more > 0 && room > foldRoom {
		kept = append(kept, fmt.Sprintf("… and %d more%s", more, r.elsewhere()))
	}
	text := markdown.JoinSections(kept)
	if len(folds) > maxFolds && text != "" {
		text = markdown.Fold(fmt.Sprintf("%s %d %s", head, len(folds), what), text)
	}
	return text, room - size(text)
}

// foldTitle is the line of a block's fold, in HTML: GitHub renders no Markdown there.
func foldTitle(number int, r record.Result, what string) string {
	path := html.EscapeString(markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell)))
	text := fmt.Sprintf("Edit %d · <code>%s</code>", number, path)
	if r.Line > 0 {
		text += fmt.Sprintf(", line %s", humanize.Comma(int64(r.Line)))
	}
	return text + " · " + what
}

// failureFold says what can be done about a failed block, and shows the most similar lines of the file and what the
// block says.
func (r Summary) failureFold(number int, failed record.Result) string {
	nearest, wanted := "The nearest lines of the file:", "What the edit wanted:"
	switch engine.Reason(failed.Reason) {
	case engine.Conflict:
		nearest, wanted = "The lines as they are now:", "What the edit wanted, in the lines that the model saw:"
	case edit.ReasonOverlap:
		nearest, wanted = "The lines as they are now:", "What the undo wanted, in the lines that the commit left:"
	}
	parts := []string{r.remedy(engine.Reason(failed.Reason))}
	if failed.Reason == string(engine.SyntaxError) {
		parts[0] = r.syntaxRemedy(failed)
	}
	if len(failed.Around) > 0 {
		lines := markdown.Clip(numbered(failed.Around, failed.AroundLine), maxNearest)
		parts = append(parts, "The file after its edits would have:", markdown.Fenced("text", lines))
	}
	if len(failed.Places) > 0 {
		parts = append(parts, "It matches at lines "+r.placeList(failed)+".")
	}
	if len(failed.Nearest) > 0 {
		lines := markdown.Clip(numbered(failed.Nearest, failed.NearestLine), maxNearest)
		parts = append(parts, nearest, markdown.Fenced("text", lines))
	}
	if failed.Differs > 0 {
		want, have := markdown.Clip(failed.Want, markdown.MaxCell), markdown.Clip(failed.Have, markdown.MaxCell)
		parts = append(parts,
			fmt.Sprintf("The first difference is in line %s. "+
				"The edit (−) expects something else there than the file (+) has:", humanize.Comma(int64(failed.Differs))),
			markdown.Fenced("diff", "-"+want+"\n+"+have))
	}
	if failed.Diff != "" {
		parts = append(parts, wanted, markdown.Fenced("diff", failed.Diff))
	}
	return markdown.Fold(foldTitle(number, failed, "what to do"), strings.Join(parts, "\n\n"))
}

// placeList lists the lines at which an ambiguous block matches, with links to them.
func (r Summary) placeList(failed record.Result) string {
	sha := cmp.Or(r.SHA, r.Base)
	links := make([]string, 0, len(failed.Places)+1)
	for _, line := range failed.Places {
		link := humanize.Comma(int64(line))
		if sha != "" {
			link = fileLink(link, r.RepoURL, sha, failed.Path, line)
		}
		links = append(links, link)
	}
	if failed.MorePlaces > 0 {
		links = append(links, fmt.Sprintf("%d more", failed.MorePlaces))
	}
	return english.WordSeries(links, "and")
}

// numbered puts its number before each line.
func numbered(lines []string, from int) string {
	width := len(fmt.Sprint(from + len(lines) - 1))
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%*d  %s\n", width, from+i, line)
	}
	return b.String()
}
