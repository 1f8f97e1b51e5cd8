package bot

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
)

// Bounds within an answer, so that one huge reply leaves room for the rest.
const (
	// bodyRoom is what an answer may fill: GitHub's limit, less the marker and a margin.
	bodyRoom = maxBody - 1000
	// maxCell is the longest piece of a reply or file in a table, in characters.
	maxCell = 300
	// maxListed is how many problems, suggestions or names one list shows.
	maxListed = 20
)

// report is the answer to a fix: what became of each block, and all that the person needs to go on.
func (s *session) report(head target, q question, t talk, made committed) string {
	sections := []string{
		s.headline(head, made, t),
		modelWords(made, t),
		suggestionList(t.suggestions()),
		problemList(t),
		contextFold(q),
		s.footer(t),
	}
	room := bodyRoom
	for _, text := range sections {
		room -= utf8.RuneCountInString(text) + 2
	}
	table, room := resultTable(made, s.repoURL(), room)
	details := failureDetails(made.Results, room)
	sections = append(sections[:1], append([]string{table, details}, sections[1:]...)...)
	return joinSections(sections)
}

func joinSections(sections []string) string {
	var kept []string
	for _, text := range sections {
		if text != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n\n")
}

func (s *session) headline(head target, made committed, t talk) string {
	if len(made.Results) == 0 {
		if noChange(t.last().Text) {
			return "**Nothing was changed**: the model found nothing to change."
		}
		if len(t.problems()) > 0 {
			return "**Nothing was changed**: the model's reply holds no edit block that is whole."
		}
		return "**Nothing was changed**: the model's reply holds no edit."
	}
	n := count(made.Results)
	text := fmt.Sprintf("**Applied %d, failed %d, skipped %d of %d %s**", n.applied, n.failed, n.skipped, len(made.Results), plural(len(made.Results), "edit"))
	if made.SHA == "" {
		return text + " · nothing was committed"
	}
	return text + fmt.Sprintf(" in %d %s · [`%.7s`](%s/commit/%s) on %s", len(made.Changed), plural(len(made.Changed), "file"), made.SHA, s.repoURL(), made.SHA, codeSpan(head.Branch))
}

// repoURL is the repository's page, from the thread's own link.
func (s *session) repoURL() string {
	base := s.ev.Thread.URL
	for _, part := range []string{"/pull/", "/issues/"} {
		if i := strings.LastIndex(base, part); i >= 0 {
			base = base[:i]
		}
	}
	return base
}

// modelWords shows what the model said where it made no edit: that is its answer.
func modelWords(made committed, t talk) string {
	prose := t.prose()
	if len(made.Results) > 0 || prose == "" {
		return ""
	}
	return "The model said:\n\n" + codeBlock(clip(prose, 4000))
}

func suggestionList(list []engine.Suggestion) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("**Suggested commands** (tenon runs none of them):\n")
	for i, s := range list[:min(len(list), maxListed)] {
		fmt.Fprintf(&b, "\n%d. %s", i+1, codeSpan(clip(s.Command, maxCell)))
	}
	return b.String() + andMore(len(list))
}

func problemList(t talk) string {
	list := t.problems()
	var b strings.Builder
	for _, p := range list[:min(len(list), maxListed)] {
		fmt.Fprintf(&b, "\n- %s", codeSpan(clip(p.Text, maxCell)))
		if p.Line > 0 {
			fmt.Fprintf(&b, " (line %d of the reply)", p.Line)
		}
	}
	if t.last().Cut {
		b.WriteString("\n- The model's reply was cut off. Ask for less at once, or raise the model's limit.")
	}
	if n := len(t.turns); n > 0 && t.turns[n-1].Fault != "" {
		b.WriteString("\n- The model could not be asked again. " + t.turns[n-1].Fault)
	}
	if b.Len() == 0 {
		return ""
	}
	return "**Problems of the reply**:\n" + b.String() + andMore(len(list))
}

func andMore(n int) string {
	if n <= maxListed {
		return ""
	}
	return fmt.Sprintf("\n- … and %d more", n-maxListed)
}

func (s *session) footer(t talk) string {
	parts := []string{codeSpan(clip(t.last().Model, 80)), fmt.Sprintf("%d %s", len(t.turns), plural(len(t.turns), "call"))}
	if u := t.usage(); u.In+u.Out > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens in, %d out", u.In, u.Out))
	}
	if dollars, ok := s.cost(t); ok {
		parts = append(parts, fmt.Sprintf("$%.4f", dollars))
	}
	if n := len(t.turns); n > 0 && t.turns[n-1].Warning != "" {
		parts = append(parts, t.turns[n-1].Warning)
	}
	parts = append(parts, fmt.Sprintf("%.1f s", s.Now().Sub(s.run.Started).Seconds()), "run "+s.run.ID)
	return "<sub>" + strings.Join(parts, " · ") + "</sub>"
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
