package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// clockSkew is how far GitHub's clock may be behind ours: comments are looked for from this long before the event.
const clockSkew = 10 * time.Minute

// errNoAnswer is the error for a run that has no answer yet.
var errNoAnswer = errors.New("there is no answer")

// answers makes the one answer of a run and edits it from then on: show shows how far the run is, finish gives the
// answer its final form, and reply is finish for what is answered where the command was given.
type answers struct {
	github  port.GitHub
	thread  thread
	ev      port.Event
	command command.Command
	journal *record.Journal
	now     func() time.Time
	// signOff is the last line of the final answer.
	signOff string
	// mark returns the mark with what later commands need of the run as it is now, in at most room characters; empty if
	// there is to be none. final reports whether this is the answer in its final form.
	mark func(final bool, room int) string
	// unsure means that this attempt may have made the answer, though the request failed.
	unsure bool
	// token is what the bot has to act on GitHub.
	token port.TokenKind
	// boxes reports that the answer may become a preview, with boxes. GitHub says nothing of ticks in a review.
	boxes bool
}

// reviewComment returns the first comment of the review thread in which the command was given, nil in a conversation.
func (a answers) reviewComment() *port.Comment {
	return firstOfThread(a.ev)
}

// firstOfThread returns the first comment of the review thread of an event, nil if the event is not in one.
func firstOfThread(ev port.Event) *port.Comment {
	if ev.Comment.Kind != port.ReviewComment {
		return nil
	}
	first := ev.Comment
	if first.InReplyTo != 0 {
		first.ID = first.InReplyTo
	}
	return &first
}

// replyPlace is where short answers are posted, such as help and refusals: where the command was given.
func (a answers) replyPlace() port.Place {
	if to := a.reviewComment(); to != nil {
		return port.Place{Number: a.ev.Thread.Number, Kind: port.ReviewComment, To: to}
	}
	return a.conversation()
}

func (a answers) conversation() port.Place {
	return port.Place{Number: a.ev.Thread.Number, Kind: port.IssueComment}
}

// place is where the answer of a run is posted, as its command wants it.
func (a answers) place() port.Place {
	switch at := a.replyPlace(); {
	case a.command.Answer == command.AnswerInConversation || a.boxes:
		return a.conversation()
	case a.command.Answer == command.AnswerInReview && at.Kind == port.IssueComment && a.ev.Thread.Pull:
		return port.Place{Number: at.Number, Kind: port.Review}
	default:
		return at
	}
}

// poster makes a comment, editor gives a comment another text.
type (
	poster func(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error)
	editor func(ctx context.Context, repo port.RepoRef, number int, c port.Comment, body string) error
)

// write makes the answer of the run by post, or edits the one that there is.
func (a answers) write(ctx context.Context, at port.Place, body string, post poster, edit editor) (record.AnswerComment,
	error) {
	created := false
	c, err := record.Do(ctx, a.journal, record.Answered, func(ctx context.Context) (record.AnswerComment, error) {
		if a.journal.Record().Resumed || a.ev.Notified || a.unsure {
			if c, exists, err := a.find(ctx); err != nil || exists {
				return c, err
			}
		}
		created = true
		return a.post(ctx, at, body, post)
	})
	if created || err != nil {
		return c, err
	}
	return c, edit(ctx, a.ev.Repo, a.ev.Thread.Number, c.Ref(), a.marked(body))
}

// show shows in the answer how far the run is: by post if there is no answer yet, which may return a *port.WaitError
// near GitHub's limits, else by edit.
func (a answers) show(ctx context.Context, body string, post poster, edit editor) (record.AnswerComment, error) {
	return a.write(ctx, a.place(), body, post, edit)
}

// finish gives the answer of the run its final form, once. It adds the sign-off, which may notify whoever gave the
// command: GitHub notifies of a mention that an edit adds, and of no other edit.
func (a answers) finish(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	return record.Do(ctx, a.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
		now := a.now()
		c, err := a.put(ctx, at, a.signed(body))
		if err == nil {
			err = a.closeDoubles(ctx, c)
		}
		c.At = now
		return c, err
	})
}

// put writes a text that people are to find, whatever became of the answer meanwhile.
func (a answers) put(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	var failed error
	c, err := a.write(ctx, at, body, a.github.Post,
		func(ctx context.Context, _ port.RepoRef, _ int, ref port.Comment, marked string) error {
			failed = a.edit(ctx, ref, marked)
			return failed
		})
	if errors.Is(failed, port.ErrNotFound) { // somebody deleted it; people must be told what was done anyway
		return a.post(ctx, at, body, a.github.Post)
	}
	if failed != nil {
		return record.AnswerComment{}, fmt.Errorf("editing the answer: %w", failed)
	}
	return c, err
}

// reply is finish where the command was given.
func (a answers) reply(ctx context.Context, body string) error {
	_, err := a.finish(ctx, a.replyPlace(), body)
	return err
}

// adopt records the answer that an earlier attempt made; errNoAnswer if none did.
func (a answers) adopt(ctx context.Context) error {
	_, err := record.Do(ctx, a.journal, record.Answered, func(ctx context.Context) (record.AnswerComment, error) {
		c, exists, err := a.find(ctx)
		if err == nil && !exists {
			err = errNoAnswer
		}
		return c, err
	})
	return err
}

// replace gives a queued notice, or the answer of an attempt that died, another text; false if there is none.
func (a answers) replace(ctx context.Context, body string) (bool, error) {
	if !a.ev.Notified && !a.journal.Record().Resumed {
		return false, nil
	}
	c, exists, err := a.find(ctx)
	if err != nil || !exists {
		return false, err
	}
	if err := a.edit(ctx, c.Ref(), a.marked(body)); err != nil {
		return false, fmt.Errorf("refusing: %w", err)
	}
	return true, nil
}

// edit gives the answer another text, which has its marker, also if the issue was transferred with all its comments.
func (a answers) edit(ctx context.Context, c port.Comment, marked string) error {
	err := a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, c, marked)
	if errors.Is(err, port.ErrNotFound) {
		if repo, number, ok := a.thread.transferredTo(ctx); ok {
			return a.github.Edit(ctx, repo, number, c, marked)
		}
	}
	return err
}

// post makes a comment by post: in the conversation if its place is gone, such as the thread of a comment that was
// deleted, and where the issue was transferred to if it is not here any more. errNoThread if it is nowhere that the app
// can reach.
func (a answers) post(ctx context.Context, at port.Place, body string, post poster) (record.AnswerComment, error) {
	c, err := post(ctx, a.ev.Repo, at, a.marked(body))
	if errors.Is(err, port.ErrNotFound) && at.Kind == port.ReviewComment {
		c, err = post(ctx, a.ev.Repo, a.conversation(), a.marked(body))
	}
	if errors.Is(err, port.ErrNotFound) {
		if repo, number, ok := a.thread.transferredTo(ctx); ok {
			c, err = post(ctx, repo, port.Place{Number: number, Kind: port.IssueComment}, a.marked(body))
		} else if a.thread.deleted(ctx) {
			err = errNoThread
		}
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("answering: %w", err)
	}
	return record.AnswerOf(c), nil
}

// places are where the answer of the run can be.
func (a answers) places() (list []port.Place) {
	looked := map[port.EventKind]bool{}
	for _, at := range []port.Place{a.place(), a.replyPlace(), a.conversation()} {
		if !looked[at.Kind] {
			looked[at.Kind] = true
			list = append(list, at)
		}
	}
	return list
}

// find looks for the answer that an earlier attempt made, wherever it may have.
func (a answers) find(ctx context.Context) (record.AnswerComment, bool, error) {
	for _, at := range a.places() {
		marker := runMarker(a.journal.Record().ID)
		c, exists, err := a.github.FindComment(ctx, a.ev.Repo, at, marker, a.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, false, fmt.Errorf("looking for the answer: %w", err)
		}
		if exists {
			return record.AnswerOf(c), true, nil
		}
	}
	return record.AnswerComment{}, false, nil
}

// signed returns a body as a final answer has it.
func (a answers) signed(body string) string { return a.withMark(a.withSignOff(body), true) }

func (a answers) withSignOff(body string) string { return body + "\n\n" + a.signOff }

func (a answers) withMark(text string, final bool) string {
	if mark := a.mark(final, roomBeside(a.marked(text))); mark != "" {
		return text + "\n\n" + mark
	}
	return text
}

func (a answers) marked(body string) string {
	return markedBy(sentence.ForToken(body, a.token), a.journal.Record().ID)
}

// maxDoubles bounds how many other answers of a run are closed at one place.
const maxDoubles = 3

// closeDoubles closes the other answers of a resumed run: a worker that was paused, or whose request took long, can
// have made one after the next worker had looked for it. They lose the mark of the run, so that they are not found
// again.
func (a answers) closeDoubles(ctx context.Context, c record.AnswerComment) error {
	if !a.journal.Record().Resumed || c.Comment == 0 {
		return nil
	}
	for _, at := range a.places() {
		for range maxDoubles {
			found, closed, err := a.closeDouble(ctx, c, at)
			if err != nil {
				return fmt.Errorf("closing another answer of the run: %w", err)
			}
			if !found || !closed {
				break
			}
		}
	}
	return nil
}

// closeDouble closes the newest other answer at a place. One that cannot be edited is left as it is.
func (a answers) closeDouble(ctx context.Context, c record.AnswerComment, at port.Place) (found, closed bool,
	err error) {
	var but []int64
	if at.Kind == c.Kind {
		but = append(but, c.Comment)
	}
	marker := runMarker(a.journal.Record().ID)
	other, found, err := a.github.FindComment(ctx, a.ev.Repo, at, marker, a.ev.Received.Add(-clockSkew), but...)
	if errors.Is(err, port.ErrNotFound) || err == nil && !found {
		return false, false, nil
	}
	if err == nil {
		err = a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, other, report.DoubleBody(c.URL))
	}
	if errors.Is(err, port.ErrNotFound) || permanent(err) {
		return true, false, nil
	}
	return true, err == nil, err
}
