package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// sourceFinder finds the blocks that an apply means.
type sourceFinder struct {
	github  port.GitHub
	history history.Thread
	ev      port.Event
	slug    string
	// isOwn reports whether a user is the app itself.
	isOwn func(port.User) bool
	// run and numbers are those that the command names.
	run     string
	numbers []int
}

// find finds the blocks that an apply means: those of the preview that its button or box names, those in its own
// comment, those in the comment that it answers if that is newer than the newest preview, or that preview's. Numbers
// may also mean the edits of a newer answer that left some out because a file would not parse.
func (f sourceFinder) find(ctx context.Context) (record.Source, error) {
	if f.run != "" {
		return record.Source{Preview: f.run}, nil
	}
	if text, ok := edit.PastedText(f.ev.Comment.Body, f.slug); ok {
		if why := edit.CheckVisible(text); why != "" {
			return record.Source{}, sentence.OwnCommentNotVisible(why)
		}
		return record.Source{Text: conversation.WithoutSecrets(text), Author: f.ev.Sender.Login, URL: f.ev.Comment.URL}, nil
	}
	newest := f.history.NewestPreview
	if f.numbers != nil {
		newest = f.history.NewestOffer
	}
	v, ok, err := newest(ctx)
	if err != nil {
		return record.Source{}, err
	}
	if f.numbers == nil {
		r, settles, err := f.history.NewestResolution(ctx)
		if err != nil && !ok {
			return record.Source{}, err
		}
		settles = settles && (!ok || r.Received.After(v.Event.Received))
		c, answers, err := f.answeredComment(ctx)
		if err != nil {
			return record.Source{}, err
		}
		shown := v.Event.Comment.Updated
		if settles {
			shown = r.Received
		}
		switch {
		case answers && (!ok && !settles || c.Updated.After(shown)):
			return f.fromComment(ctx, c)
		case settles:
			return record.Source{Resolution: r.Root}, nil
		}
	}
	switch {
	case !ok && f.numbers != nil:
		return record.Source{}, sentence.NothingToChoose()
	case !ok:
		return record.Source{}, sentence.NothingToApply()
	}
	if v.Answer.After(f.ev) {
		return record.Source{}, sentence.SourceUnseen(sourceOf(v))
	}
	return record.Source{Preview: v.Run}, nil
}

// sourceOf is the answer that shows the edits to choose from.
func sourceOf(v history.Preview) sentence.Source {
	noun := "preview"
	if v.Made != nil {
		noun = "answer"
	}
	return sentence.Source{Noun: noun, URL: v.Answer.URL}
}

// answeredComment returns the comment that the command answers, if that has blocks: in a review thread the nearest
// earlier one that has any, in a conversation the one directly before it.
func (f sourceFinder) answeredComment(ctx context.Context) (port.Comment, bool, error) {
	kind := f.ev.Comment.Kind
	if kind != port.IssueComment && kind != port.ReviewComment {
		return port.Comment{}, false, nil
	}
	all, err := f.github.Comments(ctx, f.ev.Repo, f.ev.Thread.Number, firstOfThread(f.ev))
	if err != nil {
		return port.Comment{}, false, fmt.Errorf("reading the comments of #%d: %w", f.ev.Thread.Number, err)
	}
	for _, c := range slices.Backward(all) {
		if c.ID >= f.ev.Comment.ID {
			continue
		}
		_, ok := edit.PastedText(c.Body, f.slug)
		switch own := f.isOwn(c.Author); {
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
func (f sourceFinder) fromComment(ctx context.Context, c port.Comment) (record.Source, error) {
	text, _ := edit.PastedText(c.Body, f.slug)
	refuse := func(why string) error { return sentence.CommentNotTaken(c.URL, c.Author.Login, why) }
	if c.Author.Bot {
		return record.Source{}, refuse(sentence.ByApp)
	}
	if !c.Updated.Before(f.ev.Comment.Updated) { // GitHub counts seconds
		return record.Source{}, refuse(sentence.Edited)
	}
	trusted, err := f.mayWrite(ctx, c.Author)
	if err != nil {
		return record.Source{}, err
	}
	if !trusted {
		return record.Source{}, refuse(sentence.ByStranger)
	}
	if why := cmp.Or(edit.CheckVisible(text), edit.CheckVerbatim(text)); why != "" {
		return record.Source{}, refuse(why)
	}
	return record.Source{Text: conversation.WithoutSecrets(text), Author: c.Author.Login, URL: c.URL}, nil
}

// mayWrite reports whether somebody's blocks are taken: they gave the command, or may write here.
func (f sourceFinder) mayWrite(ctx context.Context, u port.User) (bool, error) {
	if u.ID == f.ev.Sender.ID {
		return true, nil
	}
	permission, err := f.github.Permission(ctx, f.ev.Repo, u.Login)
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return false, fmt.Errorf("asking for the permission of %s: %w", u.Login, err)
	}
	return err == nil && permission.Allows(port.PermissionWrite), nil
}
