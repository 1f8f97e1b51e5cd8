package report

import (
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// bodyRoom is what an answer may fill: GitHub's limit, less the marker and a margin.
const bodyRoom = markdown.MaxBody - 1000

// Bounds within an answer, so that one huge reply leaves room for the rest, in characters.
const (
	// maxProse is how much of a model's own words is shown.
	maxProse = 4000
	// maxReason is how much is shown of what somebody else says against it.
	maxReason = 1000
)

// summary is what the end of a run is told from. Every part of an answer is made from it alone.
type Summary struct {
	// RepoURL is the repository's page, without a slash at its end.
	RepoURL string
	// Branch is where the commit went, SHA the commit; empty when there is none. Base is the commit that the edits were tried on.
	Branch, SHA, Base string
	// Moves is how often the branch moved before the commit got through.
	Moves int
	// Pull is the pull request that was made or found for an issue; 0 for none.
	Pull    int
	PullURL string
	// Unopened says, as Markdown, that GitHub opened none.
	Unopened string
	// Held says that nothing was committed because not all edits fit; Unpushed, in words of anybody, why what fits was not.
	// Patch is then the way to do it by hand.
	Held     bool
	Unpushed string
	Patch    record.Patch
	// Notes and Unoffered count the changes that are suggestions on the diff, and those that cannot be.
	Notes, Unoffered int
	// Preview says that nothing was to be committed yet.
	Preview bool
	Results []record.Result
	Changed []string
	// Addressed are the review threads that were to be settled.
	Addressed []conversation.Addressed
	// Source says, as Markdown, where the edits are from; empty where this run's model wrote them.
	Source string

	Reply   conversation.Reply
	Context record.Prompt
	Costs   record.Costs
	// Offers says which commands the person can give: a hint at any other is left out. nil means none.
	Offers func(verb string) bool
	// CheckURL is the page of the check run, which has room for more; empty when there is none.
	CheckURL string
}

func (r Summary) offers(verb string) bool { return r.Offers != nil && r.Offers(verb) }

// body is the whole answer: where it does not fit, whole rows and folds are left out, and it says so.
func (r Summary) Body() string {
	above := []string{r.headline(), r.threads(), r.words()}
	below := []string{r.explanation(), r.suggestionList(), r.problemList(), contextFold(r.Context), r.footer()}
	room := bodyRoom
	for _, text := range append(above, below...) {
		room -= utf8.RuneCountInString(text) + len("\n\n")
	}
	patch, room := r.patchFold(room)
	table, room := r.table(room)
	sections := append(above, table, patch, r.folds(room))
	return markdown.JoinSections(append(sections, below...))
}

// elsewhere says where what does not fit here can be read.
func (r Summary) elsewhere() string {
	if r.CheckURL == "" {
		return ""
	}
	return ", all of them in [the check](" + r.CheckURL + ")"
}
