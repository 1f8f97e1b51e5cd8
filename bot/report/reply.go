package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// words shows what the model said where it made no edit: that is its answer.
func (r Summary) words() string {
	text := strings.TrimSpace(r.Reply.Prose)
	if r.Reply.NoChange {
		text = strings.TrimLeft(strings.TrimPrefix(text, "NO CHANGE"), ":. \n")
	}
	if len(r.Results) > 0 || text == "" {
		return ""
	}
	return "The model said:\n\n" + markdown.Quoted(markdown.Safe(text, maxProse, markdown.Code))
}

// explanation is what the model said beside its edits, but for the lines that are meant for tenon. Of an answer that was cut
// off, that may be half an edit; and code alone is what the suggestions show.
func (r Summary) explanation() string {
	if len(r.Results) == 0 || r.Reply.Cut {
		return ""
	}
	var kept strings.Builder
	for line := range strings.Lines(r.Reply.Prose) {
		if text := strings.TrimSpace(line); !strings.HasPrefix(text, "COMMIT:") && !strings.HasPrefix(text, "NEED:") {
			kept.WriteString(line)
		}
	}
	text := markdown.Safe(kept.String(), maxProse, markdown.Code)
	if text == "" || strings.HasPrefix(text, "```") {
		return ""
	}
	return markdown.Fold("What the model said", text)
}

// suggestionList numbers the commands that the model suggests as `run` counts them, and marks those that it carries out.
func (r Summary) suggestionList() string {
	list := r.Reply.Suggestions
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	marked := 0
	for i, s := range list[:min(len(list), markdown.MaxListed)] {
		fmt.Fprintf(&b, "\n%d. %s", i+1, markdown.Code(markdown.Clip(s.Command, markdown.MaxCell)))
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

func (r Summary) problemList() string {
	var b strings.Builder
	list := r.Reply.Problems
	for _, p := range list[:min(len(list), markdown.MaxListed)] {
		b.WriteString("\n- " + problemText(p))
	}
	b.WriteString(andMore(len(list)))
	if r.Reply.Cut {
		b.WriteString("\n- The model's reply was cut off. Ask for less at once, or raise the model's limit.")
	}
	if r.Reply.Fault != "" {
		b.WriteString("\n- The model could not be asked again. " + markdown.Clip(r.Reply.Fault, maxReason))
	}
	if b.Len() == 0 {
		return ""
	}
	return "**Problems of the reply**:\n" + b.String()
}

func problemText(p engine.Problem) string {
	text := markdown.Plain(markdown.Clip(p.Text, markdown.MaxCell), "")
	if p.Line > 0 && !strings.Contains(p.Text, fmt.Sprintf("line %d", p.Line)) {
		text += fmt.Sprintf(" (line %d of the reply)", p.Line)
	}
	return text
}

func andMore(n int) string {
	if n <= markdown.MaxListed {
		return ""
	}
	return fmt.Sprintf("\n- … and %d more", n-markdown.MaxListed)
}
