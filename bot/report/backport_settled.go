package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine/choice"
)

// SettledPicks are the conflicts of a backport to a branch, as people see them.
type SettledPicks struct {
	Conflicts []Conflict
	// Broken are texts that the choices make and that have a problem.
	Broken []BrokenText
	// Unasked is why no model was asked, or not about everything, as Markdown.
	Unasked string
}

// draft says that the pull request is one.
func (t BackportTo) draft() string {
	if t.Pull.Draft {
		return ", a draft"
	}
	return ""
}

// settled says, after the commits of a backport, that conflicts were settled.
func (t BackportTo) settled() string {
	p := t.Picked
	if p.Settled == 0 {
		return ""
	}
	text := " · " + english.Plural(p.Settled, "conflict", "") + " settled"
	if p.New > 0 {
		text += ", **" + english.Plural(p.New, "new line", "") + "**"
	}
	return text + ": look at " + english.PluralWord(p.Settled, "it", "them") + " there"
}

// section is the part of the description of a pull request that tells what the conflicts became; empty without any.
func (s SettledPicks) section(p record.Picked) string {
	if p.Settled == 0 {
		return ""
	}
	head := fmt.Sprintf("**%s settled** by choosing between the lines of both branches", english.Plural(p.Settled,
		"conflict", ""))
	if p.New > 0 {
		head += fmt.Sprintf(", with %s that no side has", english.Plural(p.New, "new line", ""))
	}
	parts := append([]string{head + ". Look at each before you merge:"},
		brokenTextWords(s.Broken, "⚠️ %s has a problem: %s")...)
	return markdown.JoinSections(append(parts, settledList(s.Conflicts, maxSettledList)))
}

// maxSettledList is how much of a description lists conflicts, in characters.
const maxSettledList = 12_000

// settledList lists conflicts with what each became, as far as there is room, in characters.
func settledList(list []Conflict, room int) string {
	text := ""
	for i, c := range list {
		line := "- " + c.head() + "\n"
		if fresh := c.newLines(); fresh != "" {
			line += "\n  " + markdown.Indented(fresh, 2) + "\n"
		}
		if utf8.RuneCountInString(text)+utf8.RuneCountInString(line) > room {
			text += fmt.Sprintf("- … and %d more\n", len(list)-i)
			break
		}
		text += line
	}
	return strings.TrimSuffix(text, "\n")
}

// open shows the conflicts of a backport of which some are open, and says how to settle them.
func (b Backport) open(t BackportTo, name string, room int) string {
	open := openOnes(t.Settled.Conflicts)
	head := fmt.Sprintf("❌ %s%s, %d open", name, english.Plural(len(t.Settled.Conflicts), "conflict", ""), len(open))
	hint := sentence.SettlePicksHere(t.Picked.Branch, choice.Name(open[0].ID), len(open) > 1)
	hand := markdown.Fold("At a terminal", b.byHand(t))
	left := room - size(head, t.Settled.Unasked, hint, hand) - foldRoom
	parts := []string{head, t.Settled.Unasked, hint}
	for i, c := range append(open, settledOnes(t.Settled.Conflicts)...) {
		text := c.head()
		if left -= size(text); left < 0 {
			parts = append(parts, fmt.Sprintf("… and %d more, for which there is no room here.",
				len(t.Settled.Conflicts)-i))
			break
		}
		lines, _ := c.lines(left)
		left -= size(lines)
		parts = append(parts, markdown.JoinSections([]string{text, lines}))
	}
	return markdown.JoinSections(append(parts, hand))
}

// openOnes returns the conflicts without a choice. There may be none although a backport was not made: the settings
// that refused a choice have changed since.
func openOnes(list []Conflict) (out []Conflict) {
	for _, c := range list {
		if c.Choice == "" {
			out = append(out, c)
		}
	}
	return out
}

// settledOnes returns the conflicts that have a choice.
func settledOnes(list []Conflict) (out []Conflict) {
	for _, c := range list {
		if c.Choice != "" {
			out = append(out, c)
		}
	}
	return out
}

// nothingLeft says that all of a backport was settled by what the branch has already, and shows the choices.
func nothingLeft(t BackportTo, name string, room int) string {
	head := fmt.Sprintf("💬 %sas its %s settled, nothing is left to backport", name, english.PluralWord(t.Picked.Settled,
		"conflict is", "conflicts are"))
	hint := sentence.ChangePicksHere(t.Picked.Branch)
	return markdown.JoinSections([]string{head, settledList(t.Settled.Conflicts, room-size(head, hint)-foldRoom), hint})
}
