package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/llm"
)

// How the reply streams on a terminal: fast enough for seconds, slow enough to be seen.
const (
	pieceBytes = 12
	pieceDelay = 6 * time.Millisecond
	maxPieces  = 400
)

// demoResult is what came of a demo; its JSON is the output of --json.
type demoResult struct {
	// Commit is the commit's SHA, empty when there is none; Branch is where it stands.
	Commit  string       `json:"commit"`
	Branch  string       `json:"branch"`
	Results []demoStatus `json:"results"`
	// Comment is the answer as posted.
	Comment string `json:"comment"`
	// Requests are what tenon asked of GitHub's API and git, in order.
	Requests []string `json:"requests"`
}

// demoStatus is what became of one block; Line is the file's.
type demoStatus struct {
	Path   string `json:"path"`
	Status string `json:"status"`
	Reason string `json:"reason"`
	Detail string `json:"-"`
	Line   int    `json:"line"`
}

// demoOutput shows a demo as it goes, or keeps still until it prints JSON.
type demoOutput struct {
	palette
	w    io.Writer
	json bool

	mu    sync.Mutex
	quote *quoter
	steps int
}

func newDemoOutput(w io.Writer, asJSON bool) *demoOutput {
	return &demoOutput{palette: paletteFor(w), w: w, json: asJSON}
}

func (o *demoOutput) log() *slog.Logger { return slog.New(slog.DiscardHandler) }

// script makes a model of replies; it streams slowly where somebody watches. Asked more often than there are replies, it has
// no more to say, and the run ends with what there is.
func (o *demoOutput) script(texts ...string) *llm.Scripted {
	model := llm.Script(texts...)
	if o.on {
		model.Piece, model.Delay = max(pieceBytes, len(texts[0])/maxPieces), pieceDelay
	}
	return model
}

// section begins a numbered part.
func (o *demoOutput) section(format string, args ...any) {
	if o.json {
		return
	}
	o.steps++
	title := fmt.Sprintf("%d. %s", o.steps, fmt.Sprintf(format, args...))
	_, _ = fmt.Fprintf(o.w, "\n%s\n\n", o.paint(styleBold, title))
}

// quoted shows a whole text in the margin.
func (o *demoOutput) quoted(text string) {
	o.stream(strings.TrimRight(text, "\n"))
	o.endStream()
}

// stream shows the next piece of a text in the margin. Safe for concurrent use.
func (o *demoOutput) stream(piece string) {
	if o.json {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.quote == nil {
		o.quote = &quoter{w: o.w, margin: "   " + o.paint(styleDim, "│") + " "}
	}
	o.quote.write(piece)
}

func (o *demoOutput) endStream() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.quote != nil {
		o.quote.end()
	}
	o.quote = nil
}

// quoter writes text with a margin before each line.
type quoter struct {
	w      io.Writer
	margin string
	inLine bool
}

func (q *quoter) write(text string) {
	for line := range strings.Lines(text) {
		if !q.inLine {
			_, _ = io.WriteString(q.w, q.margin)
		}
		_, _ = io.WriteString(q.w, visible(strings.TrimRight(line, "\r\n")))
		q.inLine = !strings.HasSuffix(line, "\n")
		if !q.inLine {
			_, _ = io.WriteString(q.w, "\n")
		}
	}
}

func (q *quoter) end() {
	if q.inLine {
		_, _ = io.WriteString(q.w, "\n")
	}
}

// finish shows what came of it.
func (o *demoOutput) finish(ctx context.Context, w *world, r demoResult) error {
	if o.json {
		enc := json.NewEncoder(o.w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	if len(r.Results) > 0 {
		o.section("What became of the edits")
	}
	for _, s := range r.Results {
		o.status(s)
	}
	o.section("The answer in the thread, as posted")
	o.quoted(r.Comment)
	if r.Commit == "" {
		_, _ = fmt.Fprintf(o.w, "\n%s\n", o.paint(styleBold, "Nothing was committed."))
		return nil
	}
	o.section("git show %.7s", r.Commit)
	text, err := w.show(ctx, r.Commit)
	if err != nil {
		return err
	}
	o.patch(text)
	_, _ = fmt.Fprintf(o.w, "\n%s %d requests to GitHub, %s after the comment.%s\n", o.paint(styleBold, "Done:"), len(r.Requests), w.took(), w.kept())
	return nil
}

func (o *demoOutput) status(s demoStatus) {
	style := map[string]string{"applied": styleGreenTag, "failed": styleRedTag}[s.Status]
	if style == "" {
		style = styleGreyTag
	}
	place := s.Path
	if s.Line > 0 {
		place = fmt.Sprintf("%s:%d", s.Path, s.Line)
	}
	_, _ = fmt.Fprintf(o.w, "   %s %s  %s\n", o.paint(style, fmt.Sprintf(" %-7s ", s.Status)), visible(place), visible(s.Detail))
}

// patchStyle is how a line of git show looks.
func patchStyle(line string) string {
	switch {
	case strings.HasPrefix(line, "commit "), strings.HasPrefix(line, "diff "), strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		return styleBold
	case strings.HasPrefix(line, "@@ "):
		return styleCyan
	case strings.HasPrefix(line, "+"):
		return styleGreen
	case strings.HasPrefix(line, "-"):
		return styleRed
	}
	return ""
}

// patch shows git's output, of which the commit's author decides every byte.
func (o *demoOutput) patch(text string) {
	for line := range strings.Lines(text) {
		line = visible(strings.TrimRight(line, "\n"))
		if style := patchStyle(line); style != "" {
			line = o.paint(style, line)
		}
		_, _ = fmt.Fprintln(o.w, strings.TrimRight("   "+line, " "))
	}
}
