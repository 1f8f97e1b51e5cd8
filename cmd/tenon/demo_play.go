package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/gh/ghtest"
)

// play has the person comment, waits for what tenon makes of it, and returns that.
func (w *world) play(ctx context.Context, story story, out *demoOutput) (demoResult, error) {
	records := &recorder{}
	idle, stop, err := w.serve(ctx, &watched{story.model, story.named, out}, records.wrap, out.log())
	if err != nil {
		return demoResult{}, err
	}
	w.github.ForgetRequests()
	out.section("%s comments on pull request #%d of %s", demoPerson, w.pull, w.repo)
	out.quoted(story.comment)
	begun := time.Now()
	_, err = w.github.Comment(demoPerson, w.repo, w.pull, story.comment)
	if err == nil {
		err = await(ctx, idle)
	}
	w.elapsed = time.Since(begun)
	if err := errors.Join(err, stop()); err != nil {
		return demoResult{}, err
	}
	return w.result(records)
}

// await returns when there is nothing in the queue any more: the comment was taken when it was made.
func await(ctx context.Context, idle func(context.Context) (bool, error)) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if done, err := idle(ctx); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for tenon's answer: %w (--timeout sets how long)", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

func (w *world) result(records *recorder) (demoResult, error) {
	r, err := records.result()
	if err != nil {
		return demoResult{}, err
	}
	r.Branch = demoBranch
	if r.Comment, err = w.answer(); err != nil {
		return demoResult{}, fmt.Errorf("reading the thread: %w", err)
	}
	for _, q := range w.github.Requests() {
		path := q.Path
		if q.Query != "" {
			path += "?" + q.Query
		}
		r.Requests = append(r.Requests, q.Method+" "+strings.TrimPrefix(path, "/api/v3"))
	}
	return r, nil
}

// answer is what tenon said: in a review of the pull request, or in a comment where that was all.
func (w *world) answer() (text string, err error) {
	comments, err := w.github.Comments(w.repo, w.pull)
	if err != nil {
		return "", err
	}
	reviews, err := w.github.Reviews(w.repo, w.pull)
	for _, r := range reviews {
		comments = append(comments, ghtest.Comment{User: r.User, Body: r.Body})
	}
	for _, c := range comments {
		if c.User == w.github.BotLogin() {
			text = c.Body
		}
	}
	return text, err
}

// watched shows a model's answer as it streams.
type watched struct {
	bot.Model
	named string
	out   *demoOutput
}

func (m *watched) Complete(ctx context.Context, req bot.Request, onText func(string)) (bot.Answer, error) {
	if n := len(req.Messages); n > 1 {
		m.out.section("tenon asks again")
		m.out.quoted(firstLines(req.Messages[n-1].Text, maxQuestion))
	}
	m.out.section("The model replies (%s)", m.named)
	answer, err := m.Model.Complete(ctx, req, func(text string) {
		m.out.stream(text)
		if onText != nil {
			onText(text)
		}
	})
	m.out.endStream()
	if err != nil {
		m.out.quoted("No answer: " + err.Error())
	}
	return answer, err
}

// maxQuestion is how many lines of a further question are shown; the files in it can be long.
const maxQuestion = 40

func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return text
	}
	return fmt.Sprintf("%s\n… and %d more lines", strings.Join(lines[:most], "\n"), len(lines)-most)
}

// recorder keeps what the bot records of its run, besides the store.
type recorder struct {
	bot.Runs
	mu     sync.Mutex
	commit []byte
}

func (r *recorder) wrap(runs bot.Runs) bot.Runs {
	r.Runs = runs
	return r
}

// Record implements bot.Runs.
func (r *recorder) Record(ctx context.Context, ev bot.Event, run, step string, data []byte) error {
	if step == "commit" {
		r.mu.Lock()
		r.commit = data
		r.mu.Unlock()
	}
	return r.Runs.Record(ctx, ev, run, step, data)
}

// result is what the run's step "commit" says; nothing when the run did not get there.
func (r *recorder) result() (demoResult, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := demoResult{Results: []demoStatus{}, Requests: []string{}}
	if r.commit == nil {
		return out, nil
	}
	var step struct {
		SHA     string `json:"sha"`
		Results []struct {
			demoStatus
			Detail string `json:"detail"`
		} `json:"results"`
	}
	if err := json.Unmarshal(r.commit, &step); err != nil {
		return out, fmt.Errorf("reading the record of the commit: %w", err)
	}
	out.Commit = step.SHA
	for _, s := range step.Results {
		s.demoStatus.Detail = s.Detail
		out.Results = append(out.Results, s.demoStatus)
	}
	return out, nil
}
