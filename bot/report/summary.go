// Package report turns records of runs into what people read of them: the Markdown of answers and of pull requests,
// check runs, suggestions and patches. It is pure: it reads no clock, no disk and no network.
package report

import (
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
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
	// Subject is the first line of the commit, or of the one that the model proposed; empty if there is none.
	Subject string
	// RequestURL is the page of the comment, issue or pull request that asked for the run; empty if there is none.
	RequestURL string
	// Round says which round of autofix the run is, as "round 1 of autofix"; empty if a person asked for it. RequestURL is
	// then the answer whose commit CI failed on.
	Round string
	// Links are those of the repository that was committed to.
	Links port.Links
	// Branch is where the commit went and SHA the commit; SHA is empty if there is none. Base is the commit to which the
	// edits were applied.
	Branch, SHA, Base string
	// Moves is how often the branch moved before the commit was accepted, and Rewritten reports that the model was asked
	// again because it moved over the same lines. Moved is the commit that it pointed to when the command was given, if
	// it moved before the run began its work, at the commit At.
	Moves     int
	Rewritten bool
	Moved, At string
	// CutIssue reports that the model read only the beginning of a stranger's issue, PreviewOnly that the run commits
	// nothing because a label adopted a stranger's text.
	CutIssue, PreviewOnly bool
	// Cautions are what of the edits deserves a look. HeldBack reports that the edits are shown and not committed because
	// of them.
	Cautions []record.Caution
	HeldBack bool
	// Pull is the pull request that was opened or found for an issue; 0 if there is none.
	Pull    int
	PullURL string
	// Unopened says, as Markdown, that GitHub opened none.
	Unopened string
	// Held reports that nothing was committed because not all edits fit. Unpushed is why edits that fit were not
	// committed, in anybody's words, Said are GitHub's words for that, and Patch makes them by hand.
	Held           bool
	Unpushed, Said string
	Patch          record.Patch
	// Upstream is the page of the repository that the branch's is a fork of; empty if it is none.
	Upstream string
	// Test is how a workflow's test of the edits ended; the zero value if there was none.
	Test record.Verification
	// ByJob reports that the token of a job of GitHub Actions made the commit.
	ByJob bool
	// Conflicts makes the edits of files that got other changes in the same lines, for these files as they were.
	Conflicts record.Patch
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
	// Choice is the model's choice of files; nil if it was not asked to choose.
	Choice *record.FileChoice
	Costs  record.Costs
	// Offers reports whether a command may be given here: no other is mentioned. nil means that none may.
	Offers func(verb string) bool
	// Reserved is how much of the room of a comment is for something else than the answer, in characters.
	Reserved int
	// whole reports that there is room for whole diffs.
	whole bool
	// deed is what the run did; the zero value is committing edits. lead and about say more of it, as Markdown: in a
	// line or list of its own, and in a few words.
	deed        deed
	lead, about string
	// undoneMerge warns of a merge that was undone; else empty.
	undoneMerge string
	// mergedFrom is the branch that was to be merged; empty for any other deed.
	mergedFrom string
	// settled lists what conflicts of a merge became, as Markdown.
	settled string
	// CheckURL is the page of the check run, which has room for more; empty if there is none.
	CheckURL string
}

func (r Summary) offers(verb string) bool { return r.Offers != nil && r.Offers(verb) }

// Body returns the answer: the change first, then what failed and what can be done, and the rest in a fold. If not
// everything fits, whole diffs and folds are left out, and it says so.
func (r Summary) Body() string {
	above := []string{r.opening(), r.remarks(), r.notes(), r.settled}
	below := []string{r.closing(), r.details()}
	room := r.room() - size(above...) - size(below...)
	failures, left := r.failures(room / 2)
	patch, room := r.patchFold(room - room/2 + left)
	sections := append(above, failures, r.diffs(room), patch)
	return markdown.JoinSections(append(sections, below...))
}

// room returns what the answer may fill, in characters.
func (r Summary) room() int { return bodyRoom - r.Reserved }

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
