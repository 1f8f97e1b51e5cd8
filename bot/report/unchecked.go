package report

import (
	"fmt"
	"slices"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// uncheckedFiles say which edited files were not checked for syntax, and why, for those of the reasons that count: each
// once, in the order of the results.
func uncheckedFiles(results []record.Result, counts func(reason string) bool) string {
	var files []string
	for _, row := range results {
		if !row.Status.Applied() || !counts(row.Unchecked) {
			continue
		}
		name := markdown.Code(markdown.Clip(row.Path, markdown.MaxCell))
		if text := fmt.Sprintf("%s (%s)", name, edit.UncheckedWords(row.Unchecked)); !slices.Contains(files, text) {
			files = append(files, text)
		}
	}
	if more := len(files) - maxBroken; more > 0 {
		files = append(files[:maxBroken], fmt.Sprintf("%d more %s", more, english.PluralWord(more, "file", "")))
	}
	if len(files) == 0 {
		return ""
	}
	return english.WordSeries(files, "and") + "."
}

// beyondBounds says which edited files were not checked for syntax because they, or the work for that, are beyond a
// bound.
func (r Summary) beyondBounds() string {
	if files := uncheckedFiles(r.Results, edit.BeyondBounds); files != "" {
		return "⚠️ **Not checked for syntax:** " + files
	}
	return ""
}

// undecided says of which edited files it is not known whether they parse, although there is a parser that read them.
func (r Summary) undecided() string {
	files := uncheckedFiles(r.Results, func(reason string) bool {
		return edit.HasParser(reason) && !edit.BeyondBounds(reason)
	})
	if files == "" {
		return ""
	}
	return "Not checked for syntax: " + files
}
