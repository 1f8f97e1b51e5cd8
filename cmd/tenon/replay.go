package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/store"
)

func newReplayCmd() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Show what was asked, answered and done in a run",
		Long: `replay shows a run from the records of a server, which may be running: the comment, each question
to the model with its answer, and what became of the edits. The run's id stands at the end of each
answer that tenon posts.

With --json it prints the questions and answers as JSON lines, a recording that demo plays again
with today's program: nothing is asked of a model, and nothing is pushed anywhere.`,
		Example: `  tenon replay jriuhdvv5mxf
  tenon replay jriuhdvv5mxf --json > run.jsonl
  tenon demo --repo ~/src/project --replay run.jsonl --comment 'the comment of the run'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if dir == "" {
				var err error
				if dir, err = config.LoadDataDir(config.Source{}); err != nil {
					return err
				}
			}
			return replay(cmd.Context(), dir, args[0], asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&dir, "data", "", "the server's data `folder` (default $TENON_DATA_DIR, else ./data)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the questions and answers as JSON lines")
	return cmd
}

func replay(ctx context.Context, dir, id string, asJSON bool, w io.Writer) error {
	ev, run, err := store.FindRun(ctx, dir, id)
	if errors.Is(err, bot.ErrNotFound) {
		return fmt.Errorf("there is no run %s in %s; the id stands at the end of tenon's answer, and --data names another folder", visible(id), dir)
	}
	if err != nil {
		return err
	}
	record, err := bot.ReadReplay(run)
	if err != nil {
		return err
	}
	if asJSON {
		return printExchanges(w, record)
	}
	printRecord(newDemoOutput(w, false), ev, record)
	return nil
}

// printExchanges prints what llm.ReadExchanges reads.
func printExchanges(w io.Writer, record bot.Replay) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, c := range record.Calls {
		if c.Fault != "" {
			continue
		}
		if err := enc.Encode(llm.Exchange{Request: c.Request, Answer: c.Answer}); err != nil {
			return fmt.Errorf("printing the recording: %w", err)
		}
	}
	return nil
}

func printRecord(o *demoOutput, ev bot.Event, record bot.Replay) {
	o.section("%s commented on %s#%d", visible(ev.Sender.Login), visible(ev.Repo.String()), ev.Thread.Number)
	o.quoted(ev.Comment.Body)
	for i, c := range record.Calls {
		if i == 0 {
			o.section("The instructions to the model")
			o.quoted(c.Request.System)
		}
		o.section("The model was asked (%s)", c.Kind)
		o.quoted(c.Request.Messages[len(c.Request.Messages)-1].Text)
		if c.Fault != "" {
			o.section("It could not be asked")
			o.quoted(c.Fault)
			continue
		}
		o.section("%s answered: %d tokens in, %d out", visible(c.Answer.Model), c.Answer.Usage.In, c.Answer.Usage.Out)
		o.quoted(c.Answer.Text)
	}
	o.section("What became of the edits")
	for _, r := range record.Results {
		o.status(demoStatus{Path: r.Path, Status: r.Status, Detail: r.Detail, Line: r.Line})
	}
	o.summary(record)
}

func (o *demoOutput) summary(record bot.Replay) {
	text := "Nothing was committed."
	if record.Commit != "" {
		text = "Committed as " + record.Commit + "."
	}
	if record.Answer != "" {
		text += " The answer: " + visible(record.Answer)
	}
	_, _ = fmt.Fprintf(o.w, "\n%s\n", o.paint(styleBold, text))
}
