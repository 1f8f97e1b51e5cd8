package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/eval/scores"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/single"
)

// measure has the bot carry out the command, and judges the result. An error is the context's; what else goes
// wrong is in the result.
func (a *attempt) measure(ctx context.Context) (scores.Result, error) {
	out := scores.Result{Task: a.task.Name, Model: a.model.Info.Name, Run: a.number, Digest: a.task.Digest}
	closer, err := a.prepare()
	if err != nil {
		out.Error = err.Error()
		return out, nil
	}
	defer func() { _ = closer.Close() }()
	began := time.Now()
	rec, failed := a.carryOut(ctx)
	out.Seconds = time.Since(began).Seconds()
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	if failed != nil {
		out.Error = failed.Error()
	}
	a.metered.sum(&out, a.model.Info.Price)
	err = errors.Join(a.countShown(&out, rec), a.countBlocks(ctx, &out, rec))
	if err == nil {
		err = a.judge(ctx, &out)
	}
	if err != nil {
		out.Error = errors.Join(failed, err).Error()
	}
	return out, context.Cause(ctx)
}

type nothing struct{}

func (nothing) Close() error { return nil }

// prepare opens the files of the task, and makes the model.
func (a *attempt) prepare() (io.Closer, error) {
	model, err := a.model.For(a.task)
	if err != nil {
		return nil, err
	}
	a.metered = &metered{model: model}
	if a.task.Files != nil {
		a.source = a.task.Files
		return nothing{}, nil
	}
	if a.open == nil {
		return nil, fmt.Errorf("%s is only in a mirror; name the folder of its bare repositories with --mirror", a.task.Repo)
	}
	opened, err := a.open(a.task.Repo, a.task.Commit)
	if err != nil {
		return nil, err
	}
	a.source = offline.Share(opened)
	return opened, nil
}

// carryOut has the bot carry out the command, and returns what it recorded.
func (a *attempt) carryOut(ctx context.Context) (record.Record, error) {
	ref := a.task.Repo
	ref.Installation, ref.ID, ref.DefaultBranch = 1, 1, "main"
	thread := offline.Thread{Repo: ref, Number: 1, Pull: a.task.Pull, Title: a.task.Title, Body: a.task.Body,
		Author: port.User{ID: 2, Login: "reporter"}, Branch: "work", Base: "main"}
	world := offline.New(thread,
		func(context.Context) (repo.Checkout, error) { return offline.NewOverlay(a.source), nil },
		func(_ context.Context, u port.Upload) (string, error) {
			a.committed = &u
			return strings.Repeat("c", 40), nil
		}, time.Now)
	memory := single.NewMemory(time.Now)
	b := &bot.Bot{GitHub: world.GitHub(), Repos: world.Repos(), Model: a.metered, Runs: memory, Queue: memory,
		Budget: memory, Policy: policy.DefaultPolicy(), Models: []port.ModelInfo{a.info()}, Slug: slug,
		Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	ev := port.Event{Delivery: fmt.Sprintf("%s %d", a.task.Name, a.number), Kind: port.IssueComment, Action: "created",
		Repo: ref, Thread: port.Thread{Number: 1, Pull: a.task.Pull, Title: thread.Title, URL: thread.URL()},
		Comment:  port.Comment{Kind: port.IssueComment, ID: 1, Body: a.task.Comment},
		Sender:   port.User{ID: 1, Login: "eval"},
		Received: time.Now()}
	err := single.Runner{Handler: b, Patience: 10 * time.Minute}.Handle(ctx, ev)
	a.answers = world.Answers()
	run, _ := memory.Recorded(ev.Delivery)
	rec, unreadable := record.Load(run)
	return rec, errors.Join(err, unreadable, a.metered.failed())
}

// info describes the model: it may be used in every repository.
func (a *attempt) info() port.ModelInfo {
	info := a.model.Info
	info.Repositories = nil
	return info
}
