package report

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// maxFolds is how many folds of one kind stand side by side; more than that are put into one.
const maxFolds = 6

// foldRoom is kept for the fold around folds, and for what says how many are missing.
const foldRoom = 400

// folds show what each block changed, and of a failed one what the person can do about it: that first.
func (r Summary) folds(room int) string {
	var failed, applied []string
	for i, row := range r.Results {
		switch {
		case row.Status == engine.Failed.String():
			failed = append(failed, r.failureFold(row.NumberAt(i), row))
		case row.Reason == string(engine.EarlierFailed) && row.Diff != "":
			failed = append(failed, markdown.Fold(title(row.NumberAt(i), row, "not tried"), r.remedy(engine.EarlierFailed)+"\n\n"+markdown.Fenced("diff", row.Diff)))
		case row.Status == engine.Applied.String() && row.Diff != "" && r.Patch.Text == "":
			applied = append(applied, markdown.Fold(title(row.NumberAt(i), row, fmt.Sprintf("+%d −%d", row.Added, row.Removed)), markdown.Fenced("diff", row.Diff)))
		}
	}
	first, room := r.foldList("What to do about", "edits that were not applied", failed, room)
	second, _ := r.foldList("What changed:", "edits", applied, room)
	return markdown.JoinSections([]string{first, second})
}

// foldList shows as many folds as there is room for, and says how many more there are; it returns the room that is left.
func (r Summary) foldList(head, what string, folds []string, room int) (string, int) {
	if len(folds) == 0 {
		return "", room
	}
	var kept []string
	left := room - foldRoom - len(r.elsewhere())
	for _, f := range folds {
		n := utf8.RuneCountInString(f) + len("\n\n")
		if n > left {
			break
		}
		kept, left = append(kept, f), left-n
	}
	if more := len(folds) - len(kept); more > 0 && room > foldRoom {
		kept = append(kept, fmt.Sprintf("… and %d more%s", more, r.elsewhere()))
	}
	text := markdown.JoinSections(kept)
	if len(folds) > maxFolds && text != "" {
		text = markdown.Fold(fmt.Sprintf("%s %d %s", head, len(folds), what), text)
	}
	return text, room - utf8.RuneCountInString(text) - len("\n\n")
}

// title is the line of a fold, in HTML: GitHub takes no Markdown there.
func title(number int, r record.Result, what string) string {
	text := fmt.Sprintf("Edit %d · <code>%s</code>", number, html.EscapeString(markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell))))
	if r.Line > 0 {
		text += fmt.Sprintf(", line %s", markdown.Thousands(r.Line))
	}
	return text + " · " + what
}

// failureFold says what can be done about a failed block, and shows where the file came nearest to it and what it wanted.
func (r Summary) failureFold(number int, failed record.Result) string {
	parts := []string{r.remedy(engine.Reason(failed.Reason))}
	if len(failed.Nearest) > 0 {
		parts = append(parts, "The nearest lines of the file:", markdown.Fenced("text", markdown.Clip(withNumbers(failed.Nearest, failed.NearestLine), 2000)))
	}
	if failed.Differs > 0 {
		parts = append(parts, fmt.Sprintf("The first difference is in line %s. The edit (−) expects something else there than the file (+) has:", markdown.Thousands(failed.Differs)),
			markdown.Fenced("diff", "-"+markdown.Clip(failed.Want, markdown.MaxCell)+"\n+"+markdown.Clip(failed.Have, markdown.MaxCell)))
	}
	if failed.Diff != "" {
		parts = append(parts, "What the edit wanted:", markdown.Fenced("diff", failed.Diff))
	}
	return markdown.Fold(title(number, failed, "what to do"), strings.Join(parts, "\n\n"))
}

// withNumbers puts its number before each line.
func withNumbers(lines []string, from int) string {
	width := len(fmt.Sprint(from + len(lines) - 1))
	var b strings.Builder
	for i, line := range lines {
		fmt.Fprintf(&b, "%*d  %s\n", width, from+i, line)
	}
	return b.String()
}
