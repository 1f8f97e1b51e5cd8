package command

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// MaxBranches is how many branches one command can name.
const MaxBranches = 10

// backportCommand is the row of the table for backports.
func backportCommand() Command {
	return Command{
		Verb: Backport, Group: GroupChange, Takes: Branches, Answer: AnswerInPlace,
		Options:     []string{optionModel},
		Usage:       "/tenon backport [--model NAME] <branches> [choices]",
		Description: "replays the commits of a merged pull request onto other branches, and opens a pull request for each",
		Example:     "/tenon backport release/1.2 release/1.1",
		Needs:       port.PermissionWrite, Commits: true, OnMerged: true,
	}
}

// parseBackport reads names of branches, and after that of a single one choices for its conflicts. A problem is
// sentences for whoever wrote it.
func (inv *Invocation) parseBackport(line string) (problem string) {
	names, choices := cutChoices(line)
	if inv.Choices, problem = parseConflictChoices(strings.Join(choices, " ")); problem != "" {
		return problem + " Nothing was done. Write it like this: `/tenon backport BRANCH C1 theirs`."
	}
	if inv.Branches, problem = parseBranches(strings.Join(names, " ")); problem != "" {
		return problem + fmt.Sprintf(" Write it like this: `%s`.", inv.Command.Example)
	}
	if len(inv.Choices) > 0 && len(inv.Branches) > 1 {
		return "Choices are for the conflicts of one branch, and there are several. Give a command for each, like this: " +
			"`/tenon backport BRANCH C1 theirs`. Nothing was done."
	}
	return ""
}

// cutChoices returns the words of a line before the first number of a conflict, and those from there on. The first word
// is the name of a branch, whatever it is.
func cutChoices(line string) (names, choices []string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return nil, nil
	}
	if i := slices.IndexFunc(words[1:], conflictWord.MatchString); i >= 0 {
		return words[:i+1], words[i+1:]
	}
	return words, nil
}

// quotes are what may be around the name of a branch.
const quotes = "`'\""

// parseBranches reads names of branches, each of which may be in quotes or followed by a comma. A problem is a sentence
// for whoever wrote it.
func parseBranches(text string) (list []string, problem string) {
	for word := range strings.FieldsSeq(text) {
		name, whole := unquoted(strings.TrimSuffix(word, ","))
		switch {
		case !whole || !ValidBranch(name):
			return nil, fmt.Sprintf("%s cannot be the name of a branch.", markdown.Code(markdown.Clip(name, 80)))
		case slices.Contains(list, name):
			continue
		case len(list) == MaxBranches:
			return nil, fmt.Sprintf("One command takes at most %d branches, and there are more.", MaxBranches)
		}
		list = append(list, name)
	}
	if len(list) == 0 {
		return nil, "The branches are missing."
	}
	return list, ""
}

// unquoted returns a word without quotes around it; ok is false if there is one at one end alone.
func unquoted(word string) (text string, ok bool) {
	n := len(word)
	if n > 1 && strings.IndexByte(quotes, word[0]) >= 0 && word[n-1] == word[0] {
		return word[1 : n-1], true
	}
	return word, strings.Trim(word, quotes) == word
}

// plainWord matches a word of prose, which may be the name of a branch.
var plainWord = regexp.MustCompile(`^[A-Za-z]+,?$`)

// isProse reports whether a line may be prose rather than names of branches: it has several words, one of which is of
// letters alone.
func isProse(line string) bool {
	words, _ := cutChoices(line)
	return len(words) > 1 && slices.ContainsFunc(words, plainWord.MatchString)
}

// BackportLabel returns the branch of a label that asks for a backport, as "backport release/1.2"; ok is false for any
// other label. GitHub's labels ignore case, the names of branches do not.
func BackportLabel(label string) (branch string, ok bool) {
	rest, ok := cutWord(label, Backport)
	branch = strings.TrimSpace(rest)
	return branch, ok && ValidBranch(branch)
}

// fromBackportLabels returns the backport that labels ask for, of which those count that BackportLabel accepts. The
// branches beyond those that one command can name are left out.
func fromBackportLabels(labels ...string) (Invocation, bool) {
	c, ok := Lookup(Backport)
	inv := Invocation{Command: c}
	for _, label := range labels {
		branch, is := BackportLabel(label)
		switch {
		case !is || slices.Contains(inv.Branches, branch) || slices.Contains(inv.LeftOut, branch):
		case len(inv.Branches) < MaxBranches:
			inv.Branches = append(inv.Branches, branch)
		default:
			inv.LeftOut = append(inv.LeftOut, branch)
		}
	}
	return inv, ok && len(inv.Branches) > 0
}

// AsksForBackport reports whether labels of a pull request give the command of an event: one that was set, or those of
// one that was merged.
func AsksForBackport(ev port.Event) bool {
	if ev.Kind != port.Labeled && ev.Kind != port.Closed || !ev.Thread.Pull {
		return false
	}
	_, ok := fromBackportLabels(append(slices.Clone(ev.Labels), ev.Label)...)
	return ok
}
