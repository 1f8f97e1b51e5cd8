package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// contextFold tells, folded away, what the model was shown, of which files only a part, and what was left out.
func contextFold(q record.Prompt) string {
	if len(q.Files)+len(q.LeftOut) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s</summary>\n", contextSummary(q))
	for _, f := range q.Files[:min(len(q.Files), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n- %s%s: %s", markdown.Code(markdown.Clip(f.Path, markdown.MaxCell)), partWords(f), f.Why)
		if secrets := q.ReadOnly[f.Path]; secrets != "" {
			fmt.Fprintf(&b, "; shown without the secrets in it (%s), and not to be edited", secrets)
		}
	}
	b.WriteString(andMore(len(q.Files)))
	for _, l := range q.LeftOut[:min(len(q.LeftOut), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n- %s: left out, %s", markdown.Code(markdown.Clip(l.Path, markdown.MaxCell)), l.Why)
	}
	b.WriteString(andMore(len(q.LeftOut)))
	return b.String() + "\n\n</details>"
}

func contextSummary(q record.Prompt) string {
	text := fmt.Sprintf("The model saw %d %s", len(q.Files), markdown.Plural(len(q.Files), "file"))
	parts := 0
	for _, f := range q.Files {
		parts += min(len(f.Parts), 1)
	}
	if parts > 0 {
		text += fmt.Sprintf(", %d in part", parts)
	}
	if n := len(q.LeftOut); n > 0 {
		text += fmt.Sprintf("; %d %s left out", n, markdown.Plural(n, "name"))
	}
	return text
}

// partWords says which lines of a file were shown; nothing when all were.
func partWords(f retrieve.ShownFile) string {
	var parts []string
	for _, p := range f.Parts {
		parts = append(parts, fmt.Sprintf("%d–%d", p.From, p.To))
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(", lines %s of %s", strings.Join(parts, ", "), markdown.Thousands(f.Lines))
}
