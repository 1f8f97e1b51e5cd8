package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// findSource finds the blocks that an apply means: those of the preview that its button or box names, those in its own
// comment, those in the comment that it answers if that is newer than the newest preview, or that preview's. Numbers
// may also mean the edits of a newer answer that left some out because a file would not parse.
func findSource(ctx context.Context, r *run) (record.Source, error) {
	if r.inv.Run != "" {
		return record.Source{Preview: r.inv.Run}, nil
	}
	if text, ok := edit.PastedText(r.ev.Comment.Body, r.bot.Slug); ok {
		if why := edit.CheckVisible(text); why != "" {
			return record.Source{}, &port.UserError{Text: "Your comment " + why}
		}
		return record.Source{Text: text, Author: r.ev.Sender.Login, URL: r.ev.Comment.URL}, nil
	}
	newest := r.history().NewestPreview
	if r.inv.Numbers != nil {
		newest = r.history().NewestOffer
	}
	v, ok, err := newest(ctx)
	if err != nil {
		return record.Source{}, err
	}
	if r.inv.Numbers == nil {
		c, answers, err := answeredComment(ctx, r)
		if err != nil {
			return record.Source{}, err
		}
		if answers && (!ok || c.Updated.After(v.Event.Comment.Updated)) {
			return fromComment(ctx, r, c)
		}
	}
	switch {
	case !ok && r.inv.Numbers != nil:
		return record.Source{}, &port.UserError{Text: "There is no preview in this thread whose edits could be named, and " +
			"no answer that left edits out because a file would not parse. " +
			"Edits in a comment that you answer are taken all together: `/tenon apply`, without numbers."}
	case !ok:
		return record.Source{}, &port.UserError{Text: "There is nothing to apply: no preview in this thread, and no edit " +
			"blocks in your comment or the one that it answers. " +
			"Paste edit blocks into the comment with the command, or ask for a preview: `/tenon preview <what>`."}
	}
	if v.Answer.After(r.ev) {
		return record.Source{}, &port.UserError{Text: fmt.Sprintf("When you gave the command, [the newest %s](%s) "+
			"was not there yet, so you cannot have seen its edits. Nothing was committed. Read it, and give the command again.",
			answerNoun(v), v.Answer.URL)}
	}
	return record.Source{Preview: v.Run}, nil
}

// answerNoun says what shows the edits to choose from.
func answerNoun(v history.Preview) string {
	if v.Made != nil {
		return "answer"
	}
	return "preview"
}

// answeredComment returns the comment that the command answers, if that has blocks: in a review thread the nearest
// earlier one that has any, in a conversation the one directly before it.
func answeredComment(ctx context.Context, r *run) (port.Comment, bool, error) {
	kind := r.ev.Comment.Kind
	if kind != port.IssueComment && kind != port.ReviewComment {
		return port.Comment{}, false, nil
	}
	all, err := r.bot.GitHub.Comments(ctx, r.ev.Repo, r.ev.Thread.Number, firstOfThread(r.ev))
	if err != nil {
		return port.Comment{}, false, fmt.Errorf("reading the comments of #%d: %w", r.ev.Thread.Number, err)
	}
	for _, c := range slices.Backward(all) {
		if c.ID >= r.ev.Comment.ID {
			continue
		}
		_, ok := edit.PastedText(c.Body, r.bot.Slug)
		switch own := r.bot.isOwn(c.Author); {
		case ok && !own: // what tenon quotes of files may look like blocks
			return c, true, nil
		case kind == port.IssueComment:
			return port.Comment{}, false, nil
		}
	}
	return port.Comment{}, false, nil
}

// fromComment returns another comment as a source. Whoever gives the command answers for the blocks, and may not have
// read every letter of them: so somebody who could commit them must have written them, and they must have been there to
// read, as they are, before the command.
func fromComment(ctx context.Context, r *run, c port.Comment) (record.Source, error) {
	const instead = " If you want these edits, read them, and paste them into a comment of your own below `/tenon " +
		"apply`. Nothing was committed."
	text, _ := edit.PastedText(c.Body, r.bot.Slug)
	who := fmt.Sprintf("[The comment](%s) of %s", c.URL, markdown.PlainLogin(c.Author.Login))
	if c.Author.Bot {
		return record.Source{}, &port.UserError{Text: who + " holds edit blocks, but it was written by an app, and " +
			"anybody may have told that what to write." + instead}
	}
	if !c.Updated.Before(r.ev.Comment.Updated) { // GitHub counts seconds
		return record.Source{}, &port.UserError{Text: who + " was edited when you had given the command, or at that " +
			"moment, so its edits may not be those that you saw." + instead}
	}
	trusted, err := mayWrite(ctx, r, c.Author)
	if err != nil {
		return record.Source{}, err
	}
	if !trusted {
		return record.Source{},
			&port.UserError{Text: who + " holds edit blocks, but its author may not write to this repository." + instead}
	}
	if why := cmp.Or(edit.CheckVisible(text), edit.CheckVerbatim(text)); why != "" {
		return record.Source{}, &port.UserError{Text: who + " " + why + instead}
	}
	return record.Source{Text: text, Author: c.Author.Login, URL: c.URL}, nil
}

// mayWrite reports whether somebody's blocks are taken: they gave the command, or may write here.
func mayWrite(ctx context.Context, r *run, u port.User) (bool, error) {
	if u.ID == r.ev.Sender.ID {
		return true, nil
	}
	permission, err := r.bot.GitHub.Permission(ctx, r.ev.Repo, u.Login)
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return false, fmt.Errorf("asking for the permission of %s: %w", u.Login, err)
	}
	return err == nil && permission.Allows(port.PermissionWrite), nil
}
