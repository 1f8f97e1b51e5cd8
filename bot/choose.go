package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/prompts"
)

// Before it is shown any code, a model chooses among the likeliest files by their paths and outlines. It costs a call,
// and saves more tokens than that takes: only half as much code is shown afterwards. Where there is no choice, files
// are shown by their rank.

// Bounds on the choice of files.
const (
	// maxChoice is how long a command may wait for the choice.
	maxChoice = 3 * time.Minute
	// maxChoiceIssue and maxChoiceThread are how much is quoted of the issue and of the comments, in bytes.
	maxChoiceIssue  = 12_000
	maxChoiceThread = 6_000
	// minOffered is the least number of files that is worth asking about.
	minOffered = 8
)

// chooser returns what asks a model, or that of the settings if they name another; nil if the settings say that none is
// asked. It fails with a *port.UserError if the settings name a model that may not be asked.
func (r *run) chooser(model port.ModelInfo) (*chooser, error) {
	if r.policy.Rank {
		return nil, nil
	}
	if name := r.policy.ChooseModel; name != "" {
		var err error
		if model, err = r.models().choose(name); err != nil {
			return nil, err
		}
	}
	return &chooser{
		made: func() (record.FileChoice, bool) { return record.Get(r.journal, record.FilesChosen) },
		ask: func(ctx context.Context, s search, later int64, offered []prompts.Offered) (record.FileChoice, error) {
			return r.dialogue().chooseFiles(ctx, model, s, later, offered)
		},
	}, nil
}

// chooseFiles asks a model to choose among offered files, as a step of the run.
func (d dialogue) chooseFiles(ctx context.Context, model port.ModelInfo, s search, later int64,
	offered []prompts.Offered) (record.FileChoice, error) {
	return record.Do(ctx, d.journal, record.FilesChosen, func(ctx context.Context) (record.FileChoice, error) {
		asking, end := newPatience(maxChoice).begin(ctx, func(queued bool) {
			d.progress.update(func(now *shownStatus) { now.Queued = queued })
		})
		defer end()
		return d.askForChoice(asking, model, s, later, offered)
	})
}

// askForChoice asks a model to choose among offered files. A call that meets something that a person could put right is
// a fault on record.
func (d dialogue) askForChoice(ctx context.Context, model port.ModelInfo, s search, later int64,
	offered []prompts.Offered) (record.FileChoice, error) {
	out := record.FileChoice{Base: s.checkout.SHA(), Offered: len(offered)}
	key := d.prompter.newKey()
	request, err := choiceRequest(model, s.in, offered, key)
	var booking port.Booking
	if err == nil {
		out.Request = request
		err = d.policy.Bounds.Affords(port.Usage{}, conversation.TokensToReserve(request)+later)
	}
	if err == nil {
		without := withoutKeys([]string{key})
		nothing := func(context.Context, string) ([]record.Result, error) { return nil, nil }
		out.Answer, booking, err = d.call(ctx, request, 1, without, nothing)
		out.Answer.Text, err = conversation.WithoutSecrets(without(out.Answer.Text)), errWithoutKeys(err, without)
		out.Asked, out.Warning = booking.Attempt > 0, budgetWarning(booking.Use)
	}
	if out.Answer.Outage() {
		err = &port.WaitError{For: port.ModelOutage, Err: errBroken}
	}
	var user *port.UserError
	var wait *port.WaitError
	switch {
	case err == nil:
		asks := retrieve.ParseChoice(out.Answer.Text, offered)
		for _, a := range asks[:min(len(asks), retrieve.MaxChosen)] {
			out.Chosen = append(out.Chosen, a.String())
		}
		return out, nil
	case errors.As(err, &user) && !errors.As(err, &wait):
		out.Answer, out.Fault = port.Answer{}, user.Text
		return out, nil
	}
	return record.FileChoice{}, fmt.Errorf("asking the model which files to show: %w", err)
}

// choiceRequest returns the request for a choice, with as much of the issue, the comments and the offer as the model's
// context has room for. It fails with a *port.UserError if that is too little, or if something in it imitates the key.
func choiceRequest(model port.ModelInfo, in prompts.Input, offered []prompts.Offered, key string) (port.Request,
	error) {
	input, err := fitChoice(model, prompts.ChooseInput{Issue: in.Issue, Thread: in.Thread, Title: in.Title, Task: in.Task,
		Offered: offered, Most: retrieve.MaxChosen})
	if err != nil {
		return port.Request{}, err
	}
	var system string
	user, err := sealed(key, func(key string) (user string) {
		input.Nonce = key
		system, user = prompts.Choose(input)
		return user
	})
	return port.Request{Model: model.Name, System: system, Messages: []port.Message{{Role: "user", Text: user}}}, err
}

// fitChoice cuts what a model is told before it chooses: the issue and the comments, and if that is not enough, the
// files that are least likely.
func fitChoice(model port.ModelInfo, in prompts.ChooseInput) (prompts.ChooseInput, error) {
	thread, text := clipRemarks(in.Thread, maxChoiceThread), ""
	in.Thread = nil
	if in.Issue != nil {
		issue := *in.Issue
		text, issue.Text = clip(issue.Text, maxChoiceIssue), ""
		in.Issue = &issue
	}
	want := retrieve.Material{Subject: len(text), Thread: quoted(remarkTexts(thread))}
	for {
		system, user := prompts.Choose(in)
		fixed := len(system) + len(user)
		room, ok := retrieve.WindowOf(model).Allot(fixed, want)
		switch {
		case ok:
			in.Thread = clipRemarks(thread, room.Thread)
			if in.Issue != nil {
				in.Issue.Text = clip(text, room.Subject)
			}
			return in, nil
		case len(in.Offered) <= minOffered:
			return in, sentence.TaskTooLong(model.Name, int64(model.ContextTokens), int64(fixed)/port.BytesPerToken)
		}
		in.Offered = in.Offered[:max(minOffered, len(in.Offered)/2)]
	}
}
