package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/marks"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gh"
	"github.com/tenon-bot/tenon/internal/single"
	"github.com/tenon-bot/tenon/internal/threadlog"
)

// jobHistory is the queue of the one event of a job, with the earlier runs of its thread if their records can be read.
type jobHistory struct {
	port.ThreadQueue
	log *threadlog.Log // nil if no records are kept
}

// history returns the earlier runs of the thread of an event, and has the bot keep the record of this one in its
// answer. Without a secret to seal them with, there are no records.
func (j *jobRun) history(ctx context.Context, b *bot.Bot, client *gh.Client, memory *single.Memory, ev port.Event) (
	jobHistory, error) {
	secret := historySecret(j.cfg, j.job)
	if !secret.IsSet() {
		j.log.WarnContext(ctx, "no records of runs are kept, so undo, retry, apply and boxes will find none: give the step "+
			"the input history-key, a secret of the repository")
		return jobHistory{ThreadQueue: threadlog.Without{ThreadQueue: memory}}, nil
	}
	key, err := marks.NewKey(secret.Reveal())
	if errors.Is(err, marks.ErrShortSecret) {
		return jobHistory{}, fmt.Errorf("the input history-key: %w; make one with: openssl rand -hex 32", err)
	}
	if err != nil {
		return jobHistory{}, err
	}
	b.Marks = key
	log := threadlog.New(memory, client, key, ev, j.log)
	return jobHistory{ThreadQueue: log, log: log}, nil
}

// historySecret returns what the records of runs are sealed with: the input for that or else the key of the model,
// which must be one that the next job has too, and long enough.
func historySecret(cfg config.Server, job config.Job) config.Secret {
	if job.HistoryKey.IsSet() {
		return job.HistoryKey
	}
	key := cfg.Model.APIKey
	if len(key.Reveal()) < marks.MinSecret || key.Reveal() == job.Token.Reveal() {
		return config.Secret{}
	}
	return key
}

// finished returns the record of the event's run if an earlier attempt at the job gave its final answer; its Final is
// nil if none did.
func (h jobHistory) finished(ctx context.Context) (record.Record, error) {
	if h.log == nil {
		return record.Record{}, nil
	}
	rec, ok, err := h.log.Finished(ctx)
	if !ok {
		rec.Final = nil
	}
	return rec, err
}
