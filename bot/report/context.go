package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// contextFold says, folded, what the model saw of CI, how many files it chose, which it saw and why, which parts of
// them, what was left out, and what the model's searches found.
func contextFold(q record.Prompt, choice *record.FileChoice, answers []retrieve.Given, repo port.Links) string {
	searches, failed := searchResults(answers), failedChecks(q.CI, repo)
	if len(q.Files)+len(q.LeftOut)+len(searches)+len(failed) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s</summary>\n", contextTitle(q))
	if choice != nil {
		b.WriteString("\n- " + choiceLine(*choice))
	}
	for _, text := range failed {
		b.WriteString("\n- " + text)
	}
	for _, f := range q.Files[:min(len(q.Files), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n- %s%s: %s%s", markdown.Code(markdown.Clip(f.Path, markdown.MaxCell)), shownLines(f), f.Why,
			ranking(f))
		if secrets := q.ReadOnly[f.Path]; secrets != "" {
			fmt.Fprintf(&b, "; shown without the secrets in it (%s), and not to be edited", secrets)
		}
	}
	b.WriteString(andMore(len(q.Files), markdown.MaxListed))
	for _, l := range q.LeftOut[:min(len(q.LeftOut), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n- %s: left out, %s", markdown.Code(markdown.Clip(l.Path, markdown.MaxCell)), l.Why)
	}
	b.WriteString(andMore(len(q.LeftOut), markdown.MaxListed))
	for _, text := range searches {
		b.WriteString("\n- " + text)
	}
	return b.String() + "\n\n</details>"
}

// choiceLine says how many of the offered files the model chose, or why it chose none.
func choiceLine(c record.FileChoice) string {
	offered := fmt.Sprintf("%d offered %s", c.Offered, english.PluralWord(c.Offered, "file", ""))
	paths := map[string]bool{}
	for _, a := range c.Asks() {
		paths[a.Path] = true
	}
	switch {
	case len(paths) > 0:
		return fmt.Sprintf("The model chose %d of %s", len(paths), offered)
	case c.Fault != "":
		return fmt.Sprintf("The model chose none of %s. %s", offered, markdown.Clip(c.Fault, maxReason))
	}
	return fmt.Sprintf("The model chose none of %s: its reply does not name any", offered)
}

func contextTitle(q record.Prompt) string {
	text := fmt.Sprintf("The model saw %d %s", len(q.Files), english.PluralWord(len(q.Files), "file", ""))
	inPart := 0
	for _, f := range q.Files {
		if len(f.Parts) > 0 {
			inPart++
		}
	}
	if inPart > 0 {
		text += fmt.Sprintf(", %d in part", inPart)
	}
	if q.CI != nil && len(q.CI.Failed) > 0 {
		n := len(q.CI.Failed) + q.CI.More
		text += fmt.Sprintf(" and %d failed %s", n, english.PluralWord(n, "check", ""))
	}
	if n := len(q.LeftOut); n > 0 {
		text += fmt.Sprintf("; %d %s left out", n, english.PluralWord(n, "name", ""))
	}
	return text
}

// shownLines says which lines of a file the model saw; nothing for all of them.
func shownLines(f retrieve.ShownFile) string {
	if len(f.Parts) == 0 {
		return ""
	}
	var parts []string
	for _, p := range f.Parts {
		parts = append(parts, fmt.Sprintf("%d–%d", p.From, p.To))
	}
	return fmt.Sprintf(", lines %s of %s", strings.Join(parts, ", "), humanize.Comma(int64(f.Lines)))
}

// ranking returns the score and the rank of a file; nothing for one of a run that did not record them.
func ranking(f retrieve.ShownFile) string {
	switch {
	case f.Rank > 0:
		return fmt.Sprintf(" (score %d, rank %d)", f.Score, f.Rank)
	case f.Score > 0:
		return fmt.Sprintf(" (score %d)", f.Score)
	}
	return ""
}

// searchResults says of each text that the model asked to be found how many lines were shown, or why none were.
func searchResults(answers []retrieve.Given) (out []string) {
	for _, g := range answers {
		if !strings.HasPrefix(g.Ask, retrieve.FindPrefix) {
			continue
		}
		text := fmt.Sprintf("%d of %d %s", g.Hits, g.All, english.PluralWord(g.All, "line", ""))
		if g.Hits == 0 {
			text = g.Why
		}
		out = append(out, markdown.Code(markdown.Clip(g.Ask, markdown.MaxCell))+": "+text)
	}
	return out
}
