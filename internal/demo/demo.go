// Package demo shows the whole way from a comment to a commit: it starts a simulated GitHub with one repository and
// one pull request, and tenon's server beside it, and comments. No other part of the program uses the simulated GitHub.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tenon-bot/tenon/internal/gfm"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// ErrNoReply is returned by Run when there is nobody to reply to the comment.
var ErrNoReply = errors.New("there is no model and no reply")

// Run shows a demo on out and returns its result. A run that ends without a commit is no error.
func Run(ctx context.Context, opts Options, out io.Writer) (Result, error) {
	screen := terminal.NewTranscript(out)
	if err := opts.complete(); err != nil {
		return Result{}, err
	}
	opts.introduce(screen)
	w, err := newWorld(ctx, opts)
	if err != nil {
		return Result{}, err
	}
	defer w.close()
	s, err := w.serve(ctx, opts, screen)
	if err != nil {
		return Result{}, err
	}
	result, err := s.play(ctx, opts, screen)
	if opts.Open == nil || err != nil {
		err = errors.Join(err, s.stop())
	}
	if err != nil {
		return Result{}, err
	}
	err = w.tell(ctx, opts, result, screen)
	if opts.Open != nil {
		if err == nil {
			s.wait(ctx, screen)
		}
		err = errors.Join(err, s.stop())
	}
	return result, err
}

// tell shows the result, and what to try next.
func (w *world) tell(ctx context.Context, opts Options, result Result, screen *terminal.Transcript) error {
	if err := w.show(ctx, result, screen); err != nil {
		return err
	}
	if opts.HTML != "" {
		if err := w.writePage(opts, result); err != nil {
			return err
		}
	}
	opts.conclude(screen)
	return nil
}

// complete fills in the comment and the model.
func (o *Options) complete() error {
	if o.HTML != "" {
		if info, err := os.Stat(filepath.Dir(o.HTML)); err != nil || !info.IsDir() {
			return fmt.Errorf("--html %s: there is no folder %s", o.HTML, filepath.Dir(o.HTML))
		}
	}
	switch {
	case o.Model != nil:
	case len(o.Replies) > 0:
		o.Model, o.written = llm.Script(o.Replies...), true
	case o.Repo == "":
		o.Model, o.ModelName = llm.Script(storyReply, storyCorrection), "a reply written in advance"
		o.written = true
	default:
		return ErrNoReply
	}
	if o.Comment == "" {
		o.Comment = "/tenon fix what the reply says"
		if o.Repo == "" {
			o.Comment = strings.TrimSpace(storyComment)
		}
	}
	if !hasCommand(o.Comment) {
		o.Comment = "/tenon fix " + o.Comment
	}
	return nil
}

// hasCommand reports whether a line of text begins like a command.
func hasCommand(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "/tenon") || strings.HasPrefix(line, "@tenon") {
			return true
		}
	}
	return false
}

// show shows the result.
func (w *world) show(ctx context.Context, r Result, screen *terminal.Transcript) error {
	if len(r.Results) > 0 {
		screen.Section("What happened to the edits")
	}
	for _, o := range r.Results {
		screen.Outcome(o.Status, o.Path, o.Line, o.Detail)
	}
	screen.Section("tenon answers in the thread")
	if err := w.showAnswer(r, screen); err != nil {
		return err
	}
	if r.Commit == "" {
		screen.Line("\n%s", screen.Paint(terminal.Bold, "Nothing was committed."))
		return nil
	}
	screen.Section("git show %.7s", r.Commit)
	text, err := w.gitShow(ctx, r.Commit)
	if err != nil {
		return err
	}
	showPatch(screen, w.withoutAddress(text))
	took := fmt.Sprintf("%.2f s", w.elapsed.Seconds())
	screen.Line("\n%s %d requests to GitHub, %s after the comment.%s",
		screen.Paint(terminal.Bold, "Done:"), len(r.Requests), took, w.kept())
	return nil
}

// showAnswer shows the answer as GitHub does. What a commit has is shown by git, so its folds remain closed; else there
// is no other place to see what is in them.
func (w *world) showAnswer(r Result, screen *terminal.Transcript) error {
	const margin = 5
	lines, err := gfm.Terminal{
		Palette: screen.Palette, Width: screen.Width - margin, Open: r.Commit == "", Gone: w.address(),
	}.Lines(r.Comment)
	if err != nil {
		return fmt.Errorf("showing the answer: %w", err)
	}
	screen.Margin(lines)
	return nil
}

// showPatch shows the output of git show, every byte of which the commit's author may have chosen.
func showPatch(screen *terminal.Transcript, text string) {
	for line := range strings.Lines(text) {
		line = terminal.Escape(strings.TrimRight(line, "\n"))
		screen.Line("%s", strings.TrimRight("   "+screen.Paint(patchStyle(line), line), " "))
	}
}

// patchStyle returns the style of a line of git show.
func patchStyle(line string) terminal.Style {
	switch {
	case line == "---": // between the message and the files
		return ""
	case strings.HasPrefix(line, "commit "), strings.HasPrefix(line, "diff "),
		strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "--- "):
		return terminal.Bold
	case strings.HasPrefix(line, "@@ "):
		return terminal.Cyan
	case strings.HasPrefix(line, "+"):
		return terminal.Green
	case strings.HasPrefix(line, "-"):
		return terminal.Red
	}
	return ""
}
