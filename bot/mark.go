package bot

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Where no database keeps the records of runs, each answer has a mark with that of its run. GitHub's limit for comments
// is that of both: the answer leaves room for its mark, and a mark that would be too long has less of the record.

// Room that is left for marks, in characters.
const (
	// reservedForMarks is what an answer leaves for the mark of its run. A record takes about two thirds of what an answer
	// shows of it.
	reservedForMarks = 30_000
	// reservedForTicks is what a preview and its mark leave for the marks of runs that boxes of it start.
	reservedForTicks = 8_000
)

// roomBeside returns how much longer a comment may become, in characters.
func roomBeside(body string) int {
	return markdown.MaxBody - utf8.RuneCountInString(body) - len("\n\n")
}

// sealer makes the marks of a run.
type sealer struct {
	key     *marks.Key // nil makes none
	journal *record.Journal
	ev      port.Event
	// immediate reports whether the command is an immediate one, of which no later command needs to know.
	immediate bool
	now       func() time.Time
	log       *slog.Logger
}

// mark returns the mark of the run as it is now, for its answer, in at most room characters; empty if there is to be
// none.
func (s sealer) mark(final bool, room int) string {
	if rec := s.journal.Record(); rec.Preview != nil || len(rec.Resolutions) > 0 {
		room -= reservedForTicks
	}
	var run marks.Run
	if final {
		run.At = s.now()
	}
	return s.seal(run, room)
}

func (s sealer) seal(run marks.Run, room int) string {
	if s.key == nil || s.immediate {
		return ""
	}
	run.Event = s.ev
	mark, kept, err := s.key.Seal(s.journal.Record(), run, room)
	if err != nil || kept != marks.KeptAll {
		s.log.WarnContext(context.Background(), "the answer does not have the whole record of the run", "kept",
			kept.String(), "error", err)
	}
	return mark
}

// reserved returns the room that answers leave for marks.
func (s sealer) reserved() int {
	if s.key == nil {
		return 0
	}
	return reservedForMarks
}

// withMark returns a body, which is to get the marker of another run, with the mark of this run below it.
func (s sealer) withMark(body, run string) string {
	if mark := s.mark(true, roomBeside(markedBy(body, run))); mark != "" {
		return body + "\n\n" + mark
	}
	return body
}

// withOfferMark returns the body of an offer with the mark of the run below it: only there can be known where the offer
// is.
func (s sealer) withOfferMark(body string) string {
	if mark := s.seal(marks.Run{Offer: true}, roomBeside(body)); mark != "" {
		return body + "\n\n" + mark
	}
	return body
}

// earlierMarks returns the marks of other runs in a body as they are; empty if the bot makes none.
func (s sealer) earlierMarks(body string) string {
	var all []string
	for _, m := range marks.In(body) {
		if s.key != nil && m.Run != s.journal.Record().ID {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n")
}

// answerAndCheck answers, and makes the check run, at the same time. An answer with a mark comes after the check run,
// of which the mark tells.
func (s sealer) answerAndCheck(ctx context.Context, answer, check func() error) error {
	if s.key == nil {
		return port.Together(ctx, answer, check)
	}
	if err := check(); err != nil {
		return err
	}
	return answer()
}

// runMarker is how a resumed run knows its own comment. It counts in comments of the app alone.
func runMarker(run string) string { return fmt.Sprintf("<!-- tenon:run=%s -->", run) }

func markedBy(body, run string) string { return body + "\n\n" + runMarker(run) }
