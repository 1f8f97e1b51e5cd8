package bot

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// report is the answer to a fix: what became of each block, and all that the person needs to go on.
func (s *session) report(head record.Target, q record.Prompt, t conversation.Conversation, made record.Committed) string {
	r := s.summary(head, q, t, made)
	if page := s.pullURL(head); page != "" {
		r.CheckURL = page + "/checks"
	}
	return r.Body()
}

// pullURL is the page of the pull request that the run is about; empty when there is none.
func (s *session) pullURL(head record.Target) string {
	if s.ev.Thread.Pull {
		return s.ev.Thread.URL
	}
	return head.PullURL
}

func (s *session) summary(head record.Target, q record.Prompt, t conversation.Conversation, made record.Committed) report.Summary {
	r := report.Summary{
		RepoURL: s.repoURL(), Branch: head.Branch, SHA: made.SHA, Base: made.Base, Moves: made.Moves,
		Held: made.Held, Unpushed: made.Unpushed, Patch: made.Patch, Notes: len(made.Notes), Unoffered: made.Unoffered,
		Results: made.Results, Changed: made.Changed,
		Reply: t.Reply(), Context: q, Costs: s.costs(t),
		Offers: s.offers,
	}
	if r.Addressed = conversation.AddressedThreads(q, t, made.Results); r.Addressed != nil {
		r.Reply.Prose, r.Reply.NoChange = conversation.WithoutRemarks(r.Reply.Prose), r.Reply.NoChange || t.Remarked()
	}
	if head.Fork != nil && made.SHA != "" {
		r.RepoURL = strings.TrimSuffix(r.RepoURL, s.ev.Repo.String()) + head.Fork.String()
	}
	if !s.ev.Thread.Pull && head.Pull != 0 {
		r.Pull, r.PullURL = head.Pull, head.PullURL
	}
	if head.Unopened != "" {
		r.Unopened = report.UnopenedText(head, r.RepoURL)
	}
	return r
}

// offers says that there is a command, and that the settings allow it.
func (s *session) offers(verb string) bool {
	c, ok := command.Named(verb)
	return ok && s.permits(c) == nil
}

// checkOf is the check of a run that came to its end.
func (s *session) checkOf(j conversation.Job, made record.Committed) port.Check {
	return s.summary(j.Target, j.Question, j.Talk, made).Check()
}

// costs are the figures of the run until now.
func (s *session) costs(t conversation.Conversation) record.Costs {
	c := record.Costs{Model: t.Last().Model, Calls: len(t.Turns), Usage: t.Usage(), Took: s.Now().Sub(s.Run.Started), Run: s.Run.ID}
	c.Dollars, c.Priced = s.cost(t)
	if n := len(t.Turns); n > 0 {
		c.Warning = t.Turns[n-1].Warning
	}
	return c
}

// subject is the command that the answers of the run are about.
func (s *session) subject() report.Subject {
	return report.Subject{Event: s.ev, Command: s.inv.Command, Text: s.inv.Text, Run: s.Run.ID, Offers: s.offers}
}

// repoURL is the repository's page.
func (s *session) repoURL() string { return report.RepoURL(s.ev.Thread) }

// verbOf is the verb that an event gives; empty when it gives none.
func (s *session) verbOf(ev port.Event) string {
	inv, _ := s.asked(ev)
	return inv.Command.Verb
}
