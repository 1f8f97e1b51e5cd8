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
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// session is a server that runs in a world.
type session struct {
	*world
	server  Server
	model   *shownModel
	records *recorder
	// pages are those of its runs; nil if they are not served.
	pages Pages
	// address is the page of the run.
	address string
	// stop ends the server and its pages, and returns their errors.
	stop func() error
}

// serve runs a server on a free port until its session is stopped.
func (w *world) serve(ctx context.Context, opts Options, screen *terminal.Transcript) (s *session, err error) {
	model := &shownModel{Model: opts.Model, name: opts.ModelName, screen: screen, begin: make(chan struct{})}
	s = &session{world: w, model: model, records: &recorder{}}
	s.server, err = opts.Start(ctx, w.serverConfig(), model, s.records.wrap, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if opts.Open != nil {
		if s.pages, err = opts.Open(ctx, s.server); err != nil {
			return nil, errors.Join(err, s.server.Close())
		}
		if opts.written {
			model.Model = &typingModel{Model: opts.Model, opened: s.pages.Opened()}
		}
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, s.closePages(), s.server.Close())
	}
	w.github.SetHookURL("http://" + l.Addr().String() + "/webhook")
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.server.Serve(ctx, l) }()
	s.stop = func() error {
		err := s.closePages()
		cancel()
		return errors.Join(err, <-ended, s.server.Close())
	}
	return s, nil
}

func (s *session) closePages() error {
	if s.pages == nil {
		return nil
	}
	return s.pages.Close()
}

// play posts the comment, waits until the server has handled it, and returns the result.
func (s *session) play(ctx context.Context, opts Options, screen *terminal.Transcript) (Result, error) {
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	s.github.ForgetRequests()
	screen.Section("%s comments on pull request #%d of %s", person, s.pull, s.repo)
	screen.Quote(opts.Comment)
	begun := time.Now()
	_, err := s.github.Comment(person, s.repo, s.pull, opts.Comment)
	if err == nil && s.pages != nil {
		err = await(ctx, s.accepted)
	}
	if err == nil && s.pages != nil {
		s.address = s.pages.Show(ctx, port.RunID(s.delivery().GUID))
		screen.Section("The page of this run")
		screen.Line("   %s", screen.Paint(terminal.Cyan, s.address))
		screen.Line("   Whoever has this address can use the page, until you end the demo with Ctrl-C.")
	}
	close(s.model.begin)
	if err == nil {
		err = await(ctx, s.server.Idle)
	}
	s.model.over.Store(true)
	s.elapsed = time.Since(begun)
	if err != nil {
		return Result{}, err
	}
	return s.result(s.records)
}

// delivery returns that of the comment.
func (s *session) delivery() simhttp.Delivery {
	all := s.github.Deliveries()
	return all[len(all)-1]
}

// accepted reports whether the server has answered the delivery of the comment.
func (s *session) accepted(context.Context) (bool, error) { return s.delivery().Status != 0, nil }

// wait returns when the demo is ended. Until then, commands can be given on the page.
func (s *session) wait(ctx context.Context, screen *terminal.Transcript) {
	screen.Line("\n%s %s", screen.Paint(terminal.Bold, "The page is still there:"), s.address)
	screen.Line("Ctrl-C ends the demo, and the page with it.")
	<-ctx.Done()
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
		comments = append(comments, sim.Comment{User: r.User, Body: r.Body})
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
