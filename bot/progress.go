package bot

import (
	"context"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// editPause is how far apart the edits of a running answer are: content writes are scarce (GitHub's secondary limits are 80 a
// minute and 500 an hour).
const editPause = 10 * time.Second

// shownStatus is a status and where it is shown: the answer, and the check run; zero until these exist.
type shownStatus struct {
	report.Status
	said  record.AnswerComment
	check int64
}

// progress keeps the answer of a run up to date while it goes on. Safe for concurrent use.
type progress struct {
	mu    sync.Mutex
	now   shownStatus
	fresh chan struct{}
	quit  chan struct{}
	ended sync.WaitGroup
}

// watch begins to show how far the run is, in the answer and in the check.
func (s *session) watch(ctx context.Context, t record.Target) {
	p := &progress{now: shownStatus{Status: report.Status{Target: t}}, fresh: make(chan struct{}, 1), quit: make(chan struct{})}
	s.progress = p
	p.ended.Go(func() {
		for p.due() {
			s.show(ctx, p.shown())
		}
	})
}

// unwatch ends that, and returns when the last edit is done: what is written next stays.
func (s *session) unwatch() {
	if s.progress != nil {
		close(s.progress.quit)
		s.progress.ended.Wait()
		s.progress = nil
	}
}

// due waits until the pause since the former edit is over and there is something new to show; false when it is all over.
func (p *progress) due() bool {
	pause := time.NewTimer(editPause)
	defer pause.Stop()
	select {
	case <-p.quit:
		return false
	case <-pause.C:
	}
	select {
	case <-p.quit:
		return false
	case <-p.fresh:
		return true
	}
}

func (p *progress) shown() shownStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// at tells how far the run is.
func (s *session) at(change func(*shownStatus)) {
	p := s.progress
	if p == nil {
		return
	}
	p.mu.Lock()
	change(&p.now)
	p.mu.Unlock()
	select {
	case p.fresh <- struct{}{}:
	default:
	}
}

// show writes the status. It is a courtesy: one that could not be written is logged, no more.
func (s *session) show(ctx context.Context, now shownStatus) {
	body := report.StatusBody(s.subject(), now.Status)
	s.progressTo(ctx, now.said, body)
	s.updateCheck(ctx, now.check, port.Check{Status: "in_progress", Title: "Working", Summary: body})
}

func (s *session) progressTo(ctx context.Context, said record.AnswerComment, body string) {
	if said.Comment == 0 {
		return
	}
	if err := s.GitHub.Progress(ctx, s.ev.Repo, s.ev.Thread.Number, said.Ref(), s.marked(body)); err != nil {
		s.log.DebugContext(ctx, "progress not shown", "error", err)
	}
}

// listen returns what is to hear a model's answer as it arrives.
func (s *session) listen(call int) func(string) {
	s.at(func(now *shownStatus) { now.Stage, now.Call, now.Blocks = report.StageAsking, call, nil })
	scanner := engine.NewScanner(engine.ParseOptions{})
	return func(piece string) {
		blocks := scanner.Feed(piece)
		if len(blocks) == 0 {
			return
		}
		s.at(func(now *shownStatus) {
			for _, b := range blocks {
				now.Blocks = append(now.Blocks[:len(now.Blocks):len(now.Blocks)], b.Path)
			}
		})
	}
}
