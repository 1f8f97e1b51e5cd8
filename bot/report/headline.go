package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxNamed is how many files a sentence names.
const maxNamed = 10

// headline says in one line what the run did, in others why it did no more, and which files it changed.
func (r Summary) headline() string {
	if len(r.Results) == 0 {
		return r.noEdits()
	}
	return markdown.JoinSections([]string{
		fmt.Sprintf("**%s**", r.counts("edit")) + inFiles(" in", len(r.Changed)) + r.commitWords(),
		r.Source, r.uncommitted(), r.broken(), r.moved(), r.changedFiles(),
	})
}

// counts says how many of the results, which are of such things as "edit", were applied.
func (r Summary) counts(noun string) string {
	n := record.Count(r.Results)
	return fmt.Sprintf("Applied %d, failed %d, skipped %d of %d %s",
		n.Applied, n.Failed, n.Skipped, len(r.Results), english.PluralWord(len(r.Results), noun, ""))
}

// inFiles returns words and a number of files; nothing for none.
func inFiles(words string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %d %s", words, n, english.PluralWord(n, "file", ""))
}

// noEdits is the headline if there is no edit.
func (r Summary) noEdits() string {
	switch {
	case r.Reply.NoChange:
		return "**Nothing was changed**: the model found nothing to change."
	case len(r.Reply.Problems) > 0:
		return "**Nothing was changed**: the model's reply holds no edit block that is whole."
	case len(r.Reply.Unanswered) > 0 && r.Reply.Fault == "":
		return "**Nothing was changed**: the model asked to see more of the code than one command may show. " +
			"Name the files that matter in the command, or ask for less at a time."
	}
	return "**Nothing was changed**: the model's reply holds no edit."
}

// commitWords continues a headline with where the commit is.
func (r Summary) commitWords() string {
	if r.SHA == "" {
		return " · nothing was committed"
	}
	branch := markdown.Code(markdown.Clip(r.Branch, markdown.MaxCell))
	text := fmt.Sprintf(" · %s on %s", CommitLink(r.RepoURL, r.SHA), branch)
	if r.Pull != 0 {
		text += fmt.Sprintf(" · pull request [#%d](%s)", r.Pull, r.PullURL)
	}
	return markdown.JoinSections([]string{text, r.Unopened})
}

// uncommitted says why edits that fit were not committed, and how people can take them over.
func (r Summary) uncommitted() string {
	switch {
	case r.Held:
		return "**Not committed**: not all edits fit, and the settings of this repository want all or none."
	case r.Unpushed != "":
		why := markdown.Plain(strings.TrimSuffix(markdown.Clip(r.Unpushed, maxReason), "."), "")
		return strings.TrimSpace("**Not pushed**: " + why + ". " + SuggestionSentence(r.Offered, r.Unoffered))
	}
	return ""
}

func (r Summary) moved() string {
	if r.SHA == "" || r.Moves == 0 {
		return ""
	}
	return "The branch moved meanwhile, so the edits were applied again, to its new tip."
}

func (r Summary) changedFiles() string {
	if len(r.Changed) == 0 {
		return ""
	}
	var names []string
	for _, name := range r.Changed[:min(len(r.Changed), maxNamed)] {
		shown := markdown.Code(markdown.Clip(name, markdown.MaxCell))
		if r.SHA != "" {
			shown = fileLink(shown, r.RepoURL, r.SHA, name, 0)
		}
		names = append(names, shown)
	}
	text := "Changed: "
	if r.SHA == "" {
		text = "Would change: "
	}
	text += strings.Join(names, ", ")
	if more := len(r.Changed) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
