package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

// maxWhy bounds the sentence of an audit about why a command was refused, in bytes.
const maxWhy = 300

// Describe returns a function that tells what the run of an event came to, as far as its record does: of a run that
// cannot say so itself. slug returns the name of the app, models are those of the server.
func Describe(slug func() string, all []port.ModelInfo) func(port.Event, port.Run) port.Ended {
	return func(ev port.Event, stored port.Run) port.Ended {
		rec, err := record.Load(stored)
		if err != nil {
			rec = record.Header(stored)
		}
		e := record.Ended(ev, rec, models{all: all}.price)
		if inv, ok := command.FromEvent(ev, slug(), ev.Label); ok && !ev.Sender.Bot {
			e.Command = inv.Command.Verb
		}
		return e
	}
}

// auditor tells an audit what a run does.
type auditor struct {
	audit   port.Audit // nil tells nobody
	ev      port.Event
	journal *record.Journal
	models  models
	// verb is that of the command of the event, which a retry does not carry out itself. problem is what is wrong with
	// the command as it was written; empty if nothing is.
	verb, problem string
	admission     admission
	now           func() time.Time
}

func (r *run) auditor() auditor {
	return auditor{audit: r.bot.Audit, ev: r.ev, journal: r.journal, models: models{all: r.bot.Models},
		verb: r.verbOf(r.ev), problem: r.inv.Problem, admission: r.admission, now: r.bot.Now}
}

// ended tells what the run has come to, should it end with this attempt, by an error or by none. running is the context
// of the run, which a cancel ends.
func (a auditor) ended(running context.Context, err error) {
	if a.audit == nil {
		return
	}
	if e := a.endOf(running, err); e.Outcome != "" {
		a.audit.Ended(a.ev, e)
	}
}

// committing tells that the run is about to commit.
func (a auditor) committing(ctx context.Context) error {
	if a.audit == nil {
		return nil
	}
	e := a.soFar()
	e.Outcome = port.EndCommitting
	if err := a.audit.Committing(ctx, a.ev, e); err != nil {
		return fmt.Errorf("noting that there will be a commit: %w", err)
	}
	return nil
}

// soFar is what the run has come to so far.
func (a auditor) soFar() port.Ended {
	e := record.Ended(a.ev, a.journal.Record(), a.models.price)
	e.Command, e.Permission, e.At = a.verb, a.admission.permission, a.now()
	return e
}

// endOf is what the run came to if it ends with an error, or with none. There is no outcome if what it is about turned
// out to be no command. running is the context of the run, which a cancel ends.
func (a auditor) endOf(running context.Context, err error) port.Ended {
	e := a.soFar()
	e.Formats = a.formats()
	var user *port.UserError
	var wait *port.WaitError
	var stopped *stoppedError
	by := cancelled(running)
	switch {
	case err == nil:
	case errors.Is(err, errTurnedAway):
		if e.Outcome, e.Reason = port.EndRefused, a.admission.turned; a.admission.turned == "" {
			e.Outcome = ""
		}
	case errors.As(err, &stopped):
		e.Outcome, e.Reason, e.Why = port.EndCancelled, port.ReasonStopped, why(stopped.why)
	case by != nil:
		e.Outcome, e.By = port.EndCancelled, by.By
	case errors.As(err, &wait):
		e.Outcome, e.Reason, e.Why = port.EndFailed, port.ReasonWait, why(string(wait.For))
	case errors.As(err, &user):
		e.Outcome, e.Reason, e.Why = port.EndRefused, user.Reason, why(user.Text)
		switch {
		case a.problem != "": // it quotes the comment
			e.Reason, e.Why = port.ReasonUsage, ""
		case user.Reason == "":
			e.Reason = port.ReasonState
		}
	case errors.Is(err, errNoThread):
		e.Reason = port.ReasonState
	default:
		e.Outcome, e.Reason, e.Why = port.EndFailed, port.ReasonError, why(err.Error())
	}
	return e
}

// formats counts the edits of the run by their formats. Nothing is counted of a conversation that cannot be read.
func (a auditor) formats() []port.FormatCount {
	c, err := conversation.Recorded(a.journal.Record())
	if err != nil {
		return nil
	}
	return c.Formats(a.journal.Record().Made())
}

// why returns the beginning of a sentence, without secrets.
func why(text string) string { return markdown.CutBytes(secret.Fragment(text), maxWhy) }
