package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// clockSkew is how far GitHub's clock may be behind ours: comments are looked for from this long before the event.
const clockSkew = 10 * time.Minute

// errNoAnswer is the error for a run that has no answer yet.
var errNoAnswer = errors.New("there is no answer")

// answers makes the one answer of a run and edits it from then on.
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
	case a.command.Answer == command.AnswerInConversation:
		return a.conversation()
	case a.command.Answer == command.AnswerInReview && at.Kind == port.IssueComment && a.ev.Thread.Pull:
		return port.Place{Number: at.Number, Kind: port.Review}
	default:
		return at
	}
}

// create makes the answer of the run; created is false if there is one already.
func (a answers) create(ctx context.Context, at port.Place, body string) (c record.AnswerComment, created bool,
	err error) {
	return a.createBy(ctx, at, body, a.github.Post)
}

// poster makes a comment.
type poster func(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error)

// createBy is create with another way to make the comment.
func (a answers) createBy(ctx context.Context, at port.Place, body string, post poster) (c record.AnswerComment,
	created bool, err error) {
	c, err = record.Do(ctx, a.journal, record.Answered, func(ctx context.Context) (record.AnswerComment, error) {
		if a.journal.Record().Resumed || a.ev.Notified || a.unsure {
			if c, exists, err := a.find(ctx); err != nil || exists {
				return c, err
			}
		}
		created = true
		return a.postBy(ctx, at, body, post)
	})
	return c, created, err
}

// announce is create for an answer that finish can make later: near GitHub's limits it returns a *port.WaitError.
func (a answers) announce(ctx context.Context, at port.Place, body string) (c record.AnswerComment, created bool,
	err error) {
	return a.createBy(ctx, at, body, a.github.Announce)
}

// finish gives the answer of the run its final form, once. It adds the sign-off, which may notify whoever gave the
// command: GitHub notifies of a mention that an edit adds, and of no other edit.
func (a answers) finish(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	return record.Do(ctx, a.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
		now := a.now()
		c, err := a.createOrEdit(ctx, at, a.signed(body))
		if err == nil {
			err = a.closeDoubles(ctx, c)
		}
		c.At = now
		return c, err
	})
}

func (a answers) createOrEdit(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	c, created, err := a.create(ctx, at, body)
	if created || err != nil {
		return c, err
	}
	err = a.edit(ctx, c, body)
	if errors.Is(err, port.ErrNotFound) { // somebody deleted it; people must be told what was done anyway
		return a.post(ctx, at, body)
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("editing the answer: %w", err)
	}
	return c, nil
}

// reply is finish where the command was given.
func (a answers) reply(ctx context.Context, body string) error {
	_, err := a.finish(ctx, a.replyPlace(), body)
	return err
}

// interrupt is reply for a run that will not be tried again. The record does not have the answer as the final one: a
// redelivery may still finish the run.
func (a answers) interrupt(ctx context.Context, body string) error {
	if _, err := a.createOrEdit(ctx, a.replyPlace(), a.withMark(a.withSignOff(body), false)); err != nil {
		return fmt.Errorf("answering with a dead letter: %w", err)
	}
	return nil
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
	if err := a.edit(ctx, c, body); err != nil {
		return false, fmt.Errorf("refusing: %w", err)
	}
	return true, nil
}

// edit gives the answer another text, also if the issue was transferred with all its comments.
func (a answers) edit(ctx context.Context, c record.AnswerComment, body string) error {
	err := a.github.Edit(ctx, a.ev.Repo, a.ev.Thread.Number, c.Ref(), a.marked(body))
	if errors.Is(err, port.ErrNotFound) {
		if repo, number, ok := a.thread.transferredTo(ctx); ok {
			return a.github.Edit(ctx, repo, number, c.Ref(), a.marked(body))
		}
	}
	return err
}

// post makes a comment: in the conversation if its place is gone, such as the thread of a comment that was deleted, and
// where the issue was transferred to if it is not here any more. errNoThread if it is nowhere that the app can reach.
func (a answers) post(ctx context.Context, at port.Place, body string) (record.AnswerComment, error) {
	return a.postBy(ctx, at, body, a.github.Post)
}

// postBy is post with another way to make the comment.
func (a answers) postBy(ctx context.Context, at port.Place, body string, post poster) (record.AnswerComment, error) {
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

// runMarker is how a resumed run knows its own comment. It counts in comments of the app alone.
func runMarker(run string) string { return fmt.Sprintf("<!-- tenon:run=%s -->", run) }

func markedBy(body, run string) string { return body + "\n\n" + runMarker(run) }
