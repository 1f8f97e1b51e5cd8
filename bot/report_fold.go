package bot

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
)

// maxFolds is how many folds of one kind stand side by side; more than that are put into one.
const maxFolds = 6

// foldRoom is kept for the fold around folds, and for what says how many are missing.
const foldRoom = 400

// folds show what each block changed, and of a failed one what the person can do about it: that first.
func (r summary) folds(room int) string {
	var failed, applied []string
	for i, row := range r.Results {
		switch {
		case row.Status == engine.Failed.String():
			failed = append(failed, r.failureFold(row.numberAt(i), row))
		case row.Reason == string(engine.EarlierFailed) && row.Diff != "":
			failed = append(failed, fold(title(row.numberAt(i), row, "not tried"), r.remedy(engine.EarlierFailed)+"\n\n"+fenced("diff", row.Diff)))
		case row.Status == engine.Applied.String() && row.Diff != "" && r.Patch.Text == "":
			applied = append(applied, fold(title(row.numberAt(i), row, fmt.Sprintf("+%d −%d", row.Added, row.Removed)), fenced("diff", row.Diff)))
		}
	}
	first, room := r.foldList("What to do about", "edits that were not applied", failed, room)
	second, _ := r.foldList("What changed:", "edits", applied, room)
	return joinSections([]string{first, second})
}

// foldList shows as many folds as there is room for, and says how many more there are; it returns the room that is left.
func (r summary) foldList(head, what string, folds []string, room int) (string, int) {
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
	text := joinSections(kept)
	if len(folds) > maxFolds && text != "" {
		text = fold(fmt.Sprintf("%s %d %s", head, len(folds), what), text)
	}
	return text, room - utf8.RuneCountInString(text) - len("\n\n")
}

// title is the line of a fold, in HTML: GitHub takes no Markdown there.
func title(number int, r row, what string) string {
	text := fmt.Sprintf("Edit %d · <code>%s</code>", number, html.EscapeString(oneLine(clip(r.Path, maxCell))))
	if r.Line > 0 {
		text += fmt.Sprintf(", line %s", thousands(r.Line))
	}
	return text + " · " + what
}

func fold(title, text string) string {
	return fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n\n</details>", title, text)
}

// failureFold says what can be done about a failed block, and shows where the file came nearest to it and what it wanted.
func (r summary) failureFold(number int, failed row) string {
	parts := []string{r.remedy(engine.Reason(failed.Reason))}
	if len(failed.Nearest) > 0 {
		parts = append(parts, "The nearest lines of the file:", fenced("text", clip(withNumbers(failed.Nearest, failed.NearestLine), 2000)))
	}
	if failed.Differs > 0 {
		parts = append(parts, fmt.Sprintf("The first difference is in line %s. The edit (−) expects something else there than the file (+) has:", thousands(failed.Differs)),
			fenced("diff", "-"+clip(failed.Want, maxCell)+"\n+"+clip(failed.Have, maxCell)))
	}
	if failed.Diff != "" {
		parts = append(parts, "What the edit wanted:", fenced("diff", failed.Diff))
	}
	return fold(title(number, failed, "what to do"), strings.Join(parts, "\n\n"))
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
