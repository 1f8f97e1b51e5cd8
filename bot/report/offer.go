package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/message"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Offer is a comment that offers to open a pull request with the edits of a run, which its branch does not take.
type Offer struct {
	// Run is the run, Answer the page of its answer, and Edits how many edits fit.
	Run, Answer string
	Edits       int
	// Branch is the one that takes no commits, From the one that would be made.
	Branch, From string
}

// Marker is how the offer is known when its box is ticked.
func (o Offer) Marker() string { return fmt.Sprintf("<!-- tenon:offer=%s -->", o.Run) }

// Body returns the comment, with a box.
func (o Offer) Body() string {
	return markdown.JoinSections([]string{
		fmt.Sprintf("%s does not accept commits from this app.", branchName(o.Branch)),
		markdown.Box(1, false, fmt.Sprintf("Open a pull request against it with %s%s",
			english.PluralWord(o.Edits, "this edit", "these "+english.Plural(o.Edits, "edit", "")), o.link())),
		o.Marker(),
	})
}

// Done returns the comment when the branch is made; t is the target with the pull request.
func (o Offer) Done(t record.Target, repo port.Links) string {
	if t.Unopened != "" {
		return "⚠️ " + UnopenedNotice(t, repo)
	}
	return fmt.Sprintf("✅ Opened pull request [#%d](%s) with %s, from %s into %s%s.", t.Pull, t.PullURL,
		english.Plural(o.Edits, "edit", ""), branchName(o.From), branchName(o.Branch), o.link())
}

// link links to the answer.
func (o Offer) link() string {
	if o.Answer == "" {
		return ""
	}
	return fmt.Sprintf(" ([answer](%s))", o.Answer)
}

func branchName(name string) string { return markdown.Code(markdown.Clip(name, markdown.MaxCell)) }

// OfferedPull returns the title and the description of a pull request that a box opened.
func OfferedPull(s Subject, t record.Target, r Summary) (title, body string) {
	title = message.Title(t.Title, maxPullTitle, fmt.Sprintf("Changes for #%d", s.Event.Thread.Number))
	head := fmt.Sprintf("For #%d: %s does not accept commits from this app, so %s asked for them here.",
		s.Event.Thread.Number, branchName(t.Base), markdown.PlainLogin(s.Event.Sender.Login))
	var list strings.Builder
	for _, path := range r.Changed[:min(len(r.Changed), markdown.MaxListed)] {
		added, removed := 0, 0
		for _, row := range r.Results {
			if row.Path == path && row.Status.Applied() {
				added, removed = added+row.Added, removed+row.Removed
			}
		}
		parts := append([]string{pathInWords(path)}, linesChanged(added, removed)...)
		list.WriteString("\n- " + strings.Join(parts, " "))
	}
	files := strings.TrimPrefix(list.String(), "\n") + andMore(len(r.Changed), markdown.MaxListed)
	return title, markdown.JoinSections([]string{head, message.Shown(files)})
}
