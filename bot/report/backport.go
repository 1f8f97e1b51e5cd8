package report

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/backport"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Backport is the end of a backport.
type Backport struct {
	record.Backport
	Links port.Links
	// Costs are those of the model, if one was asked.
	Costs record.Costs
	// To are the branches that it was for.
	To []BackportTo
	// Left are branches that labels ask for as well, and that there was no room for.
	Left []string
}

// BackportTo is what became of a backport to one branch.
type BackportTo struct {
	Picked  record.Picked
	Pull    record.PickedPull
	Settled SettledPicks
}

// done reports whether there is nothing left to do.
func (t BackportTo) done() bool { return t.Pull.Pull != 0 || t.Picked.Open != 0 || t.isThere() }

// isThere reports whether the branch has all commits already.
func (t BackportTo) isThere() bool {
	p := t.Picked
	return len(p.Made) == 0 && len(p.There) > 0 && p.Conflict == "" && p.Refused == "" && p.Open == 0
}

// Made reports whether the backport made anything.
func (b Backport) Made() bool {
	for _, t := range b.To {
		if t.Pull.Pushed {
			return true
		}
	}
	return false
}

// Known reports whether there was nothing to do but to find the open pull requests of earlier backports.
func (b Backport) Known() bool {
	for _, t := range b.To {
		if t.Picked.Open == 0 {
			return false
		}
	}
	return len(b.Left) == 0
}

// Body returns the answer.
func (b Backport) Body() string {
	sections, below := []string{b.headline()}, b.left()
	if b.Costs.Calls > 0 {
		below = markdown.JoinSections([]string{below, costLine(b.Costs)})
	}
	room := bodyRoom - size(sections[0], below)
	for i, t := range b.To {
		text := b.to(t, room/(len(b.To)-i))
		room -= size(text)
		sections = append(sections, text)
	}
	return markdown.JoinSections(append(sections, below))
}

func (b Backport) headline() string {
	opened, done, all := 0, 0, len(b.To)
	for _, t := range b.To {
		if t.Pull.Pull != 0 {
			opened++
		}
		if t.done() {
			done++
		}
	}
	of := english.Plural(all, "branch", "branches")
	switch {
	case opened == all:
		return fmt.Sprintf("✅ **Backported to %s**", of)
	case opened > 0 && done == all:
		return fmt.Sprintf("✅ **Backported to %d of %s** · the others need nothing", opened, of)
	case opened > 0:
		return fmt.Sprintf("⚠️ **Backported to %d of %s**", opened, of)
	case b.Made():
		return "⚠️ **Backported without a pull request**"
	case done == all:
		return "💬 **Nothing to backport**"
	}
	return "❌ **Nothing backported**"
}

// to tells of one branch, in at most room characters as far as a list can be cut.
func (b Backport) to(t BackportTo, room int) string {
	name := "**" + branchName(t.Picked.Branch) + "**: "
	switch {
	case t.Picked.Refused != "":
		return "❌ " + name + t.Picked.Refused
	case t.Picked.Open != 0:
		return fmt.Sprintf("💬 %salready in the open pull request [#%d](%s)", name, t.Picked.Open, t.Picked.OpenURL)
	case t.Picked.Conflict != "" && len(openOnes(t.Settled.Conflicts)) > 0:
		return b.open(t, name, room)
	case t.Picked.Conflict != "":
		return b.conflicts(t, "❌ "+name, room)
	case t.isThere() && t.Picked.Settled > 0:
		return nothingLeft(t, name, room)
	case t.isThere():
		return "💬 " + name + "it has everything" + b.there(t)
	case t.Pull.Refused != "":
		return "❌ " + name + "nothing was made, because " + markdown.Plain(t.Pull.Refused, "") + b.said(t.Pull.Said)
	case t.Pull.Pull == 0:
		text := fmt.Sprintf("⚠️ %s%s on %s", name, b.commits(t), branchName(t.Picked.Head))
		target := record.Target{Base: t.Picked.Branch, Branch: t.Picked.Head, Unopened: t.Pull.Unopened}
		return markdown.JoinSections([]string{text, UnopenedNotice(target, b.Links)})
	}
	text := fmt.Sprintf("✅ %s[#%d](%s)%s · %s%s", name, t.Pull.Pull, t.Pull.URL, t.draft(), b.commits(t), t.settled())
	if len(t.Picked.There) > 0 {
		text += " · left out" + b.there(t)
	}
	return text
}

func (b Backport) said(words string) string {
	if words == "" {
		return ""
	}
	return ". GitHub said:\n\n" + markdown.CodeBlock(markdown.Clip(words, maxReason))
}

// commits counts the new commits, and the commits that they are of.
func (b Backport) commits(t BackportTo) string {
	picked := 0
	for _, c := range b.made(t) {
		picked = max(picked, len(c.Picked))
	}
	if len(t.Picked.Made) == 1 && (picked > 1 || t.Picked.AsOne) {
		return "the pull request as 1 commit"
	}
	return english.Plural(len(t.Picked.Made), "commit", "")
}

// made returns the commits that the new ones are of.
func (b Backport) made(t BackportTo) (list []backport.Commit) {
	for _, c := range b.Commits {
		is := func(p record.PickedCommit) bool { return p.Of == c.SHA }
		if slices.ContainsFunc(t.Picked.Made, is) || t.Picked.AsOne && !slices.ContainsFunc(t.Picked.There, is) {
			list = append(list, c)
		}
	}
	return list
}

// commit returns the commit of a plan.
func (b Backport) commit(sha string) backport.Commit {
	for _, c := range b.Commits {
		if c.SHA == sha {
			return c
		}
	}
	return backport.Commit{}
}

// there lists the commits that are on the branch already.
func (b Backport) there(t BackportTo) string {
	if len(t.Picked.There) == 0 {
		return ""
	}
	var list []string
	for _, one := range t.Picked.There {
		text := CommitLink(b.Links, one.Of)
		switch one.SHA {
		case "":
			text += " changes nothing there"
		case one.Of:
			text += " is in its history"
		default:
			text += " is there as " + CommitLink(b.Links, one.SHA)
		}
		list = append(list, "\n- "+text)
	}
	return ":" + strings.Join(list, "")
}

// conflicts lists what conflicts, and says how to settle it by hand.
func (b Backport) conflicts(t BackportTo, name string, room int) string {
	files, settle := 0, ""
	for _, row := range t.Picked.Results {
		if row.Reason == string(edit.ReasonMergeConflict) {
			files++
		}
	}
	head := fmt.Sprintf("%s%s %s in %s %s", name, english.Plural(files, "file", ""),
		english.PluralWord(files, "conflicts", "conflict"), CommitLink(b.Links, t.Picked.Conflict),
		markdown.Spans(markdown.Clip(backport.Subject(b.commit(t.Picked.Conflict).Message), markdown.MaxCell)))
	if files == 0 {
		head = fmt.Sprintf("%swhat %s changes is not allowed there", name, CommitLink(b.Links, t.Picked.Conflict))
	} else {
		settle = sentence.SettlePicks + "\n\n" + b.byHand(t)
	}
	left := room - utf8.RuneCountInString(head+settle) - foldRoom
	list := ""
	for i, row := range t.Picked.Results {
		detail := row.Detail
		if row.Reason != string(edit.ReasonMergeConflict) {
			detail = "it is protected: " + detail
		}
		line := fmt.Sprintf("\n- %s: %s", markdown.Code(markdown.Clip(row.Path, markdown.MaxCell)),
			markdown.Plain(markdown.Clip(detail, markdown.MaxCell), row.Path))
		if left -= utf8.RuneCountInString(line); left < 0 {
			list += fmt.Sprintf("\n- … and %d more", len(t.Picked.Results)-i)
			break
		}
		list += line
	}
	return markdown.JoinSections([]string{head + "\n" + list, settle})
}

// byHand says how the backport is made at a terminal.
func (b Backport) byHand(t BackportTo) string {
	args := []string{"git", "cherry-pick", "-x"}
	there := map[string]bool{}
	for _, one := range t.Picked.There {
		there[one.Of] = true
	}
	for _, c := range b.Commits {
		switch {
		case there[c.SHA]:
		case c.Mainline:
			args = append(args, "-m", "1", c.SHA)
		case c.First != "":
			args = append(args, c.First+"^.."+c.SHA)
		default:
			args = append(args, c.SHA)
		}
	}
	begin := shell("git", "switch", "-c", t.Picked.Head, "origin/"+t.Picked.Branch)
	lines := []string{"git fetch origin", begin, shell(args...), "tenon resolve"}
	return markdown.JoinSections([]string{markdown.Fenced("sh", strings.Join(lines, "\n")),
		sentence.SettledPicks(t.Picked.Branch)})
}

// shell returns a command of a shell, with quotes where they are needed.
func shell(words ...string) string {
	for i, w := range words {
		words[i] = sentence.ShellWord(w)
	}
	return strings.Join(words, " ")
}

// BackportPull returns the title and the description of the pull request of a backport to a branch.
func BackportPull(s Subject, b Backport, t BackportTo) (title, body string) {
	number := s.Event.Thread.Number
	title = backport.PullTitle(markdown.Clip(t.Picked.Branch, markdown.MaxCell), b.Title)
	var list strings.Builder
	for _, c := range b.made(t) {
		fmt.Fprintf(&list, "\n- %s %s", CommitLink(b.Links, c.SHA),
			markdown.Spans(markdown.Clip(backport.Subject(c.Message), markdown.MaxCell)))
	}
	left := ""
	if len(t.Picked.There) > 0 {
		left = "Left out" + b.there(t)
	}
	head := fmt.Sprintf("Backport of #%d to %s, for %s.", number, branchName(t.Picked.Branch),
		markdown.PlainLogin(s.Event.Sender.Login))
	return markdown.Clip(title, maxPullTitle), markdown.JoinSections([]string{message.Shown(head),
		strings.TrimPrefix(list.String(), "\n"), left, message.Shown(t.Settled.section(t.Picked)), RunNote(s.Run, s.Pages)})
}
