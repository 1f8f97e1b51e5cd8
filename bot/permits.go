package bot

import (
	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// permits returns a *port.UserError if the settings of the repository do not allow a command.
func (r *run) permits(c command.Command) error {
	if handler(c) == nil || c.AlwaysAllowed {
		return nil
	}
	p := r.policy
	if broken, ok := p.Closed(); ok {
		return sentence.SettingsUnreadable(r.settings().Problem(broken))
	}
	if p.Disabled {
		return sentence.Disabled(r.settings().Sources("enabled"))
	}
	if !p.AllowsCommand(c) {
		return sentence.VerbNotAllowed(c.Verb, r.settings().Sources("verbs"), policy.WordsOr(p.Verbs, "nothing else"))
	}
	return nil
}

// settings tells of the settings of the repository.
func (r *run) settings() report.Settings {
	return report.Settings{Policy: r.policy, Links: r.links()}
}

// offers reports whether there is a command of this verb, and the settings allow it.
func (r *run) offers(verb string) bool {
	c, ok := command.Lookup(verb)
	return ok && r.permits(c) == nil
}
