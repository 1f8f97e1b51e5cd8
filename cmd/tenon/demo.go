package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/llm"
)

// The demo's own story: a small program, a comment, the reply that a model might give, and its second one, to what did not fit.
var (
	//go:embed demo/project.txtar
	demoProject []byte
	//go:embed demo/comment.md
	demoComment string
	//go:embed demo/reply.md
	demoReply string
	//go:embed demo/correction.md
	demoCorrection string
)

// demoOptions are the flags of demo.
type demoOptions struct {
	repo, reply, replay, comment, keep string
	json                               bool
	timeout                            time.Duration
}

func newDemoCmd() *cobra.Command {
	var opts demoOptions
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole way from a comment to a commit, in this terminal",
		Long: `demo runs the real server beside a stand-in for GitHub, in this one process: a person comments on
a pull request, the delivery is signed and accepted, a model replies, the edits are applied to a
clone fetched over HTTP, pushed, and answered in the thread. It needs git, and nothing else.

Without flags it tells a story of its own. With --repo it does the same on the last commit of a
local git repository, of which it makes a copy: the repository itself is never changed.

The model's reply comes from the file that --reply names; else from the model that is configured
(TENON_MODEL, TENON_MODEL_BASE_URL, TENON_MODEL_API_KEY); else, in the demo's own story, it was
written beforehand.

It exits with 0 when there is a commit in the end, with 1 when there is none.`,
		Example: `  tenon demo
  tenon demo --repo ~/src/project --reply reply.md --comment '/tenon fix the greeting'
  tenon demo --repo . --comment 'rename Start to Listen in server/start.go'   # asks the configured model
  tenon demo --json | jq .commit`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), opts.timeout)
			defer cancel()
			out := newDemoOutput(cmd.OutOrStdout(), opts.json)
			return demo(ctx, opts, out)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.repo, "repo", "", "work on the last commit of this local git repository (a `folder`; it is not changed)")
	flags.StringVar(&opts.reply, "reply", "", "a `file` with the model's reply (- for standard input)")
	flags.StringVar(&opts.replay, "replay", "", "a `file` with a recording, as tenon replay --json prints it")
	flags.StringVar(&opts.comment, "comment", "", "the comment; a `text` without a command gets \"/tenon fix\" before it")
	flags.StringVar(&opts.keep, "keep", "", "keep the stand-in's repositories in this `folder`, to look at with git")
	flags.BoolVar(&opts.json, "json", false, "print one JSON object: commit, branch, results, comment, requests")
	cmd.MarkFlagsMutuallyExclusive("reply", "replay")
	flags.DurationVar(&opts.timeout, "timeout", 10*time.Minute, "give up after this `time`")
	return cmd
}

// demo plays the story and shows it. errSome when it ended without a commit.
func demo(ctx context.Context, opts demoOptions, out *demoOutput) error {
	story, err := newStory(opts, out)
	if err != nil {
		return err
	}
	w, err := newWorld(ctx, opts)
	if err != nil {
		return err
	}
	defer w.close()
	result, err := w.play(ctx, story, out)
	if err != nil {
		return err
	}
	if err := out.finish(ctx, w, result); err != nil {
		return err
	}
	if result.Commit == "" {
		return errSome
	}
	return nil
}

// story is what is said in a demo.
type story struct {
	comment string
	model   bot.Model
	// named is what the model is called on the screen.
	named string
}

func newStory(opts demoOptions, out *demoOutput) (story, error) {
	s := story{comment: opts.comment}
	if s.comment == "" {
		s.comment = "/tenon fix what the reply says"
		if opts.repo == "" {
			s.comment = strings.TrimSpace(demoComment)
		}
	}
	if !hasCommand(s.comment) {
		s.comment = "/tenon fix " + s.comment
	}
	model, named, err := demoModel(opts, out)
	s.model, s.named = model, named
	return s, err
}

// hasCommand says whether the text already begins one of its lines like a command.
func hasCommand(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "/tenon") || strings.HasPrefix(line, "@tenon") {
			return true
		}
	}
	return false
}

func demoModel(opts demoOptions, out *demoOutput) (bot.Model, string, error) {
	if opts.replay != "" {
		model, err := recording(opts.replay)
		return model, "from the recording " + opts.replay, err
	}
	if opts.reply != "" {
		text, err := readReply(opts.reply, os.Stdin, os.Stderr)
		return out.script(text), "a reply from " + opts.reply, err
	}
	cfg, err := config.LoadModel(config.Source{})
	if err != nil {
		return nil, "", err
	}
	if cfg.Name == "" && opts.repo == "" {
		return out.script(demoReply, demoCorrection), "a reply written beforehand", nil
	}
	if cfg.Name == "" {
		return nil, "", errors.New("there is no reply: give one with --reply FILE, or set TENON_MODEL (and TENON_MODEL_API_KEY or TENON_MODEL_BASE_URL) to ask a model")
	}
	model, err := newModel([]config.Model{cfg}, out.log())
	return model, cfg.Name, err
}

// recording is the model that gives the answers of a file again.
func recording(name string) (bot.Model, error) {
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
		return nil, fmt.Errorf("the recording %s holds no answer", name)
	}
	return llm.NewReplay(exchanges), nil
}
