package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/ghtest"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// play posts the comment, waits until the server has handled it, and returns the result.
func (w *world) play(ctx context.Context, opts Options, screen *terminal.Transcript) (Result, error) {
	records := &recorder{}
	model := &shownModel{opts.Model, opts.ModelName, screen}
	idle, stop, err := w.serve(ctx, opts.Start, model, records.wrap)
	if err != nil {
		return Result{}, err
	}
	w.github.ForgetRequests()
	screen.Section("%s comments on pull request #%d of %s", person, w.pull, w.repo)
	screen.Quote(opts.Comment)
	begun := time.Now()
	_, err = w.github.Comment(person, w.repo, w.pull, opts.Comment)
	if err == nil {
		err = await(ctx, idle)
	}
	w.elapsed = time.Since(begun)
	if err := errors.Join(err, stop()); err != nil {
		return Result{}, err
	}
	return w.result(records)
}

// serve runs a server on a free port until stop is called, which returns the server's error.
func (w *world) serve(ctx context.Context, start StartFunc, model port.Model, wrapRuns func(port.Runs) port.Runs) (
	idle func(context.Context) (bool, error), stop func() error, err error,
) {
	server, err := start(ctx, w.serverConfig(), model, wrapRuns, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	w.github.SetHookURL("http://" + l.Addr().String() + "/webhook")
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	return server.Idle, func() error {
		cancel()
		return errors.Join(<-ended, server.Close())
	}, nil
}

// await returns when the server is idle. The delivery of the comment was accepted before.
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

func (w *world) result(records *recorder) (Result, error) {
	r, err := records.result()
	if err != nil {
		return Result{}, err
	}
	r.Branch = branch
	if r.Comment, err = w.answer(); err != nil {
		return Result{}, fmt.Errorf("reading the thread: %w", err)
	}
	for _, q := range w.github.Requests() {
		path := q.Path
		if strings.Contains(path, "/app/hook/deliveries") { // which the server lists when it starts, for no command
			continue
		}
		if q.Query != "" {
			path += "?" + q.Query
		}
		r.Requests = append(r.Requests, q.Method+" "+strings.TrimPrefix(path, "/api/v3"))
	}
	return r, nil
}

// answer returns tenon's answer: a review of the pull request, or else a comment.
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

// recorder keeps the recorded step "commit" of the run, beside the store.
type recorder struct {
	port.Runs
	mu     sync.Mutex
	commit []byte
}

func (r *recorder) wrap(runs port.Runs) port.Runs {
	r.Runs = runs
	return r
}

// Record implements port.Runs.
func (r *recorder) Record(ctx context.Context, ev port.Event, run, name string, step port.Step) error {
	if name == "commit" {
		r.mu.Lock()
		r.commit = step.Data
		r.mu.Unlock()
	}
	return r.Runs.Record(ctx, ev, run, name, step)
}

// result reads the recorded step. There is none when the run ended earlier.
func (r *recorder) result() (Result, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := Result{Results: []Outcome{}, Requests: []string{}}
	if r.commit == nil {
		return out, nil
	}
	var step struct {
		SHA     string `json:"sha"`
		Results []struct {
			Outcome
			Detail string `json:"detail"`
		} `json:"results"`
	}
	if err := json.Unmarshal(r.commit, &step); err != nil {
		return out, fmt.Errorf("reading the record of the commit: %w", err)
	}
	out.Commit = step.SHA
	for _, s := range step.Results {
		s.Outcome.Detail = s.Detail
		out.Results = append(out.Results, s.Outcome)
	}
	return out, nil
}
