package demo

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
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
