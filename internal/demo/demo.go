// Package demo shows the whole way from a comment to a commit: it starts a stand-in for GitHub with one repository and
// one pull request, and tenon's server beside it, and comments. It is the only part of the program that uses ghtest.
package demo

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
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
	// Start starts tenon's server.
	Start StartFunc
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
	if err := opts.complete(screen); err != nil {
		return Result{}, err
	}
	w, err := newWorld(ctx, opts)
	if err != nil {
		return Result{}, err
	}
	defer w.close()
	result, err := w.play(ctx, opts, screen)
	if err != nil {
		return Result{}, err
	}
	return result, w.show(ctx, result, screen)
}

// complete fills in the comment and the model.
func (o *Options) complete(screen *terminal.Transcript) error {
	switch {
	case o.Model != nil:
	case len(o.Replies) > 0:
		o.Model = script(screen, o.Replies...)
	case o.Repo == "":
		o.Model, o.ModelName = script(screen, storyReply, storyCorrection), "a reply written beforehand"
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
		screen.Section("What became of the edits")
	}
	for _, o := range r.Results {
		screen.Outcome(o.Status, o.Path, o.Line, o.Detail)
	}
	screen.Section("The answer in the thread, as posted")
	screen.Quote(r.Comment)
	if r.Commit == "" {
		screen.Line("\n%s", screen.Paint(terminal.Bold, "Nothing was committed."))
		return nil
	}
	screen.Section("git show %.7s", r.Commit)
	text, err := w.gitShow(ctx, r.Commit)
	if err != nil {
		return err
	}
	showPatch(screen, text)
	took := fmt.Sprintf("%.2f s", w.elapsed.Seconds())
	screen.Line("\n%s %d requests to GitHub, %s after the comment.%s",
		screen.Paint(terminal.Bold, "Done:"), len(r.Requests), took, w.kept())
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
