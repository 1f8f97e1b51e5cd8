package bot

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// words shows what the model said where it made no edit: that is its answer.
func (r summary) words() string {
	text := strings.TrimSpace(r.Reply.Prose)
	if r.Reply.NoChange {
		text = strings.TrimLeft(strings.TrimPrefix(text, "NO CHANGE"), ":. \n")
	}
	if len(r.Results) > 0 || text == "" {
		return ""
	}
	return "The model said:\n\n" + quoted(safeMarkdown(text, maxProse, codeSpan))
}

// explanation is what the model said beside its edits, but for the lines that are meant for tenon. Of an answer that was cut
// off, that may be half an edit; and code alone is what the suggestions show.
func (r summary) explanation() string {
	if len(r.Results) == 0 || r.Reply.Cut {
		return ""
	}
	var kept strings.Builder
	for line := range strings.Lines(r.Reply.Prose) {
		if text := strings.TrimSpace(line); !strings.HasPrefix(text, "COMMIT:") && !strings.HasPrefix(text, "NEED:") {
			kept.WriteString(line)
		}
	}
	text := safeMarkdown(kept.String(), maxProse, codeSpan)
	if text == "" || strings.HasPrefix(text, "```") {
		return ""
	}
	return fold("What the model said", text)
}

// quoted makes a quotation of Markdown.
func quoted(md string) string {
	lines := strings.Split(md, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("> "+line, " ")
	}
	return strings.Join(lines, "\n")
}

// suggestionList numbers the commands that the model suggests as `run` counts them, and marks those that it carries out.
func (r summary) suggestionList() string {
	list := r.Reply.Suggestions
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	marked := 0
	for i, s := range list[:min(len(list), maxListed)] {
		fmt.Fprintf(&b, "\n%d. %s", i+1, codeSpan(clip(s.Command, maxCell)))
		if s.Op != nil && r.offers("run") {
			fmt.Fprintf(&b, " → `/tenon run %d`", i+1)
			marked++
		}
	}
	head := "**Suggested commands** (tenon runs none of them):\n"
	if marked > 0 {
		head = "**Suggested commands** (tenon runs none by itself, and on demand only those with a `/tenon run`):\n"
	}
	return head + b.String() + andMore(len(list))
}

func (r summary) problemList() string {
	var b strings.Builder
	list := r.Reply.Problems
	for _, p := range list[:min(len(list), maxListed)] {
		b.WriteString("\n- " + problemText(p))
	}
	b.WriteString(andMore(len(list)))
	if r.Reply.Cut {
		b.WriteString("\n- The model's reply was cut off. Ask for less at once, or raise the model's limit.")
	}
	if r.Reply.Fault != "" {
		b.WriteString("\n- The model could not be asked again. " + clip(r.Reply.Fault, maxReason))
	}
	if b.Len() == 0 {
		return ""
	}
	return "**Problems of the reply**:\n" + b.String()
}

func problemText(p engine.Problem) string {
	text := plain(clip(p.Text, maxCell), "")
	if p.Line > 0 && !strings.Contains(p.Text, fmt.Sprintf("line %d", p.Line)) {
		text += fmt.Sprintf(" (line %d of the reply)", p.Line)
	}
	return text
}

func andMore(n int) string {
	if n <= maxListed {
		return ""
	}
	return fmt.Sprintf("\n- … and %d more", n-maxListed)
}
