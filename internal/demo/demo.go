// Package demo shows the whole way from a comment to a commit: it starts a simulated GitHub with one repository and
// one pull request, and tenon's server beside it, and comments. No other part of the program uses the simulated GitHub.
package demo

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/gfm"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// The built-in story: a small program, a comment, the model's reply, and its second one, which corrects what did not
// fit.
var (
	//go:embed story/project.txtar
	storyProject []byte
	//go:embed story/comment.md
	storyComment string
	//go:embed story/reply.md
	storyReply string
	//go:embed story/correction.md
	storyCorrection string
)

// Options say what a demo shows. The zero value but for Start is the built-in story.
type Options struct {
	// Repo is the folder of a local git repository. The demo works on a copy of its last commit, and never changes it.
	// Empty for the repository of the built-in story.
	Repo string
	// Comment is what the person writes; "/tenon fix" is put before a text without a command.
	Comment string
	// Keep is a new or empty folder for the stand-in's repositories, which remain there. Empty for a temporary folder.
	Keep string
	// Model answers, or Replies do, in order; ModelName says on the screen who answers. Without both, the reply of the
	// built-in story is used, which fits its repository only.
	Model     port.Model
	Replies   []string
	ModelName string
	// Timeout is how long the command may take.
	Timeout time.Duration
	// Open serves the page of the run; nil serves none.
	Open OpenFunc
	// HTML is a file to which the thread is written as GitHub shows it. Empty for none.
	HTML string
	// Command is how the program was called, for what to try next: "tenon".
	Command string
	// Start starts tenon's server.
	Start StartFunc

	// written means that the replies were written in advance.
	written bool
}

// StartFunc makes a server with all its parts, which does not run yet. The server records its runs in what wrapRuns
// returns for its own store.
type StartFunc func(ctx context.Context, cfg config.Server, model port.Model, wrapRuns func(port.Runs) port.Runs,
	log *slog.Logger) (Server, error)

// Server is tenon's server.
type Server interface {
	// Serve accepts deliveries on l and handles them until ctx ends. It closes l.
	Serve(ctx context.Context, l net.Listener) error
	// Idle reports whether every accepted delivery was handled.
	Idle(ctx context.Context) (bool, error)
	// Close releases the server's resources. It is called once, after Serve has returned or instead of it.
	Close() error
}

// OpenFunc begins to serve the pages of a server that does not run yet, on this machine.
type OpenFunc func(ctx context.Context, server Server) (Pages, error)

// Pages are the pages of the runs of a server.
type Pages interface {
	// Show opens the page of a run in a browser, if there is one to open it in, and returns its address.
	Show(ctx context.Context, run string) (address string)
	// Opened is closed when somebody has opened a page.
	Opened() <-chan struct{}
	// Close ends them.
	Close() error
}

// Result is the outcome of a demo.
type Result struct {
	// Commit is the commit's SHA, empty when there is none; Branch is the branch of the pull request.
	Commit  string    `json:"commit"`
	Branch  string    `json:"branch"`
	Results []Outcome `json:"results"`
	// Comment is the answer as posted.
	Comment string `json:"comment"`
	// Requests are those that tenon sent to GitHub's API and to git for the command, in order, such as
	// "GET /repos/acme/greet".
	Requests []string `json:"requests"`
}

// Outcome is the outcome of one edit block. Line is the file's, from 1, or 0 if none is known.
type Outcome struct {
	Path   string `json:"path"`
	Status string `json:"status"`
	Reason string `json:"reason"`
	Detail string `json:"-"`
	Line   int    `json:"line"`
}

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
