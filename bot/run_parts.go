package bot

import (
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
)

func (r *run) answers() answers { return r.answersMentioning(r.mentions) }

// answersMentioning is answers for a final answer that mentions the sender, or does not.
func (r *run) answersMentioning(mention bool) answers {
	return answers{
		github: r.bot.GitHub, thread: r.thread(), ev: r.ev, command: r.inv.Command, journal: r.journal, now: r.bot.Now,
		signOff: r.bot.signOff(r.ev, r.id(), mention), mark: r.sealer().mark, unsure: r.progress.unsure.Load(),
		token: r.bot.Token, boxes: r.mayHoldBack(),
	}
}

func (r *run) sealer() sealer {
	return sealer{key: r.bot.Marks, journal: r.journal, ev: r.ev, immediate: r.inv.Command.Immediate, now: r.bot.Now,
		log: r.log}
}

func (r *run) reporter() reporter {
	return reporter{github: r.bot.GitHub, subject: r.subject(), journal: r.journal, models: r.models(),
		round: roundName(r.ev),
		token: r.bot.Token, warnOnly: r.policy.WarnOnly, reserved: r.sealer().reserved(), now: r.bot.Now}
}

func (r *run) previewer() previewer {
	return previewer{answers: r.answers(), reporter: r.reporter(), sealer: r.sealer(), log: r.log, signOff: r.bot.signOff}
}

func (r *run) offerer() offerer {
	return offerer{answers: r.answers(), sealer: r.sealer(), log: r.log, offers: r.offers}
}

func (r *run) changer() changer {
	return changer{files: r.files, messages: r.messages(), policy: r.policy}
}

func (r *run) pullOpener() pullOpener {
	return pullOpener{github: r.bot.GitHub, history: r.history(), files: r.files, ev: r.ev, journal: r.journal, log: r.log,
		isOwn: r.bot.isOwn, verbOf: r.verbOf}
}

func (r *run) sourceFinder() sourceFinder {
	return sourceFinder{github: r.bot.GitHub, history: r.history(), ev: r.ev, slug: r.bot.Slug, isOwn: r.bot.isOwn,
		run: r.inv.Run, numbers: r.inv.Numbers}
}

func (r *run) checks() checks {
	return checks{github: r.bot.GitHub, watches: r.bot.Watches, ev: r.ev, command: r.inv.Command, journal: r.journal,
		pages: r.bot.Pages, log: r.log}
}

func (r *run) messages() messages {
	rec := r.journal.Record()
	return messages{own: r.bot.account(), ev: r.ev, run: rec.ID, started: rec.Started}
}

func (r *run) committer() committer {
	return committer{
		github: r.bot.GitHub, again: r.askAgain, moveOf: r.mover().moveOf, files: r.files, ev: r.ev, policy: r.policy,
		journal: r.journal, messages: r.messages(), progress: r.progress, log: r.log, verifier: r.verifier(),
		token: r.bot.Token,
	}
}

func (r *run) verifier() verifier {
	return verifier{
		github: r.bot.GitHub, watches: r.bot.Watches, files: r.files, ev: r.ev, journal: r.journal, run: r.id(),
		now: r.bot.Now, cancelled: r.cancelled, log: r.log,
	}
}

func (r *run) prompter() prompter {
	return prompter{
		github: r.bot.GitHub, ci: r.ci(), repos: r.bot.Repos, files: r.files, documents: r.bot.Documents, ev: r.ev,
		admit: r.bot.Admit, formats: r.bot.Formats,
		trigger: r.trigger, triggerKind: r.triggerKind, slug: r.bot.Slug, options: r.inv.Options, policy: r.policy,
		isOwn: r.bot.isOwn, people: r.people, newKey: r.bot.newKey,
	}
}

func (r *run) dialogue() dialogue {
	return dialogue{
		model: r.bot.Model, budget: r.bot.Budget, prompter: r.prompter(), files: r.files, ev: r.ev, policy: r.policy,
		models: r.models(), journal: r.journal, progress: r.progress, audience: r.bot.audience(), log: r.log, now: r.bot.Now,
	}
}

// subject is the command that the answers of the run are about.
func (r *run) subject() report.Subject {
	return report.Subject{Event: r.ev, Command: r.inv.Command, Text: r.inv.Text, Run: r.id(), Pages: r.bot.Pages,
		Links: r.links(), Offers: r.offers}
}

func (r *run) ci() ciReader {
	return ciReader{ci: r.bot.GitHub, repo: r.ev.Repo, logs: r.logs, log: r.log}
}

// signOff returns the last line of the final answer to a run of an event.
func (b *Bot) signOff(ev port.Event, run string, mention bool) string {
	s := report.SignOff{Login: ev.Sender.Login, Run: run, Mention: mention, Pages: b.Pages}
	if ev.Kind == port.OnPage && ev.Button != nil {
		s.On = ev.Button.Run
	}
	return s.Text()
}
