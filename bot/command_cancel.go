package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// maxLineShown is how many commands of a thread one answer lists.
const maxLineShown = 20

// runCancel ends what is in work on the thread and drops what waits there.
func runCancel(ctx context.Context, s *session) error {
	list, err := s.Line.Cancel(ctx, s.ev)
	if err != nil {
		return fmt.Errorf("cancelling: %w", err)
	}
	var ended []ended
	for _, w := range s.commandsOf(list) {
		e, err := s.endOf(ctx, w)
		if err != nil {
			return err
		}
		if !e.late {
			s.tryUntick(ctx, w.Event)
		}
		ended = append(ended, e)
	}
	return s.reply(ctx, s.cancelAnswer(ended))
}

// ended is a command that was cancelled, or could not be any more.
type ended struct {
	Waiting
	late bool
}

// endOf says whether a command was cancelled in time.
func (s *session) endOf(ctx context.Context, w Waiting) (ended, error) {
	run, _, err := s.Line.FindRun(ctx, RunID(w.Event.Delivery))
	if err != nil && !errors.Is(err, ErrNotFound) {
		return ended{}, fmt.Errorf("looking how far a run is: %w", err)
	}
	return ended{w, delivers(run)}, nil
}

// commandsOf are those in a line that ask for something, as far as it is known.
func (s *session) commandsOf(line []Waiting) (out []Waiting) {
	for _, w := range line {
		if _, ok := s.asked(w.Event); ok && !s.maybeNothing(w.Event) {
			out = append(out, w)
		}
	}
	return out
}

func (s *session) cancelAnswer(list []ended) string {
	if len(list) == 0 {
		return fmt.Sprintf("Nothing was in work on this %s and nothing waited, so there was nothing to cancel.", s.ev.Thread.kind())
	}
	var b strings.Builder
	b.WriteString("🛑 **Cancelled**\n")
	if !anyInTime(list) {
		b.Reset()
		b.WriteString("⏳ **Too late to cancel**\n")
	}
	for _, e := range list[:min(len(list), maxLineShown)] {
		b.WriteString("\n- " + s.commandWords(e.Event) + e.words())
	}
	if n := len(list) - maxLineShown; n > 0 {
		fmt.Fprintf(&b, "\n- … and %d more", n)
	}
	return b.String()
}

func anyInTime(list []ended) bool {
	for _, e := range list {
		if !e.late {
			return true
		}
	}
	return false
}

// words say what became of the command.
func (e ended) words() string {
	switch {
	case e.late:
		return " is **not** cancelled: it was committing already. Its answer says what came of it"
	case e.Working:
		return ", which was in work; nothing of it was committed"
	}
	return ", which waited"
}

// commandWords names a command, with a link to it.
func (s *session) commandWords(ev Event) string {
	verb := "a command"
	if inv, ok := s.asked(ev); ok {
		verb = fmt.Sprintf("`/tenon %s`", inv.command.Verb)
	}
	if ev.Comment.URL != "" {
		verb = fmt.Sprintf("[%s](%s)", verb, ev.Comment.URL)
	}
	return verb + " of " + plainLogin(ev.Sender.Login)
}

// kind is what people call the thread.
func (t Thread) kind() string {
	if t.Pull {
		return "pull request"
	}
	return "issue"
}
