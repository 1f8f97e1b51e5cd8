package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// opening is what a reader of an answer sees first: the result of the command, why the change is as it is, and where it
// is.
func (r Summary) opening() string {
	first, rest := r.said()
	if rest != "" {
		rest = markdown.Fold("More of what the model said", rest)
	}
	if first == "" {
		return markdown.JoinSections([]string{joinLines(r.headline(), r.lead, r.Source, r.meta()), r.caution(),
			rest})
	}
	return markdown.JoinSections([]string{r.headline(), r.caution(), joinLines(first, r.lead, r.Source, r.meta()), rest})
}

// joinLines makes one paragraph of the sections that are not empty, a line of each, if each is a paragraph.
func joinLines(sections ...string) string {
	text := ""
	for _, next := range sections {
		switch {
		case text == "" || next == "":
			text += next
		case isOneLine(text[strings.LastIndex(text, "\n\n")+1:]) && isOneLine(next):
			text += "\\\n" + next
		default:
			text += "\n\n" + next
		}
	}
	return text
}

// isOneLine reports whether a section, which may have lines before it in the same paragraph, is a paragraph.
func isOneLine(text string) bool {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\n"), "\\\n", " ")
	return !strings.ContainsAny(text, "\n") && !blockStart.MatchString(text)
}

// blockStart matches what begins no paragraph.
var blockStart = regexp.MustCompile("^(- |[0-9]+[.)] |> |```|<details>)")

// said is the model's explanation without the commands that are suggested below: its beginning, and the rest.
func (r Summary) said() (first, rest string) {
	return explanation(r.withoutSuggestions(r.Reply.Explanation))
}

// shellBlock matches a fenced block of an explanation, with the colon that announces it.
var shellBlock = regexp.MustCompile("(?m):?\\s*^```[a-z]*\\n((?:[^`].*\\n)*?)```[ \t]*$")

// withoutSuggestions returns an explanation without its blocks of commands that are all shown as suggestions.
func (r Summary) withoutSuggestions(text string) string {
	return shellBlock.ReplaceAllStringFunc(text, func(block string) string {
		for line := range strings.Lines(shellBlock.FindStringSubmatch(block)[1]) {
			line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
			if line != "" && !slices.ContainsFunc(r.Reply.Suggestions,
				func(s engine.Suggestion) bool { return s.Command == line }) {
				return block
			}
		}
		if strings.HasPrefix(block, ":") {
			return "."
		}
		return ""
	})
}

// meta says in one line where the change is, how large it is, what asked for it, and how it is reverted if that is all
// there is to do.
func (r Summary) meta() string {
	var parts []string
	branch := markdown.Code(markdown.Clip(r.Branch, markdown.MaxCell))
	switch {
	case r.SHA != "":
		parts = append(parts, fmt.Sprintf("%s on %s", CommitLink(r.Links, r.SHA), branch))
	case r.tally().made == 0 && r.Base != "" && len(r.Results) > 0:
		parts = append(parts, fmt.Sprintf("%s at %s", branch, CommitLink(r.Links, r.Base)))
	}
	if r.about != "" {
		parts = append(parts, r.about)
	}
	if text := r.extent(); text != "" {
		parts = append(parts, text)
	}
	if text := r.tested(); text != "" {
		parts = append(parts, text)
	}
	if r.Pull != 0 {
		parts = append(parts, fmt.Sprintf("pull request [#%d](%s)", r.Pull, r.PullURL))
	}
	if r.RequestURL != "" {
		parts = append(parts, "["+cmp.Or(r.Round, "request")+"]("+r.RequestURL+")")
	}
	if undo := r.undoCommand(); undo != "" {
		parts = append(parts, undo+map[bool]string{true: " restores it", false: " reverts it"}[r.does() == reverting])
	}
	return strings.Join(parts, " · ")
}

// extent says how many lines the edits change, and in which file or how many.
func (r Summary) extent() string {
	added, removed := 0, 0
	for _, row := range r.Results {
		if row.Status.Applied() {
			added, removed = added+row.Added, removed+row.Removed
		}
	}
	parts := linesChanged(added, removed)
	switch n := len(r.Changed); {
	case r.does() == operating && len(parts) == 0 && r.about != "": // which names the file
	case len(r.Results) == 0: // the first line has the number of files
	case n == 1:
		parts = append(parts, "in "+r.changedFile())
	case n > 1:
		parts = append(parts, "in "+english.Plural(n, "file", ""))
	}
	return strings.Join(parts, " ")
}

// linesChanged are the numbers of lines that a change adds and removes, without zeros.
func linesChanged(added, removed int) (parts []string) {
	if added > 0 {
		parts = append(parts, "+"+humanize.Comma(int64(added)))
	}
	if removed > 0 {
		parts = append(parts, "−"+humanize.Comma(int64(removed)))
	}
	return parts
}

// changedFile names the only file that was changed, with the line if one edit did.
func (r Summary) changedFile() string {
	row, edits := record.Result{Path: r.Changed[0], Status: record.StatusApplied}, 0
	for _, made := range r.Results {
		if made.Status.Applied() && made.Path == row.Path {
			row.Line = made.Line
			edits++
		}
	}
	if edits > 1 {
		row.Line = 0
	}
	return r.placeLink(row, markdown.Code)
}

// notes say what else people have to know about the commit, or about what was not committed.
func (r Summary) notes() string {
	return markdown.JoinSections([]string{
		r.Unopened, r.undoneMerge, r.uncommitted(), r.unverified(), r.unchecked(), r.advice(), r.broken(), r.beyondBounds(),
		r.unusual(), r.moved(), r.needless(), r.threads(),
	})
}

// uncommitted says why edits that fit were not committed, unless the first line does, and where they are suggestions.
func (r Summary) uncommitted() string {
	if r.Unpushed == "" {
		return SuggestionSentence(r.Offered, r.Unoffered)
	}
	_, why := r.unpushedWords()
	text := strings.TrimSpace(why + " " + SuggestionSentence(r.Offered, r.Unoffered))
	return markdown.JoinSections([]string{text, r.githubSays(), r.byHand()})
}

// githubSays quotes GitHub's words for a refusal.
func (r Summary) githubSays() string {
	if r.Said == "" {
		return ""
	}
	return "GitHub says:\n\n" + markdown.CodeBlock(markdown.Clip(r.Said, maxReason))
}

// advice says what to do about a reply without edits, or one that was cut off.
func (r Summary) advice() string {
	switch {
	case r.Reply.Fault != "" || r.Reply.Cut:
		return r.missing()
	case len(r.Results) > 0 || r.Reply.NoChange:
		return ""
	case len(r.Reply.Problems) > 0:
		return "Give the command again, for less at a time."
	case len(r.Reply.Unanswered) > 0:
		return "Name the files that matter in the command, or ask for less at a time."
	case r.does() == editing && r.Source == "":
		return "Give the command again, and say more exactly what to change."
	}
	return ""
}

// unusual says which edits were committed although a reader does not see all of them.
func (r Summary) unusual() string {
	if r.SHA == "" {
		return ""
	}
	var list []string
	for i, row := range r.Results {
		if m := marks(row); m != "" && row.Status.Applied() && len(list) < maxBroken {
			list = append(list, fmt.Sprintf("⚠️ **Committed with text that readers cannot see** in edit %d: %s",
				row.NumberAt(i), strings.TrimPrefix(m, "⚠️ ")))
		}
	}
	return strings.Join(list, "\n\n")
}

func (r Summary) moved() string {
	switch {
	case r.Moves == 0:
		return ""
	case r.Rewritten:
		return "Somebody pushed changes to the same lines, so the model was asked again with the new lines."
	case r.SHA == "":
		return ""
	}
	if r.does() == merging {
		return "The branch moved in the meantime, so its new tip was merged."
	}
	return "The branch moved in the meantime, so the edits were applied to its new tip."
}

// needless says which edits there was nothing to do for, if there were others.
func (r Summary) needless() string {
	var numbers []int
	for i, row := range r.Results {
		if needless(row) {
			numbers = append(numbers, row.NumberAt(i))
		}
	}
	if n := len(numbers); n > 0 && n < len(r.Results) {
		return fmt.Sprintf("%s %s not needed: the files already have these lines.", upperFirst(namedEdits(numbers)),
			english.PluralWord(n, "was", "were"))
	}
	return ""
}
