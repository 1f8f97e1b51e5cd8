package bot

import "strings"

// report is the answer to a fix: what became of each block, and all that the person needs to go on.
func (s *session) report(head target, q question, t talk, made committed) string {
	r := s.summary(head, q, t, made)
	if page := s.pullURL(head); page != "" {
		r.CheckURL = page + "/checks"
	}
	return r.body()
}

// pullURL is the page of the pull request that the run is about; empty when there is none.
func (s *session) pullURL(head target) string {
	if s.ev.Thread.Pull {
		return s.ev.Thread.URL
	}
	return head.PullURL
}

func (s *session) summary(head target, q question, t talk, made committed) summary {
	r := summary{
		RepoURL: s.repoURL(), Branch: head.Branch, SHA: made.SHA, Base: made.Base, Moves: made.Moves,
		Held: made.Held, Unpushed: made.Unpushed, Patch: made.Patch, Notes: len(made.Notes), Unoffered: made.Unoffered,
		Results: made.Results, Changed: made.Changed,
		Reply: t.reply(), Context: q, Costs: s.costs(t),
		Offers: s.offers,
	}
	if r.Addressed = addressedIn(q, t, made.Results); r.Addressed != nil {
		r.Reply.Prose, r.Reply.NoChange = withoutRemarks(r.Reply.Prose), r.Reply.NoChange || t.remarked()
	}
	if head.Fork != nil && made.SHA != "" {
		r.RepoURL = strings.TrimSuffix(r.RepoURL, s.ev.Repo.String()) + head.Fork.String()
	}
	if !s.ev.Thread.Pull && head.Pull != 0 {
		r.Pull, r.PullURL = head.Pull, head.PullURL
	}
	if head.Unopened != "" {
		r.Unopened = unopenedText(head, r.RepoURL)
	}
	return r
}

// offers says that there is a command, and that the settings allow it.
func (s *session) offers(verb string) bool {
	c, ok := commandNamed(verb)
	return ok && s.permits(c) == nil
}

// checkOf is the check of a run that came to its end.
func (s *session) checkOf(j job, made committed) Check {
	return s.summary(j.target, j.question, j.talk, made).check()
}

// costs are the figures of the run until now.
func (s *session) costs(t talk) costs {
	c := costs{Model: t.last().Model, Calls: len(t.turns), Usage: t.usage(), Took: s.Now().Sub(s.run.Started), Run: s.run.ID}
	c.Dollars, c.Priced = s.cost(t)
	if n := len(t.turns); n > 0 {
		c.Warning = t.turns[n-1].Warning
	}
	return c
}

// subject is the command that the answers of the run are about.
func (s *session) subject() Subject {
	return Subject{Event: s.ev, Command: s.inv.command, Text: s.inv.text, Run: s.run.ID, Offers: s.offers}
}

// repoURL is the repository's page.
func (s *session) repoURL() string { return RepoURL(s.ev.Thread) }

// verbOf is the verb that an event gives; empty when it gives none.
func (s *session) verbOf(ev Event) string {
	inv, _ := s.asked(ev)
	return inv.command.Verb
}
