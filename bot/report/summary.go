// Package report turns records of runs into what people read of them: the Markdown of answers and of pull requests,
// check runs, suggestions and patches. It is pure: it reads no clock, no disk and no network.
package report

import (
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// Bounds on an answer, in characters. Those within it keep one huge reply from crowding out the rest.
const (
	// bodyRoom is what an answer may fill: GitHub's limit without the marker and a margin.
	bodyRoom = markdown.MaxBody - 1000
	// maxProse bounds what is shown of a model's own words.
	maxProse = 4000
	// maxReason bounds what is shown of the reasons that others give, such as GitHub's for a refusal.
	maxReason = 1000
)

// Summary is the end of a run, from which every part of its answer is made.
type Summary struct {
	// RepoURL is the page of the repository that was committed to, without a slash at its end.
	RepoURL string
	// Branch is where the commit went and SHA the commit; SHA is empty if there is none. Base is the commit to which the
	// edits were applied.
	Branch, SHA, Base string
	// Moves is how often the branch moved before the commit was accepted.
	Moves int
	// Pull is the pull request that was opened or found for an issue; 0 if there is none.
	Pull    int
	PullURL string
	// Unopened says, as Markdown, that GitHub opened none.
	Unopened string
	// Held reports that nothing was committed because not all edits fit. Unpushed is why edits that fit were not
	// committed, in anybody's words, and Patch makes them by hand.
	Held     bool
	Unpushed string
	Patch    record.Patch
	// Offered and Unoffered count the changes that are suggestions on the diff, and those that cannot be.
	Offered, Unoffered int
	// Preview reports that nothing was to be committed yet.
	Preview bool
	Results []record.Result
	// Changed are the files that the edits changed, or would change.
	Changed []string
	// Addressed are the review threads that the run was about.
	Addressed []conversation.ThreadOutcome
	// Source says, as Markdown, where the edits are from; empty if the run asked a model for them.
	Source string

	Reply   conversation.Reply
	Context record.Prompt
	Costs   record.Costs
	// Offers reports whether a command may be given here: no other is hinted at. nil means that none may.
	Offers func(verb string) bool
	// CheckURL is the page of the check run, which has room for more; empty if there is none.
	CheckURL string
}

func (r Summary) offers(verb string) bool { return r.Offers != nil && r.Offers(verb) }

// Body returns the answer. If not everything fits, whole rows and folds are left out, and it says so.
func (r Summary) Body() string {
	above := []string{r.headline(), r.threads(), r.statement()}
	below := []string{r.explanation(), r.commandList(), r.problemList(), contextFold(r.Context, r.Reply.Given), r.footer()}
	room := bodyRoom - size(above...) - size(below...)
	patch, room := r.patchFold(room)
	table, room := r.table(room)
	sections := append(above, table, patch, r.folds(room))
	return markdown.JoinSections(append(sections, below...))
}

// size returns the room that sections take in an answer, each with the blank line after it.
func size(sections ...string) (n int) {
	for _, text := range sections {
		n += utf8.RuneCountInString(text) + len("\n\n")
	}
	return n
}

// elsewhere says where people can read what does not fit.
func (r Summary) elsewhere() string {
	if r.CheckURL == "" {
		return ""
	}
	return ", all of them in [the check](" + r.CheckURL + ")"
}
