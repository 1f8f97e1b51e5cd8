package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine/choice"
)

// Resolution is a merge with conflicts, of which nothing is committed yet: what is known of each conflict, with boxes.
type Resolution struct {
	Summary
	// Run is the run whose answer this is, Revision stands for what the boxes mean.
	Run, Revision string
	// Merge is what is merged into Branch, at Base.
	Merge record.Merge
	// Conflicts are all conflicts of the merge, in order.
	Conflicts []Conflict
	// Unasked is why no model was asked, or not about everything, as Markdown.
	Unasked string
	// Broken are texts that the choices make and that have a problem.
	Broken []BrokenText
	// Failed are paths that keep the merge from being made, beside the conflicts.
	Failed []record.Result
	// Why is why nothing was committed although all conflicts were settled, as a sentence in Markdown; empty if they were
	// not.
	Why string
}

// BrokenText is a merged text with a problem that neither side has, of anybody's words.
type BrokenText struct{ Path, Problem string }

// Body returns the answer: each conflict with what it becomes, its lines and its boxes, as far as there is room.
func (r Resolution) Body() string {
	text, _ := r.body()
	return text
}

// Boxed returns the numbers of the conflicts whose proposal has a box in the answer.
func (r Resolution) Boxed() []int {
	_, boxed := r.body()
	return boxed
}

func (r Resolution) body() (text string, boxed []int) {
	above := []string{r.opening(), r.remarks(), r.notes()}
	below := []string{r.details(), markdown.ResolveMarker(r.Run, r.Revision)}
	list, boxed := r.list(r.room() - size(above...) - size(below...))
	return markdown.JoinSections(append(append(above, list), below...)), boxed
}

// open returns the conflicts without an accepted choice.
func (r Resolution) open() (open []Conflict) {
	for _, c := range r.Conflicts {
		if c.Choice == "" {
			open = append(open, c)
		}
	}
	return open
}

// stuck reports whether something has to be settled with git, so that the merge cannot be made here.
func (r Resolution) stuck() bool {
	for _, c := range r.Conflicts {
		if !c.Whole {
			return true
		}
	}
	return len(r.Failed) > 0
}

func (r Resolution) opening() string {
	base := markdown.Code(markdown.Clip(r.Merge.Branch, markdown.MaxCell))
	branch := markdown.Code(markdown.Clip(r.Branch, markdown.MaxCell))
	head := fmt.Sprintf("👀 **Merge of %s into %s** · %s", base, branch, r.counts())
	meta := []string{fmt.Sprintf("ours: %s at %s", branch, CommitLink(r.Links, r.Base)),
		fmt.Sprintf("theirs: %s at %s", base, CommitLink(r.Links, r.Merge.SHA))}
	if r.RequestURL != "" {
		meta = append(meta, "[request]("+r.RequestURL+")")
	}
	return joinLines(head, strings.Join(meta, " · "))
}

// counts says how many conflicts there are, and how many of them are open.
func (r Resolution) counts() string {
	n, open := len(r.Conflicts), len(r.open())
	text := english.Plural(n, "conflict", "")
	switch open {
	case 0:
		return text + ", none open"
	case n:
		return text
	}
	return fmt.Sprintf("%s, %d open", text, open)
}

// notes say what keeps the merge from being committed, and what to do about it.
func (r Resolution) notes() string {
	parts := []string{r.Why, r.Unasked, r.newWords()}
	parts = append(parts, brokenTextWords(r.Broken, "⚠️ With these choices, %s would have a problem: %s")...)
	for i, row := range r.Failed {
		if i == maxBroken {
			parts = append(parts, fmt.Sprintf("… and %d more.", len(r.Failed)-i))
			break
		}
		path := markdown.Code(markdown.Clip(row.Path, markdown.MaxCell))
		parts = append(parts, fmt.Sprintf("⚠️ %s: %s", path, r.fault(row)))
	}
	return markdown.JoinSections(append(parts, r.hint()))
}

// brokenTextWords names texts with problems in a format that takes the path and the problem.
func brokenTextWords(list []BrokenText, format string) (out []string) {
	for _, b := range list[:min(len(list), maxBroken)] {
		out = append(out, fmt.Sprintf(format, markdown.Code(markdown.Clip(b.Path, markdown.MaxCell)),
			markdown.Plain(markdown.Clip(b.Problem, markdown.MaxCell), b.Path)))
	}
	if more := len(list) - len(out); more > 0 {
		out = append(out, fmt.Sprintf("⚠️ The same goes for %s.", english.Plural(more, "more file", "")))
	}
	return out
}

// newWords counts the lines that no side has.
func (r Resolution) newWords() string {
	lines, conflicts := 0, 0
	for _, c := range r.Conflicts {
		if n := c.count(choice.New); n > 0 {
			lines, conflicts = lines+n, conflicts+1
		}
	}
	if lines == 0 {
		return ""
	}
	return fmt.Sprintf("**%s** in %s, which no side has: look at %s first.", english.Plural(lines, "new line", ""),
		english.Plural(conflicts, "conflict", ""), english.PluralWord(lines, "it", "them"))
}

// hint says how conflicts are settled.
func (r Resolution) hint() string {
	if !r.offers(command.Resolve) {
		return "The settings of this repository do not allow `/tenon resolve`, so nothing can be settled from here."
	}
	if r.stuck() {
		return "Not all of this can be settled here. At a terminal, " + sentence.AtTerminal(r.Merge.Branch, r.Upstream)
	}
	open := r.open()
	if len(open) == 0 {
		return "`/tenon apply` tries again to commit it."
	}
	name := choice.Name(open[0].ID)
	text := fmt.Sprintf("Tick a box for each, or comment `/tenon resolve %s theirs`. The merge is committed when "+
		"the last one is settled.", name)
	without := slices.ContainsFunc(open, func(c Conflict) bool { return c.Proposal == "" })
	switch {
	case without || !r.offers(command.Apply):
	case len(open) == 1:
		text += " `/tenon apply` takes the open one as proposed."
	default:
		text += fmt.Sprintf(" `/tenon apply` takes all %d as proposed.", len(open))
	}
	return text
}

// list shows the conflicts, open ones with their lines first to get room. It returns those whose proposal has a box.
func (r Resolution) list(room int) (text string, boxed []int) {
	heads := make([]string, 0, len(r.Conflicts))
	room -= foldRoom
	for _, c := range r.Conflicts {
		head := size(c.head()) + size(c.boxes(true))
		if room -= head; room < 0 {
			break
		}
		heads = append(heads, c.head())
	}
	lines := make([]string, len(heads))
	whole := make([]bool, len(heads))
	room = max(room, 0)
	for _, open := range []bool{true, false} {
		for i := range heads {
			c := r.Conflicts[i]
			if (c.Choice == "") != open {
				continue
			}
			lines[i], whole[i] = c.lines(room)
			room -= size(lines[i])
		}
	}
	parts := make([]string, 0, len(heads)+1)
	for i, head := range heads {
		c := r.Conflicts[i]
		boxes := ""
		if r.offers(command.Resolve) && !r.stuck() {
			boxes = c.boxes(whole[i])
			if c.Proposal != "" && whole[i] && c.hasBoxes() {
				boxed = append(boxed, c.ID)
			}
		}
		parts = append(parts, markdown.JoinSections([]string{head, lines[i], boxes}))
	}
	if more := r.Conflicts[len(heads):]; len(more) > 0 {
		parts = append(parts, fmt.Sprintf("… and %d more, for which there is no room here: %s to %s", len(more),
			choice.Name(more[0].ID), choice.Name(more[len(more)-1].ID)))
	}
	return markdown.JoinSections(parts), boxed
}

// Unmerged says of a merge, as OfUpdate returns it, why it was not committed although its conflicts are all settled.
func Unmerged(s Summary) string {
	few, why := s.unpushedWords()
	if why == "" {
		why = upperFirst(markdown.Plain(few, "")) + "."
	}
	return markdown.JoinSections([]string{nothingCommitted + why, s.githubSays(), s.byHand()})
}

// ResolutionAgain says that a merge was not committed as it was shown in an answer at url, which shows it again; why is
// Markdown, and may be empty.
func ResolutionAgain(url, why string) string {
	link := "[The answer](" + url + ") shows the conflicts as they are now."
	if strings.HasPrefix(why, nothingCommitted) {
		return markdown.JoinSections([]string{why, link})
	}
	return markdown.JoinSections([]string{nothingCommitted + link, why})
}

const nothingCommitted = "❌ **Nothing was committed.** "

// OfResolution returns the end of an update that settled conflicts, with what each of them became, and the texts that
// have a problem.
func OfResolution(s Summary, list []Conflict, broken []BrokenText) Summary {
	if s.SHA == "" {
		return s
	}
	s.settled = markdown.JoinSections(append(brokenTextWords(broken, "⚠️ **Committed anyway:** %s has a problem: %s"),
		settledList(list, maxSettledList)))
	return s
}
