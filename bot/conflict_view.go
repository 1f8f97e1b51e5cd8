package bot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// brokenTexts returns what people are told of texts with problems. A parser may quote what it does not understand.
func brokenTexts(p policy.Policy, list []settle.Broken) (out []report.BrokenText) {
	for _, b := range list {
		problem := fmt.Sprintf("line %d", b.Problems[0].Line)
		if !retrieve.SecretName(p, b.Path) {
			problem += ": " + secret.Fragment(b.Problems[0].Message)
		}
		out = append(out, report.BrokenText{Path: secret.Path(b.Path), Problem: problem})
	}
	return out
}

// conflictsOf returns the conflicts as people see them.
func conflictsOf(j tipMerge, state settle.State, p policy.Policy) []report.Conflict {
	out := make([]report.Conflict, len(j.Conflicts))
	words := trees.Words{Ours: markdown.Code(markdown.Clip(j.oursName, markdown.MaxCell)),
		Theirs: markdown.Code(markdown.Clip(j.theirsName, markdown.MaxCell)),
		Quote:  func(s string) string { return markdown.Code(markdown.Clip(secret.Path(s), markdown.MaxCell)) }}
	for i, c := range j.Conflicts {
		known := state[c.ID]
		one := report.Conflict{ID: c.ID, Path: secret.Path(c.Path), Line: c.Line, Whole: c.Whole(), Proposal: known.Proposal,
			Choice: known.Choice, ByHand: known.ByHand, Note: known.Note, OursGone: c.What.Ours.Mode == 0,
			TheirsGone: c.What.Theirs.Mode == 0}
		if c.Protected != "" {
			one.Protected = markdown.Plain(c.Protected, c.Path)
		}
		if c.Lines == nil {
			one.About = c.What.Describe(words)
			if c.Protected != "" && c.Whole() {
				one.About = c.What.Did(words)
			}
			out[i] = one
			continue
		}
		if c.ModesDiffer() {
			one.About = sentence.ModesDiffer(words.Ours, words.Theirs, c.What.Ours.Mode == trees.Executable)
		}
		text := known.Choice
		if text == "" {
			text = known.Proposal
		}
		if a, why := c.Fits(text); why == "" {
			one.Result, one.Unshown = shownResult(a)
		}
		if retrieve.SecretName(p, c.Path) {
			one.Hidden = "the name of the file says that it contains secrets"
			one.Result = hiddenLines(one.Result)
		} else {
			one.Base, one.Ours, one.Theirs = shownSide(c.Lines.Sides.Base), shownSide(c.Lines.Sides.Ours),
				shownSide(c.Lines.Sides.Theirs)
		}
		out[i] = one
	}
	return out
}

// shownResult returns the lines of an answer without endings and secrets, and why its new lines are not shown letter by
// letter, as a clause.
func shownResult(a choice.Answer) (out []choice.Line, unshown string) {
	texts := make([]string, len(a.Lines))
	for i, l := range a.Lines {
		texts[i] = l.Text
	}
	masked, fresh := shownSide(texts), settle.NewLines(a)
	maskedNew := shownSide(fresh)
	if unshown = report.WhyUnshown(fresh); unshown == "" && !slices.Equal(fresh, maskedNew) {
		unshown = "they have a secret"
	}
	for i, l := range a.Lines {
		if l.Origin == choice.New {
			masked[i], maskedNew = maskedNew[0], maskedNew[1:]
		}
		out = append(out, choice.Line{Text: masked[i], Origin: l.Origin})
	}
	return out, unshown
}

// hiddenLines are lines of which nothing but their origin is shown.
func hiddenLines(lines []choice.Line) []choice.Line {
	out := make([]choice.Line, len(lines))
	for i, l := range lines {
		out[i].Origin = l.Origin
	}
	return out
}

// Bounds on the lines of which secrets are taken out: of those that an answer may show.
const (
	maxMaskedLines = 100
	maxMaskedLine  = 2000 // bytes
)

// shownSide returns lines without endings and secrets, as many. Of those that no answer shows, as they are too many,
// nothing is left, and of long ones the beginning.
func shownSide(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	out := make([]string, min(len(lines), maxMaskedLines), len(lines))
	for i := range out {
		out[i] = markdown.ClipBytes(strings.TrimRight(lines[i], "\r\n"), maxMaskedLine)
	}
	out = strings.Split(secret.Fragment(strings.Join(out, "\n")), "\n")
	return append(out, make([]string, len(lines)-len(out))...)
}
