package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// progress tells a person how far a command is, a line at a time: only that the model is asked, and in a terminal also
// what it writes, as it arrives. Safe for concurrent use.
type progress struct {
	view.Nobody
	out     io.Writer
	palette terminal.Palette
	model   string
	// streams means that the reply is shown.
	streams bool

	mu    sync.Mutex
	since time.Time
	timer *time.Timer // nil while the model is not waited for
}

// sign is how often a person is told that the model has not answered yet.
const sign = 15 * time.Second

// newProgress returns the progress of a command that asks a model. The answer to a question goes to out: it is not
// shown twice in the same terminal.
func newProgress(verb, model string, out, errOut io.Writer) *progress {
	streams := terminal.IsTerminal(errOut) && (verb != "ask" || !terminal.IsTerminal(out))
	return &progress{out: errOut, palette: terminal.PaletteFor(errOut), model: model, streams: streams}
}

// Watched implements view.Audience.
func (p *progress) Watched(string) bool { return p.streams }

// Said implements view.Audience.
func (p *progress) Said(_ string, _ int, lines string) {
	p.end()
	for line := range strings.Lines(lines) {
		p.line(terminal.Escape(strings.TrimRight(line, "\r\n")))
	}
}

// Recorded implements view.Audience.
func (p *progress) Recorded(_, step string) {
	switch {
	case step == promptStep:
		p.line("tenon: asking " + terminal.Escape(p.model))
		p.begin()
	case strings.HasPrefix(step, replySteps):
		p.line("tenon: the model has answered, call " + strings.TrimPrefix(step, replySteps))
		p.begin() // it may be asked again
	default:
		p.end()
	}
}

// begin begins to wait for the model.
func (p *progress) begin() {
	p.end()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = time.Now()
	p.timer = time.AfterFunc(sign, p.wait)
}

// wait tells that the model is still waited for.
func (p *progress) wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	p.write(fmt.Sprintf("tenon: waiting for %s since %.0f s", terminal.Escape(p.model), time.Since(p.since).Seconds()))
	p.timer.Reset(sign)
}

// end ends the wait for the model.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
}

// The steps of a run that are told: the prompt is written, and the model has replied.
const (
	promptStep = "context"
	replySteps = "ask."
)

func (p *progress) line(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.write(text)
}

func (p *progress) write(text string) {
	_, _ = io.WriteString(p.out, p.palette.Paint(terminal.Dim, text)+"\n")
}

// log returns a log of what delays a command.
func (p *progress) log() *slog.Logger { return slog.New(delays{p}) }

// delays is a slog.Handler that tells a person of warnings, which come of a model that does not answer.
type delays struct{ *progress }

// Enabled implements slog.Handler.
func (delays) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle implements slog.Handler.
func (d delays) Handle(_ context.Context, r slog.Record) error {
	text, why := r.Message, ""
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "wait":
			text += " in " + a.Value.Duration().Round(time.Second).String()
		case "fault", "error":
			why += ": " + a.Value.String()
		}
		return true
	})
	text += why
	d.line("tenon: " + terminal.Escape(text))
	return nil
}

// WithAttrs implements slog.Handler.
func (d delays) WithAttrs([]slog.Attr) slog.Handler { return d }

// WithGroup implements slog.Handler.
func (d delays) WithGroup(string) slog.Handler { return d }
