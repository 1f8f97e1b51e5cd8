package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/prompts"
)

// search is what files are selected from, and what for.
type search struct {
	checkout repo.Checkout
	query    retrieve.Query
	room     retrieve.Room
	in       prompts.Input
}

// chooser asks a model which of the offered files are to be shown for a task.
type chooser struct {
	// made returns the choice that the run has made already; ok is false if there is none.
	made func() (choice record.FileChoice, ok bool)
	// ask has the model choose, and records it. later is how many tokens are to be reserved for the call after it.
	ask func(ctx context.Context, s search, later int64, offered []prompts.Offered) (record.FileChoice, error)
}

// find selects the files for a task. A model chooses them if choose is not nil and there is something to choose from,
// except for what CI reports as failed: what it printed says more than outlines do.
func (p prompter) find(ctx context.Context, choose *chooser, s search, task task) (found retrieve.Found, err error) {
	var offered []prompts.Offered
	if choose != nil && !task.failures.task {
		choice, ok := choose.made()
		if !ok {
			if offered, found, err = p.offer(ctx, s); err != nil || len(offered) == 0 {
				return found, err
			}
			if choice, err = choose.ask(ctx, s, laterTokens(s, task), offered); err != nil {
				return retrieve.Found{}, err
			}
		}
		if s.query.Chosen = choice.Asks(); s.query.Chosen != nil {
			s.room = halfOf(s.room)
		}
	}
	err = p.admitted(ctx, s.checkout, func() (err error) {
		found, err = retrieve.Select(ctx, s.checkout, s.query, s.room)
		return err
	})
	return found, err
}

// offer returns the files to choose from, or what is shown by rank if there is nothing to choose.
func (p prompter) offer(ctx context.Context, s search) (offered []prompts.Offered, found retrieve.Found, err error) {
	err = p.admitted(ctx, s.checkout, func() (err error) {
		offered, err = retrieve.Offer(ctx, s.checkout, s.query, s.room)
		if err == nil && len(offered) == 0 {
			found, err = retrieve.Select(ctx, s.checkout, s.query, s.room)
		}
		return err
	})
	return offered, found, err
}

// laterTokens returns how many tokens are to be reserved for the call that is shown what was chosen.
func laterTokens(s search, task task) int64 {
	system, user := task.write(s.in)
	words := port.Request{System: system, Messages: []port.Message{{Text: user}}}
	return conversation.TokensToReserve(words) + int64(halfOf(s.room).Code+s.room.Names)/port.BytesPerToken
}

// halfOf returns the room for what was chosen.
func halfOf(room retrieve.Room) retrieve.Room {
	return retrieve.Room{Code: room.Code / 2, Names: room.Names}
}
