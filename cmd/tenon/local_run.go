package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/localrepo"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/single"
)

// local carries out one command in a work tree.
type local struct {
	tree     *localrepo.Repo
	models   []config.Model
	progress *progress
	// issue is what the command is about; nil for the work tree alone.
	issue *localIssue
	// task is what the commit is for, in words.
	task string
	// choose returns the numbers of those edits of a preview that are to be made; nil makes all, without a preview.
	choose func(context.Context, []record.Result) ([]int, error)
}

// slug is what commands are given to.
const slug = "tenon"

// workTreeBranch is the name of what is checked out where it has none that the bot knows.
const workTreeBranch = "work-tree"

// carryOut has the bot carry out a command, as if it were a comment on a pull request from the current branch, or on
// the issue.
func (l local) carryOut(ctx context.Context, comment string) (localDone, error) {
	model, err := newModel(l.models, newObservation(), l.progress.log())
	if err != nil {
		return localDone{}, err
	}
	thread, err := l.thread(ctx)
	if err != nil {
		return localDone{}, err
	}
	world := offline.New(thread, l.tree.Checkout, l.commit, time.Now).Past(l.tree.Past)
	desk := desk{local: l, world: world, thread: thread, model: model}
	done, past, err := desk.command(ctx, comment)
	if err != nil || l.choose == nil || done.record.Preview == nil {
		return done, err
	}
	shown := done.record
	numbers, err := l.choose(ctx, shown.Preview.Results)
	if err != nil || len(numbers) == 0 {
		done.previewed = &shown
		return done, err
	}
	done, _, err = desk.command(ctx, "/"+slug+" apply "+numberList(numbers), past)
	done.previewed = &shown
	return done, err
}

func numberList(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

// desk is where a person gives commands about one thread, one after the other.
type desk struct {
	local
	model  port.Model
	world  *offline.World
	thread offline.Thread
}

// command carries out one command, after earlier ones. It also returns it as one of these.
func (d desk) command(ctx context.Context, comment string, past ...port.PastRun) (done localDone, now port.PastRun,
	err error) {
	memory := single.NewMemory(time.Now, past...)
	b := &bot.Bot{
		GitHub: d.world.GitHub(), Repos: d.world.Repos(), Model: d.model, Runs: memory, Queue: memory, Budget: memory,
		Audience: d.progress, Policy: policy.DefaultPolicy(), Models: modelInfos(d.models), Slug: slug,
		Documents: d.tree.Documents(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}
	ev := port.Event{Delivery: rand.Text(), Kind: port.IssueComment, Action: "created", Repo: d.thread.Repo,
		Sender:   you,
		Thread:   port.Thread{Number: d.thread.Number, Pull: d.thread.Pull, Title: d.thread.Title, URL: d.thread.URL()},
		Comment:  port.Comment{Kind: port.IssueComment, ID: int64(1 + len(past)), Body: comment, Author: you},
		Received: time.Now()}
	handled := single.Runner{Handler: b}.Handle(ctx, ev)
	if done.made, done.wrote = d.tree.Made(); handled != nil && ctx.Err() != nil && !done.wrote {
		return localDone{}, port.PastRun{}, errInterrupted
	}
	done.failure = handled
	if answers := d.world.Answers(); len(answers) > 0 {
		done.answer = answers[len(answers)-1].Body
	}
	if run, ok := memory.Recorded(ev.Delivery); ok {
		now = port.PastRun{Run: run, Event: ev}
		if done.record, err = record.Load(run); err != nil {
			return localDone{}, now, fmt.Errorf("reading what the command did: %w", err)
		}
	}
	return done, now, nil
}

// thread returns the issue, or the pull request that the work tree would be, which changes what is not committed.
func (l local) thread(ctx context.Context) (offline.Thread, error) {
	if i := l.issue; i != nil {
		repo := i.Repo
		repo.Installation, repo.ID, repo.DefaultBranch = 1, 1, workTreeBranch
		return offline.Thread{Repo: repo, Number: i.Number, Title: i.Title, Body: i.Body, Author: i.Author}, nil
	}
	changed, err := l.tree.Changed(ctx)
	if err != nil {
		return offline.Thread{}, err
	}
	branch := cmp.Or(l.tree.Head().Branch, workTreeBranch)
	return offline.Thread{
		Repo: port.RepoRef{Installation: 1, ID: 1, Owner: "local", Name: filepath.Base(l.tree.Dir()),
			DefaultBranch: branch},
		Number: 1, Pull: true, Author: you, Branch: branch, Base: branch, Changed: changed,
	}, nil
}

// commit writes the edits, with a message of a person's own commit.
func (l local) commit(ctx context.Context, u port.Upload) (string, error) {
	u.Message = ownMessage(u.Message, l.task)
	return l.tree.Commit(ctx, u)
}
