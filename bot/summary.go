package bot

import (
	"cmp"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// reporter tells what a run came to.
type reporter struct {
	github  port.Forge
	subject report.Subject
	journal *record.Journal
	models  models
	// round says which round of autofix the run is; empty if it is none.
	round string
	token port.TokenKind
	// warnOnly reports whether edits after which a file does not parse are committed with a warning.
	warnOnly bool
	// reserved is the room that answers leave for marks, in characters.
	reserved int
	now      func() time.Time
}

func (r reporter) links() port.Links { return r.github.Links(r.subject.Event.Thread) }

// pullPage returns the page of the pull request that the run is about, empty if there is none.
func (r reporter) pullPage(t record.Target) string {
	if thread := r.subject.Event.Thread; thread.Pull {
		return thread.URL
	}
	return t.PullURL
}

// checkPage returns the page with the check run of a run that commits, or committed, to a target; empty if it makes
// none.
func (r reporter) checkPage(t record.Target, sha string) string {
	page := r.pullPage(t)
	if page == "" || sha == "" && workedOn(r.journal.Record(), r.subject.Command) == "" ||
		!r.github.Has(port.FeatureChecks) {
		return ""
	}
	return r.links().Checks(page)
}

// withCheck returns the summary of an answer, which links to the check run.
func (r reporter) withCheck(s report.Summary) report.Summary {
	s.CheckURL = r.checkPage(record.Target{PullURL: s.PullURL}, s.SHA)
	return s
}

// summary is what the end of the run is told from.
func (r reporter) summary(j conversation.Job, commit record.Committed) report.Summary {
	head, ev := j.Target, r.subject.Event
	_, rewritten := j.Conversation.MovedTo()
	s := report.Summary{
		// The subject is that of the commit, or the one that the model proposed for it.
		Subject:    cmp.Or(commit.Subject, proposedSubject(j.Conversation.Prose())),
		RequestURL: requestURL(ev), Round: r.round,
		Links: r.links(), Branch: head.Branch, SHA: commit.SHA, Base: commit.Base,
		Moves: max(commit.Moves, rewritten), Rewritten: rewritten > 0,
		Held: commit.Held, Unpushed: commit.Unpushed, Patch: commit.Patch, Conflicts: commit.Conflicts,
		Offered: len(commit.Notes), Unoffered: commit.Unoffered,
		Said: commit.Said, Cautions: commit.Cautions, Test: r.journal.Record().LastVerification(),
		Results: commit.Results, Changed: commit.Changed,
		ByJob: r.token == port.JobToken,
		Reply: j.Conversation.Reply(), Context: j.Prompt, Choice: j.Conversation.Choice,
		Costs:  r.costs(j.Conversation),
		Offers: r.subject.Offers, Moved: head.Moved, At: head.SHA, CutIssue: j.CutIssue, Reserved: r.reserved,
	}
	if s.Addressed = conversation.ThreadOutcomes(j.Prompt, j.Conversation, commit.Results); s.Addressed != nil {
		s.Reply.NoChange = s.Reply.NoChange || j.Conversation.HasRemarks()
	}
	if head.Fork != nil {
		s.Upstream = s.Links.Repository()
	}
	if head.Fork != nil && commit.SHA != "" {
		s.Links = s.Links.Of(head.Fork.String())
	}
	if !ev.Thread.Pull && head.Pull != 0 {
		s.Pull, s.PullURL = head.Pull, head.PullURL
	}
	if head.Unopened != "" {
		s.Unopened = report.UnopenedNotice(head, s.Links)
	}
	return s
}

// requestURL returns the page of what asked for a run: the comment, or what the label is on; empty for a button.
func requestURL(ev port.Event) string {
	if ev.Comment.URL == "" && ev.Kind == port.Labeled {
		return ev.Thread.URL
	}
	return ev.Comment.URL
}

// costs are the figures of the run until now.
func (r reporter) costs(c conversation.Conversation) record.Costs {
	rec := r.journal.Record()
	out := record.Costs{
		Model: c.LastAnswer().Model, Calls: len(c.Calls()), Usage: c.Usage(), Took: r.now().Sub(rec.Started), Run: rec.ID,
	}
	out.Dollars, out.Priced = r.models.cost(c)
	if n := len(c.Turns); n > 0 {
		out.Warning = c.Turns[n-1].Warning
	}
	return out
}

// preview returns the answer to a preview: now, and after each commit of some of its blocks.
func (r reporter) preview(v history.Preview, outcomes history.BlockOutcomes, ticked []int) report.Preview {
	s := r.summary(v.Job, record.Committed{Application: v.Application})
	s.Preview, s.Costs = true, v.Costs
	s.PreviewOnly, s.HeldBack = v.Event.Kind == port.Labeled && !v.HeldBack, v.HeldBack
	s.CheckURL = r.checkPage(v.Target, "")
	// Nothing has failed to be committed yet.
	s.Offers = func(verb string) bool { return verb != command.Retry && r.subject.Offers(verb) }
	return report.Preview{Summary: s, Run: v.Run, ReadOnly: v.Target.ReadOnly, Outcomes: outcomes, Ticked: ticked,
		First: v.Shown, WarnOnly: r.warnOnly}
}
