package bot

import (
	"context"
	"errors"
	"fmt"

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

// tellEnd tells the audit what the run has come to, should it end with this attempt.
func (r *run) tellEnd(e port.Ended) {
	if r.bot.Audit != nil && e.Outcome != "" {
		r.bot.Audit.Ended(r.ev, e)
	}
}

// tellCommitting tells the audit that the run is about to commit.
func (r *run) tellCommitting(ctx context.Context) error {
	if r.bot.Audit == nil {
		return nil
	}
	e := r.soFar()
	e.Outcome = port.EndCommitting
	if err := r.bot.Audit.Committing(ctx, r.ev, e); err != nil {
		return fmt.Errorf("noting that there will be a commit: %w", err)
	}
	return nil
}

// soFar is what the run has come to so far.
func (r *run) soFar() port.Ended {
	e := record.Ended(r.ev, r.journal.Record(), models{all: r.bot.Models}.price)
	given, _ := r.bot.invocation(r.ev) // a retry carries another command out
	e.Command, e.Permission, e.At = given.Command.Verb, r.permission, r.bot.Now()
	return e
}

// endOf is what the run came to if it ends with an error, or with none. There is no outcome if what it is about turned
// out to be no command. running is the context of the run, which a cancel ends.
func (r *run) endOf(running context.Context, err error) port.Ended {
	e := r.soFar()
	e.Formats = r.formats()
	var user *port.UserError
	var wait *port.WaitError
	var stopped *stoppedError
	by := cancelled(running)
	switch {
	case err == nil:
	case errors.Is(err, errTurnedAway):
		if e.Outcome, e.Reason = port.EndRefused, r.turned; r.turned == "" {
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
		case r.inv.Problem != "": // it quotes the comment
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
func (r *run) formats() []port.FormatCount {
	c, err := conversation.Recorded(r.journal.Record())
	if err != nil {
		return nil
	}
	return c.Formats(r.journal.Record().Made())
}

// why returns the beginning of a sentence, without secrets.
func why(text string) string { return markdown.CutBytes(secret.Fragment(text), maxWhy) }
