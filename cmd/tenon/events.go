package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/terminal"
	"github.com/tenon-bot/tenon/internal/text"
)

func newEventsCmd() *cobra.Command {
	var dir string
	var asJSON, followed bool
	most := 100
	cmd := &cobra.Command{
		Use:   "events",
		Short: "List commands that wait, run, sleep or have failed; retry or drop the failed ones",
		Long: `events lists the events of a server, which may be running, that are not done:

  running      a worker handles it
  waiting      it waits for a worker, or for the events of its thread that came before it
  sleeping     it waits until GitHub or the model is available again, or for its next attempt
  dead letter  it failed for good, or crashed the server each time; an answer says so

Commits that are followed until CI reports about them are not commands, and are only counted.

A dead letter can be retried, which continues its run where the record ends, or dropped. Its id is
that of the delivery, or that of the run at the end of tenon's answer.`,
		Example: `  tenon events
  tenon events --json | jq 'select(.state == "dead letter") | .error'
  tenon events retry 72d3162e-cc78-11e3-81ab-4c9367dc0958
  tenon events drop jriuhdvv5mxf`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if most < 1 {
				return usageError{fmt.Errorf("--limit is %d; it must be at least 1", most)}
			}
			return operate(cmd.Context(), dir, func(o *store.Operator) error {
				list, left, err := o.Events(cmd.Context(), most, followed)
				switch {
				case err != nil:
					return err
				case asJSON:
					return printEventsJSON(cmd.OutOrStdout(), list)
				}
				return printEvents(cmd.OutOrStdout(), list, left, time.Now())
			})
		},
	}
	cmd.PersistentFlags().StringVar(&dir, "data", "", dataUsage)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each event")
	cmd.Flags().BoolVar(&followed, "followed", false, "list the commits that are followed too")
	cmd.Flags().IntVar(&most, "limit", most, "the `number` of events to list")
	cmd.AddCommand(
		newChangeCmd(&dir, "retry", "Retry dead letters", "will be retried", (*store.Operator).Retry),
		newChangeCmd(&dir, "drop", "End dead letters for good", "is dropped", (*store.Operator).Drop))
	return cmd
}

const dataUsage = "the server's data `folder` (default $TENON_DATABASE_URL, else $TENON_DATA_DIR, else ./data)"

// newChangeCmd returns a command that changes dead letters.
func newChangeCmd(dir *string, name, short, done string,
	change func(*store.Operator, context.Context, string) error) *cobra.Command {
	return &cobra.Command{
		Use:   name + " ID...",
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, ids []string) error {
			return operate(cmd.Context(), *dir, func(o *store.Operator) error {
				for _, id := range ids {
					err := change(o, cmd.Context(), id)
					if errors.Is(err, port.ErrNotFound) {
						err = fmt.Errorf("there is no event %s; `tenon events` lists those that are not done", terminal.Escape(id))
					}
					if err != nil {
						return err
					}
					if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", terminal.Escape(id), done); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

// operate opens the database of a server for an operator; an empty folder means the one of the settings.
func operate(ctx context.Context, dir string, do func(*store.Operator) error) (err error) {
	opts, err := databaseOf(dir)
	if err != nil {
		return err
	}
	o, err := store.Attach(ctx, opts)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, o.Close()) }()
	return do(o)
}

// databaseOf returns where the database is: in a folder, or where the settings say.
func databaseOf(dir string) (store.Options, error) {
	if dir != "" {
		return store.Options{Dir: dir}, nil
	}
	database, err := config.LoadDatabase(config.Source{})
	return store.Options{Dir: database.DataDir, DatabaseURL: database.DatabaseURL.Reveal()}, err
}

// listedEvent is an event as JSON.
type listedEvent struct {
	ID         string           `json:"id"`
	Run        string           `json:"run"`
	State      store.EventState `json:"state"`
	Kind       port.EventKind   `json:"kind,omitempty"`
	Repository string           `json:"repository,omitempty"`
	Number     int              `json:"number,omitempty"`
	Sender     string           `json:"sender,omitempty"`
	Command    string           `json:"command,omitempty"`
	Commit     string           `json:"commit,omitempty"`
	Attempts   int              `json:"attempts"`
	Accepted   time.Time        `json:"accepted"`
	Changed    time.Time        `json:"changed"`
	Until      time.Time        `json:"until,omitzero"`
	WaitsFor   string           `json:"waits_for,omitempty"`
	Error      string           `json:"error,omitempty"`
}

func printEventsJSON(w io.Writer, list []store.EventInfo) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range list {
		ev := e.Event
		repository := ""
		if ev.Repo.Owner != "" {
			repository = ev.Repo.String()
		}
		out := listedEvent{
			ID: ev.Delivery, Run: port.RunID(ev.Delivery), State: e.State, Kind: ev.Kind, Repository: repository,
			Number: ev.Thread.Number, Sender: ev.Sender.Login, Command: ev.Comment.Body, Attempts: e.Attempts,
			Accepted: e.Accepted, Changed: e.Changed, Until: e.Until, WaitsFor: string(e.WaitsFor), Error: e.Error,
		}
		if ev.Followed != nil { // the comment is that of the command that led to the commit
			out.Command, out.Commit = "", ev.Followed.Commit
		}
		if err := enc.Encode(out); err != nil {
			return fmt.Errorf("printing the events: %w", err)
		}
	}
	return nil
}

// maxCommand is how much of a command the list shows, in characters.
const maxCommand = 40

func printEvents(w io.Writer, list []store.EventInfo, left store.NotListed, now time.Time) error {
	if len(list) == 0 {
		_, _ = fmt.Fprintln(w, "Everything is done.")
		return printNotListed(w, left)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "STATE\tACCEPTED\tWHERE\tWHO\tCOMMAND\tATTEMPTS\tID")
	for _, e := range list {
		ev := e.Event
		where := "unreadable"
		if ev.Repo.Owner != "" {
			where = fmt.Sprintf("%s#%d", ev.Repo, ev.Thread.Number)
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", e.State, humanize.RelTime(e.Accepted, now, "ago", "from now"),
			terminal.Escape(where), terminal.Escape(ev.Sender.Login), commandLine(ev), e.Attempts, terminal.Escape(ev.Delivery))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the events: %w", err)
	}
	for _, e := range list {
		if why := reason(e, now); why != "" {
			_, _ = fmt.Fprintf(w, "\n%s: %s\n", terminal.Escape(e.Event.Delivery), terminal.Escape(why))
		}
	}
	return printNotListed(w, left)
}

func printNotListed(w io.Writer, left store.NotListed) (err error) {
	if left.Events > 0 {
		_, err = fmt.Fprintf(w, "\nand %s more; --limit lists more\n", english.Plural(left.Events, "event", ""))
	}
	if left.Followed > 0 {
		_, err = fmt.Fprintf(w, "\nCI is followed for %s; --followed lists them\n",
			english.Plural(left.Followed, "commit", ""))
	}
	return err
}

// commandLine returns the first line of what gave a command.
func commandLine(ev port.Event) string {
	text := ev.Comment.Body
	switch {
	case ev.Followed != nil && ev.Kind == port.Following:
		text = fmt.Sprintf("CI of %.7s", ev.Followed.Commit)
	case ev.Followed != nil:
		text = fmt.Sprintf("fix ci, round %d", ev.Followed.Round)
	case ev.Label != "":
		text = "label " + ev.Label
	case ev.Button != nil:
		text = "button " + ev.Button.Verb
	case text == "":
		text = string(ev.Kind)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if runes := []rune(line); len(runes) > maxCommand {
		line = string(runes[:maxCommand-1]) + "…"
	}
	return terminal.Escape(strings.ReplaceAll(line, "\t", " "))
}

// reason says what a sleeping event waits for, or why the last attempt at an event failed.
func reason(e store.EventInfo, now time.Time) string {
	var parts []string
	if e.State == store.EventSleeping {
		again := "next attempt " + humanize.RelTime(e.Until, now, "ago", "from now")
		if e.WaitsFor == port.CIReport || e.WaitsFor == port.VerifyReport {
			again = "next attempt when CI reports, or else " + humanize.RelTime(e.Until, now, "ago", "from now")
		}
		if e.WaitsFor != "" {
			again = string(e.WaitsFor) + "; " + again
		}
		parts = append(parts, again)
	}
	if e.Error != "" && e.WaitsFor != port.CIReport {
		parts = append(parts, "the last attempt: "+text.OneLine(e.Error))
	}
	return strings.Join(parts, "; ")
}
