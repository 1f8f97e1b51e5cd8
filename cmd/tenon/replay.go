package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/terminal"
)

func newReplayCmd() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "replay RUN",
		Short: "Show what was asked, answered and done in a run",
		Long: `replay shows a run from the records of a server, which may be running: the comment, each question
to the model with its answer, what the model asked to see and was shown, and the result of each
edit. The run's id is at the end of each answer that tenon posts.

With --json it prints the questions and answers as JSON lines, a recording that demo replays
with today's program: no model is asked, and nothing is pushed anywhere.`,
		Example: `  tenon replay jriuhdvv5mxf
  tenon replay jriuhdvv5mxf --json > run.jsonl
  tenon demo --repo ~/src/project --replay run.jsonl --comment 'the comment of the run'`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			database := config.Database{DataDir: dir}
			if dir == "" {
				var err error
				if database, err = config.LoadDatabase(config.Source{}); err != nil {
					return err
				}
			}
			return replay(cmd.Context(), database, args[0], asJSON, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&dir, "data", "",
		"the server's data `folder` (default $TENON_DATABASE_URL, else $TENON_DATA_DIR, else ./data)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the questions and answers as JSON lines")
	return cmd
}

func replay(ctx context.Context, database config.Database, id string, asJSON bool, w io.Writer) error {
	opts := store.Options{Dir: database.DataDir, DatabaseURL: database.DatabaseURL.Reveal()}
	ev, run, err := store.FindRun(ctx, opts, id)
	if errors.Is(err, port.ErrNotFound) {
		return fmt.Errorf("there is no run %s in %s; the id is at the end of tenon's answer, "+
			"and --data names another folder", terminal.Escape(id), opts.Place())
	}
	if err != nil {
		return err
	}
	record, err := bot.ReadReplay(run)
	if err != nil {
		return err
	}
	if asJSON && record.Forgotten {
		return fmt.Errorf("the questions and answers of run %s have been deleted, as TENON_RETENTION_SOURCES says: "+
			"there is nothing to play again", terminal.Escape(id))
	}
	if asJSON {
		return printExchanges(w, record)
	}
	printRecord(terminal.NewTranscript(w), ev, record)
	return nil
}

// printExchanges prints a recording, which llm.ReadExchanges reads.
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

func printRecord(t *terminal.Transcript, ev port.Event, record bot.Replay) {
	t.Section("%s commented on %s#%d",
		terminal.Escape(ev.Sender.Login), terminal.Escape(ev.Repo.String()), ev.Thread.Number)
	t.Quote(ev.Comment.Body)
	if record.Forgotten {
		printForgotten(t, record)
	} else {
		printCalls(t, record)
	}
	t.Section("What happened to the edits")
	for _, r := range record.Results {
		t.Outcome(r.Status, r.Path, r.Line, r.Detail)
	}
	printSummary(t, record)
}

// printForgotten prints what is left of the calls.
func printForgotten(t *terminal.Transcript, record bot.Replay) {
	t.Line("\nThe questions, the answers and all lines of files have been deleted, as TENON_RETENTION_SOURCES says.")
	for _, c := range record.Calls {
		t.Section("%s answered (%s): %d tokens in, %d out", terminal.Escape(c.Answer.Model), c.Kind,
			c.Answer.Usage.In, c.Answer.Usage.Out)
	}
}

func printCalls(t *terminal.Transcript, record bot.Replay) {
	for i, c := range record.Calls {
		if i == 0 {
			t.Section("The instructions to the model")
			t.Quote(c.Request.System)
		}
		for n, g := range c.Given {
			if n == 0 {
				t.Section("The model asked to be shown more")
			}
			t.Quote(g.Ask + "\n→ " + givenFor(g))
		}
		t.Section("The model was asked (%s)", c.Kind)
		t.Quote(c.Request.Messages[len(c.Request.Messages)-1].Text)
		if c.Fault != "" {
			t.Section("It could not be asked")
			t.Quote(c.Fault)
			continue
		}
		t.Section("%s answered: %d tokens in, %d out", terminal.Escape(c.Answer.Model), c.Answer.Usage.In, c.Answer.Usage.Out)
		t.Quote(c.Answer.Text)
	}
}

// givenFor says what the model was given for an ask.
func givenFor(g bot.Given) string {
	var parts []string
	if len(g.Lines) > 0 {
		parts = append(parts, strings.Join(g.Lines, ", "))
	}
	if g.Names > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", g.Names, english.PluralWord(g.Names, "name", "")))
	}
	if g.Hits > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d %s", g.Hits, g.All, english.PluralWord(g.All, "line", "")))
	}
	if g.Why != "" {
		parts = append(parts, g.Why)
	}
	return strings.Join(parts, "; ")
}

func printSummary(t *terminal.Transcript, record bot.Replay) {
	text := "Nothing was committed."
	if record.Commit != "" {
		text = "Committed as " + record.Commit + "."
	}
	if record.Answer != "" {
		text += " The answer: " + terminal.Escape(record.Answer)
	}
	t.Line("\n%s", t.Paint(terminal.Bold, text))
}
