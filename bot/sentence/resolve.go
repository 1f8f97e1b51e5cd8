package sentence

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/port"
)

// TooManyConflicts is the refusal of a merge with more conflicts than are settled here; upstream as for
// SettleAtTerminal.
func TooManyConflicts(most int, base, upstream string) *port.UserError {
	return refusal("There are more than %s conflicts. %s", humanize.Comma(int64(most)), SettleAtTerminal(base, upstream))
}

// NothingShown is the refusal to settle conflicts that no answer shows.
func NothingShown() *port.UserError {
	return refusal("No answer here shows conflicts that are open, so there is nothing to choose. `/tenon resolve` shows " +
		"them. Nothing was done.")
}

// ResolutionGone is the refusal to settle conflicts of an answer that is not stored any more.
func ResolutionGone() *port.UserError {
	return refusal("What was chosen for these conflicts is no longer stored. Give the command again: `/tenon resolve`. " +
		"Nothing was done.")
}

// OlderResolution is the refusal of a tick in an answer that another one has replaced, or whose boxes mean something
// else by now.
func OlderResolution(url string) *port.UserError {
	if url == "" {
		return refusal("These conflicts are settled, or replaced by others. Nothing was done.")
	}
	return refusal("[The answer](%s) has changed since, so this box may mean something else now. Nothing was done. "+
		"Look at it, and tick it again.", url)
}

// AnotherBaseNow is the refusal to settle conflicts with a base branch that the pull request does not have any more.
func AnotherBaseNow(shown, now, url string) *port.UserError {
	return refusal("The base of this pull request is %s now, and [the answer](%s) shows its conflicts with %s. Nothing "+
		"was done. `/tenon resolve` shows those with %s.", cell(now), url, cell(shown), cell(now))
}

// ResolutionUnseen is the refusal of choices that were made before the answer was there that they are about.
func ResolutionUnseen(url string) *port.UserError {
	return refusal("When you gave the command, [the answer](%s) was not there yet, or showed something else. Nothing was "+
		"done. Read it, and give the command again.", url)
}

// WrongChoices is the refusal of choices that do not fit; why are sentences without a full stop.
func WrongChoices(why []string, url string) *port.UserError {
	return refusal("Nothing was done. %s. [The answer](%s) shows the conflicts.", strings.Join(why, ". "), url)
}

// StillOpen is the refusal to take all conflicts as proposed when some have no proposal.
func StillOpen(names []string, url string) *port.UserError {
	return refusal("%s %s open and %s no proposal that [the answer](%s) shows whole, so nothing was committed. Tick what "+
		"%s, or comment `/tenon resolve %s ours`.", english.OxfordWordSeries(names, "and"),
		english.PluralWord(len(names), "is", "are"), english.PluralWord(len(names), "has", "have"), url,
		english.PluralWord(len(names), "it becomes", "they become"), names[0])
}

// ConflictsChanged says that conflicts are not those that were shown any more.
func ConflictsChanged(names []string) string {
	return fmt.Sprintf("A branch has moved, and %s changed, so what was chosen for %s was dropped.",
		english.OxfordWordSeries(names, "and"), english.PluralWord(len(names), "it", "them"))
}

// MovedOverConflicts says that a merge was not made because the branch moved over its conflicts.
const MovedOverConflicts = "The branch moved in the meantime. The choices for conflicts that did not change were " +
	"kept; the others are open."

// ChoicesNotAllowed says that a merge was not made because the settings no longer allow what was chosen.
const ChoicesNotAllowed = "The settings have changed in the meantime, and do not allow all of this any more."

// NewLinesRefused is why a conflict is open again.
const NewLinesRefused = "The model wrote new lines, which the settings refuse."

// UncheckedRefused is why a conflict is open again, as plain text; why says in a few words why its file is not checked.
func UncheckedRefused(why string) string {
	return fmt.Sprintf("The file would not be checked for syntax (%s), which the settings refuse by unchecked: refuse. "+
		"Settle its conflicts with git.", why)
}

// ModesDiffer says what becomes of a text that is executable on one side alone; the names are Markdown.
func ModesDiffer(ours, theirs string, onOurs bool) string {
	on := theirs
	if onOurs {
		on = ours
	}
	return fmt.Sprintf("The file is executable only on %s. It stays as on %s unless all of it is taken from %s.", on, ours,
		theirs)
}

// TooManyQuestions is why a model is not asked about more conflicts.
func TooManyQuestions() *port.UserError {
	return refusal("One command asks the model about no more conflicts. Give it again for those that are open.")
}

// NotAsked says why a model was not asked about conflicts; why is Markdown.
func NotAsked(why string) string {
	return "The conflicts that are open were not settled by a model: " + why + " They can be settled by hand."
}

// Settled says how many conflicts a merge settled, and how many lines are new, for its message.
func Settled(conflicts, lines int) string {
	text := "Settled " + english.Plural(conflicts, "conflict", "") + " by choosing between both branches"
	if lines > 0 {
		text += fmt.Sprintf("; %s new", english.Plural(lines, "line is", "lines are"))
	}
	return text + "."
}

// ResolvedElsewhere replaces an answer with conflicts that another one shows.
func ResolvedElsewhere(url string) string {
	return fmt.Sprintf("The conflicts of this merge are in [another answer](%s) now.", url)
}
