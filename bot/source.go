package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// source finds the blocks that the command means: those of the button or box, those in its own comment, those in the comment
// that it answers if that is newer than the newest preview, or that preview's.
func (s *session) source(ctx context.Context) (record.Source, error) {
	if s.inv.Run != "" {
		return record.Source{Preview: s.inv.Run}, nil
	}
	if text, ok := edit.BlocksText(s.ev.Comment.Body, s.Slug); ok {
		if why := edit.Unseen(text); why != "" {
			return record.Source{}, &port.UserError{Text: "Your comment " + why}
		}
		return record.Source{Text: text, Author: s.ev.Sender.Login, URL: s.ev.Comment.URL}, nil
	}
	v, ok, err := s.history().NewestPreview(ctx)
	if err != nil {
		return record.Source{}, err
	}
	if s.inv.Numbers == nil {
		c, answers, err := s.answered(ctx)
		if err != nil {
			return record.Source{}, err
		}
		if answers && (!ok || c.Updated.After(v.Asked.Comment.Updated)) {
			return s.fromComment(ctx, c)
		}
	}
	switch {
	case !ok && s.inv.Numbers != nil:
		return record.Source{}, &port.UserError{Text: "There is no preview in this thread whose edits could be named. Edits in a comment that you answer are taken all together: `/tenon apply`, without numbers."}
	case !ok:
		return record.Source{}, &port.UserError{Text: "There is nothing to apply: no preview in this thread, and no edit blocks in your comment or the one that it answers. " +
			"Paste edit blocks into the comment with the command, or ask for a preview: `/tenon preview <what>`."}
	}
	if v.Said.After(s.ev) {
		return record.Source{}, &port.UserError{Text: fmt.Sprintf("When you gave the command, [the newest preview](%s) was not there yet, so you cannot have seen its edits. Nothing was committed. Read it, and give the command again.", v.Said.URL)}
	}
	return record.Source{Preview: v.Run}, nil
}

// answered is the comment that the command answers, if it holds blocks: in the thread of a line the nearest before it that does, in
// a conversation the one directly before it.
func (s *session) answered(ctx context.Context) (port.Comment, bool, error) {
	kind := s.ev.Comment.Kind
	if kind != port.IssueComment && kind != port.ReviewComment {
		return port.Comment{}, false, nil
	}
	all, err := s.GitHub.Comments(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread())
	if err != nil {
		return port.Comment{}, false, fmt.Errorf("reading the comments of #%d: %w", s.ev.Thread.Number, err)
	}
	for _, c := range slices.Backward(all) {
		if c.ID >= s.ev.Comment.ID {
			continue
		}
		_, ok := edit.BlocksText(c.Body, s.Slug)
		switch own := strings.EqualFold(c.Author.Login, s.Slug+"[bot]"); {
		case ok && !own: // what tenon quotes of files may look like blocks
			return c, true, nil
		case kind == port.IssueComment:
			return port.Comment{}, false, nil
		}
	}
	return port.Comment{}, false, nil
}

// taken is another comment as a source. Whoever gives the command answers for the blocks, and may not have read them to the
// last letter: so they must be by somebody who could commit them, and be there to be read, as they are, before the command.
func (s *session) fromComment(ctx context.Context, c port.Comment) (record.Source, error) {
	const instead = " If you want these edits, read them, and paste them into a comment of your own below `/tenon apply`. Nothing was committed."
	text, _ := edit.BlocksText(c.Body, s.Slug)
	who := fmt.Sprintf("[The comment](%s) of %s", c.URL, markdown.PlainLogin(c.Author.Login))
	if c.Author.Bot {
		return record.Source{}, &port.UserError{Text: who + " holds edit blocks, but it was written by an app, and anybody may have told that what to write." + instead}
	}
	if !c.Updated.Before(s.ev.Comment.Updated) { // GitHub counts seconds
		return record.Source{}, &port.UserError{Text: who + " was edited when you had given the command, or at that moment, so its edits may not be those that you saw." + instead}
	}
	trusted, err := s.mayWrite(ctx, c.Author)
	if err != nil {
		return record.Source{}, err
	}
	if !trusted {
		return record.Source{}, &port.UserError{Text: who + " holds edit blocks, but its author may not write to this repository." + instead}
	}
	if why := cmp.Or(edit.Unseen(text), edit.Unshown(text)); why != "" {
		return record.Source{}, &port.UserError{Text: who + " " + why + instead}
	}
	return record.Source{Text: text, Author: c.Author.Login, URL: c.URL}, nil
}

// mayWrite says whether somebody's blocks can be taken: they may write here, or give the command.
func (s *session) mayWrite(ctx context.Context, u port.User) (bool, error) {
	if u.ID == s.ev.Sender.ID {
		return true, nil
	}
	has, err := s.GitHub.Permission(ctx, s.ev.Repo, u.Login)
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return false, fmt.Errorf("asking for the permission of %s: %w", u.Login, err)
	}
	return err == nil && has.Allows(port.PermissionWrite), nil
}

// name is how sentences call where the blocks are from.
func (o offering) name(first bool) string {
	text := "[the preview]"
	url := o.URL
	if o.view != nil {
		url = o.view.Said.URL
	} else {
		text = "[the comment]"
	}
	if first {
		text = "[T" + text[2:]
	}
	return text + "(" + url + ")"
}

// words say where the blocks are from, and whose they are.
func (o offering) words() string {
	if o.view == nil {
		text := fmt.Sprintf("The edits are from %s of %s; no model was asked.", o.name(false), markdown.PlainLogin(o.Author))
		if total := len(o.Talk.Replies[0].Blocks); len(o.Numbers) < total {
			text = fmt.Sprintf("%s %s of the %d in %s of %s; no model was asked.", markdown.Plural(len(o.Numbers), "Edit"), command.NumberList(o.Numbers), total, o.name(false), markdown.PlainLogin(o.Author))
		}
		return text
	}
	text := fmt.Sprintf("%s %s of %s.", markdown.Plural(len(o.Numbers), "Edit"), command.NumberList(o.Numbers), o.name(false))
	if len(o.Passed) > 0 {
		text += fmt.Sprintf(" %s %s %s passed over: committed already.", markdown.Plural(len(o.Passed), "Edit"), command.NumberList(o.Passed), was(len(o.Passed)))
	}
	return text
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
