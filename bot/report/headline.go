package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// maxNamed is how many files a sentence names.
const maxNamed = 10

// headline says in one line what came of it, and in another which files changed.
func (r Summary) headline() string {
	if len(r.Results) == 0 {
		return r.nothing()
	}
	n := record.Count(r.Results)
	text := fmt.Sprintf("**Applied %d, failed %d, skipped %d of %d %s**", n.Applied, n.Failed, n.Skipped, len(r.Results), markdown.Plural(len(r.Results), "edit"))
	if len(r.Changed) > 0 {
		text += fmt.Sprintf(" in %d %s", len(r.Changed), markdown.Plural(len(r.Changed), "file"))
	}
	return markdown.JoinSections([]string{text + r.landed(), r.Source, r.uncommitted(), r.moved(), r.changedList()})
}

// uncommitted says why edits that fit were not committed, and what can be done.
func (r Summary) uncommitted() string {
	switch {
	case r.Held:
		return "**Not committed**: not all edits fit, and the settings of this repository want all or none."
	case r.Unpushed != "":
		return strings.TrimSpace("**Not pushed**: " + markdown.Plain(strings.TrimSuffix(markdown.Clip(r.Unpushed, maxReason), "."), "") + ". " + SuggestedWords(r.Notes, r.Unoffered))
	}
	return ""
}

func (r Summary) moved() string {
	if r.SHA == "" || r.Moves == 0 {
		return ""
	}
	return "The branch moved meanwhile, so the edits were applied again, to its new tip."
}

// landed says where the commit is.
func (r Summary) landed() string {
	if r.SHA == "" {
		return " · nothing was committed"
	}
	text := fmt.Sprintf(" · [`%.7s`](%s/commit/%s) on %s", r.SHA, r.RepoURL, r.SHA, markdown.Code(markdown.Clip(r.Branch, markdown.MaxCell)))
	if r.Pull != 0 {
		text += fmt.Sprintf(" · pull request [#%d](%s)", r.Pull, r.PullURL)
	}
	return markdown.JoinSections([]string{text, r.Unopened})
}

func (r Summary) changedList() string {
	if len(r.Changed) == 0 {
		return ""
	}
	var names []string
	for _, name := range r.Changed[:min(len(r.Changed), maxNamed)] {
		names = append(names, r.fileLink(markdown.Code(markdown.Clip(name, markdown.MaxCell)), name, 0))
	}
	text := "Changed: " + strings.Join(names, ", ")
	if r.SHA == "" {
		text = "Would change: " + strings.Join(names, ", ")
	}
	if more := len(r.Changed) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// fileLink makes a link of shown, to a file at the new commit; to a line of it where there is one.
func (r Summary) fileLink(shown, name string, line int) string {
	if r.SHA == "" {
		return shown
	}
	return blobLink(shown, r.RepoURL, r.SHA, name, line)
}

// maxLink is the longest address that is worth a link, in bytes.
const maxLink = 500

// blobLink makes a link of shown, to a file at a commit.
func blobLink(shown, repoURL, sha, name string, line int) string {
	link := fmt.Sprintf("%s/blob/%s/%s", repoURL, sha, escapePath(name))
	if line > 0 {
		link += fmt.Sprintf("#L%d", line)
	}
	if len(link) > maxLink {
		return shown
	}
	return fmt.Sprintf("[%s](%s)", shown, link)
}

// nothing is the headline where the model made no edit.
func (r Summary) nothing() string {
	switch {
	case r.Reply.NoChange:
		return "**Nothing was changed**: the model found nothing to change."
	case len(r.Reply.Problems) > 0:
		return "**Nothing was changed**: the model's reply holds no edit block that is whole."
	}
	return "**Nothing was changed**: the model's reply holds no edit."
}
