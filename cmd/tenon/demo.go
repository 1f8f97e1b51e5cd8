package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/demo"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// demoFlags are the flags of demo.
type demoFlags struct {
	repo, reply, replay, comment, keep, html string
	json, open                               bool
	timeout                                  time.Duration
}

func newDemoCmd() *cobra.Command {
	var given demoFlags
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play everything from a comment to a commit, in this terminal",
		Long: `demo runs the real server and a simulated GitHub in one process: a person comments on
a pull request, the delivery is signed and accepted, a model replies, the edits are applied to a
clone fetched over HTTP, pushed, and answered in the thread. It needs git, and nothing else.

Without flags it tells a story of its own. With --repo it does the same on the last commit of a
local git repository, of which it makes a copy: the repository itself is never changed.

The model's reply comes from the file that --reply names; else from the model that is configured
(TENON_MODEL, TENON_MODEL_BASE_URL, TENON_MODEL_API_KEY); else, in the demo's own story, it was
written in advance.

It exits with 0 if something was committed, and with 1 if not.`,
		Example: `  tenon demo
  tenon demo --repo ~/src/project --reply reply.md --comment '/tenon fix the greeting'
  tenon demo --repo . --comment 'rename Start to Listen in server/start.go'   # asks the configured model
  tenon demo --open                        # the page of the run, live in your browser
  tenon demo --html answer.html            # then open answer.html in a browser
  tenon demo --json | jq .commit`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), given, cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&given.repo, "repo", "",
		"work on the last commit of this local git repository (a `folder`; it is not changed)")
	flags.StringVar(&given.reply, "reply", "", "a `file` with the model's reply (- for standard input)")
	flags.StringVar(&given.replay, "replay", "", "a `file` with a recording, as tenon replay --json prints it")
	flags.StringVar(&given.comment, "comment", "",
		"the comment; a `text` without a command gets \"/tenon fix\" before it")
	flags.StringVar(&given.keep, "keep", "",
		"keep the simulated GitHub's repositories in this `folder`, to look at with git")
	flags.StringVar(&given.html, "html", "",
		"write the thread to this `file` as GitHub shows it: a page that loads nothing")
	flags.BoolVar(&given.json, "json", false, "print one JSON object: commit, branch, results, comment, requests")
	flags.BoolVar(&given.open, "open", false,
		"show the page of the run, where you can follow it and undo it, until you press Ctrl-C")
	cmd.MarkFlagsMutuallyExclusive("reply", "replay")
	cmd.MarkFlagsMutuallyExclusive("json", "open")
	flags.DurationVar(&given.timeout, "timeout", 10*time.Minute, "give up after this `time`")
	return cmd
}

// runDemo returns errSome when the demo ended without a commit.
func runDemo(ctx context.Context, flags demoFlags, out io.Writer) error {
	opts := demo.Options{Repo: flags.repo, Comment: flags.comment, Keep: flags.keep, HTML: flags.html,
		Command: calledAs(os.Args[0]), Start: startApp, Timeout: flags.timeout}
	if flags.open {
		opts.Open = serveLocally(terminal.IsTerminal(out))
	}
	if err := chooseModel(&opts, flags); err != nil {
		return err
	}
	screen := out
	if flags.json {
		screen = io.Discard
	}
	result, err := demo.Run(ctx, opts, screen)
	if errors.Is(err, demo.ErrNoReply) {
		return errors.New("there is no reply: give one with --reply FILE, " +
			"or set TENON_MODEL (and TENON_MODEL_API_KEY or TENON_MODEL_BASE_URL) to ask a model")
	}
	if err == nil && flags.json {
		enc := json.NewEncoder(out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(result)
	}
	if err == nil && result.Commit == "" {
		return errSome
	}
	return err
}

// calledAs returns how to call the program again, for a shell: by go run, or as it was called.
func calledAs(name string) string {
	if strings.Contains(filepath.ToSlash(name), "/go-build") {
		return "go run ./cmd/tenon"
	}
	if strings.ContainsAny(name, " \t'\"\\$`()&;<>|*?[]#~!{}") {
		return "tenon"
	}
	return name
}

// chooseModel sets who replies in a demo: a recording, a file, or the configured model.
func chooseModel(opts *demo.Options, flags demoFlags) error {
	if flags.replay != "" {
		model, err := readRecording(flags.replay)
		opts.Model, opts.ModelName = model, "from the recording "+flags.replay
		return err
	}
	if flags.reply != "" {
		text, err := readReply(flags.reply, os.Stdin, os.Stderr)
		opts.Replies, opts.ModelName = []string{text}, "a reply from "+flags.reply
		return err
	}
	cfg, err := config.LoadModel(config.Source{})
	if err != nil || cfg.Name == "" {
		return err
	}
	opts.ModelName = cfg.Name
	opts.Model, err = newModel([]config.Model{cfg}, newObservation(), slog.New(slog.DiscardHandler))
	return err
}

// readRecording returns a model that gives the answers in a file again.
func readRecording(name string) (port.Model, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reading the recording: %w", err)
	}
	defer func() { _ = f.Close() }()
	exchanges, err := llm.ReadExchanges(f)
	if err != nil {
		return nil, err
	}
	if len(exchanges) == 0 {
		return nil, fmt.Errorf("the recording %s has no answer", name)
	}
	return llm.NewReplay(exchanges), nil
}
