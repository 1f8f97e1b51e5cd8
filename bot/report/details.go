package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxDetails bounds what the details say of edits that were not made, in characters.
const maxDetails = 20_000

// details fold what is for experts: the engine's words about edits that were not made, the problems of the reply, what
// the model saw, and what the run cost.
func (r Summary) details() string {
	costs := costLine(r.Costs)
	if r.CheckURL != "" {
		costs = strings.TrimSuffix(costs, "</sub>") + " · [check](" + r.CheckURL + ")</sub>"
	}
	return markdown.Fold("Details", markdown.JoinSections([]string{
		r.editDetails(maxDetails), r.undecided(), r.problemList(), contextFold(r.Context, r.Choice, r.Reply.Given, r.Links),
		costs,
	}))
}

// editDetails says what the engine says of each edit, and what those wanted that were not made, as far as there is
// room.
func (r Summary) editDetails(room int) string {
	var kept []string
	if r.does() == merging { // the list has it
		return ""
	}
	for i, row := range r.Results {
		if row.Status.Applied() && (row.Detail == "" || r.does() != editing) {
			continue
		}
		text := r.editDetail(row.NumberAt(i), row)
		if room -= utf8.RuneCountInString(text) + len("\n\n"); room < 0 {
			kept = append(kept, "…")
			break
		}
		kept = append(kept, text)
	}
	return markdown.JoinSections(kept)
}

func (r Summary) editDetail(number int, row record.Result) string {
	text := fmt.Sprintf("%s %d: %s", upperFirst(r.does().noun), number, row.Status)
	if row.Reason != "" {
		text += ", " + markdown.Code(row.Reason)
	}
	if row.Detail != "" {
		text += ". " + markdown.Plain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
	}
	parts := []string{text}
	if len(row.Around) > 0 {
		lines := markdown.Clip(numbered(row.Around, row.AroundLine), maxNearest)
		parts = append(parts, "The file after its edits would have:", markdown.Fenced("text", lines))
	}
	if both := threeWay(row); both != "" {
		return markdown.JoinSections(append(parts, both))
	}
	if len(row.Nearest) > 0 && r.met(row) == "" {
		lines := markdown.Clip(numbered(row.Nearest, row.NearestLine), maxNearest)
		parts = append(parts, "The closest lines in the file:", markdown.Fenced("text", lines))
	}
	if row.Differs > 0 {
		parts[0] += fmt.Sprintf(" (the first difference is in line %s)", humanize.Comma(int64(row.Differs)))
	}
	if diff := r.diff(row); diff != "" && !row.Status.Applied() && r.wantedFold(number, row) == "" {
		parts = append(parts, "The edit:", markdown.Fenced("diff", diff))
	}
	return markdown.JoinSections(parts)
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
