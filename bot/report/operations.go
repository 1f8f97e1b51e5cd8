package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// runWords is what came of file operations.
func RunWords(run string, c record.Operations, r Summary) (title, body string) {
	n := record.Count(r.Results)
	title = fmt.Sprintf("Applied %d, failed %d, skipped %d of %d %s", n.Applied, n.Failed, n.Skipped, len(r.Results), markdown.Plural(len(r.Results), "file operation"))
	head := "**" + title + "**"
	if len(r.Changed) > 0 && r.SHA != "" {
		head += fmt.Sprintf(" in %d %s", len(r.Changed), markdown.Plural(len(r.Changed), "file"))
	}
	head += r.landed()
	if why := r.uncommitted(); why != "" {
		head += "\n\n" + why
	}
	foot := RunNote(run)
	if r.SHA != "" {
		foot = "`/tenon undo` takes the commit back.\n\n" + foot
	}
	patch, room := r.patchFold(bodyRoom - len(head) - len(foot))
	return title, markdown.JoinSections([]string{head, operationTable(c, r, room), patch, foot})
}

// operationTable has one row per operation, numbered as in the answer that suggested it.
func operationTable(c record.Operations, r Summary, room int) string {
	var b strings.Builder
	b.WriteString("| # | command | result |\n|--:|---|---|")
	for i, p := range c.Chosen[:min(len(c.Chosen), len(r.Results))] {
		line := fmt.Sprintf("\n| %d | %s | %s |", p.Number, markdown.CellCode(markdown.Clip(p.Command, markdown.MaxCell)), r.resultCell(r.Results[i]))
		if room -= utf8.RuneCountInString(line); room < 100 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
