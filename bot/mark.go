package bot

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/marks"
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

// reserved returns the room that answers leave for marks.
func (b *Bot) reserved() int {
	if b.Marks == nil {
		return 0
	}
	return reservedForMarks
}

// roomBeside returns how much longer a comment may become, in characters.
func roomBeside(body string) int {
	return markdown.MaxBody - utf8.RuneCountInString(body) - len("\n\n")
}

// mark returns the mark of the run as it is now, for its answer, in at most room characters; empty if there is to be
// none.
func (r *run) mark(final bool, room int) string {
	if r.journal.Record().Preview != nil {
		room -= reservedForTicks
	}
	var about marks.Run
	if final {
		about.At = r.bot.Now()
	}
	return r.markAs(about, room)
}

func (r *run) markAs(about marks.Run, room int) string {
	if r.bot.Marks == nil || r.inv.Command.Immediate {
		return ""
	}
	about.Event = r.ev
	mark, kept, err := r.bot.Marks.Seal(r.journal.Record(), about, room)
	if err != nil || kept != marks.KeptAll {
		r.log.WarnContext(context.Background(), "the answer does not have the whole record of the run", "kept",
			kept.String(), "error", err)
	}
	return mark
}

// withMark returns a body, which is to get the marker of a run, with the mark of this run below it.
func (r *run) withMark(body, of string) string {
	if mark := r.mark(true, roomBeside(markedBy(body, of))); mark != "" {
		return body + "\n\n" + mark
	}
	return body
}

// withOfferMark returns the body of an offer with the mark of the run below it: only there can be known where the offer
// is.
func (r *run) withOfferMark(body string) string {
	if mark := r.markAs(marks.Run{Offer: true}, roomBeside(body)); mark != "" {
		return body + "\n\n" + mark
	}
	return body
}

// earlierMarks returns the marks of other runs in a body as they are; empty if the bot makes none.
func (r *run) earlierMarks(body string) string {
	var all []string
	for _, m := range marks.In(body) {
		if r.bot.Marks != nil && m.Run != r.id() {
			all = append(all, m.Text)
		}
	}
	return strings.Join(all, "\n")
}

// answerAndCheck answers, and makes the check run, at the same time. An answer with a mark comes after the check run,
// of which the mark tells.
func (r *run) answerAndCheck(ctx context.Context, answer, check func() error) error {
	if r.bot.Marks == nil {
		return together(ctx, answer, check)
	}
	if err := check(); err != nil {
		return err
	}
	return answer()
}
