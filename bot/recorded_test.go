package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

var update = flag.Bool("update", false, "write the facts of recorded runs to testdata/runs/facts.txt")

// recordedRuns has runs as a store kept them, in the form that storetest.Recorded describes.
const recordedRuns = "../testdata/runs"

// What past runs tell: their conversation, results, commit and answer, and what later runs take up of them.
func TestWhatRecordedRunsTell(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(recordedRuns + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var b strings.Builder
	for _, file := range files {
		fmt.Fprintf(&b, "%s\n", strings.TrimSuffix(filepath.Base(file), ".txtar"))
		for i, run := range runsIn(t, file) {
			fmt.Fprintf(&b, "  %d %s %s\n", i+1, run.Event.Kind, run.ID)
			for _, fact := range factsOf(t, run) {
				fmt.Fprintf(&b, "    %s\n", strings.Join(strings.Fields(fact), " "))
			}
		}
	}
	const facts = recordedRuns + "/facts.txt"
	if *update {
		require.NoError(t, os.WriteFile(facts, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(facts)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

// runsIn returns the runs of a file, in the order in which their events were accepted.
func runsIn(t *testing.T, file string) (runs []port.PastRun) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	for _, f := range archive.Files {
		_, name, _ := strings.Cut(f.Name, "/")
		if name == "row.json" {
			runs = append(runs, port.PastRun{Run: port.Run{Steps: map[string]port.Step{}}})
			continue
		}
		last := &runs[len(runs)-1]
		switch step, isStep := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "step/"); {
		case isStep:
			last.Steps[step] = port.Step{Version: last.Steps[step].Version, Data: bytes.TrimSuffix(f.Data, []byte("\n"))}
		case name == "event.json":
			require.NoError(t, json.Unmarshal(f.Data, &last.Event), "%s: %s", file, f.Name)
		case name == "run.json":
			var head struct {
				ID      string
				Started int64
				Steps   []struct {
					Step    string
					Version int
				}
			}
			require.NoError(t, json.Unmarshal(f.Data, &head), "%s: %s", file, f.Name)
			last.ID, last.Started = head.ID, time.UnixMilli(head.Started).UTC()
			for _, step := range head.Steps {
				last.Steps[step.Step] = port.Step{Version: step.Version}
			}
		}
	}
	return runs
}

func factsOf(t *testing.T, run port.PastRun) (facts []string) {
	t.Helper()
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	replay, err := ReadReplay(run.Run)
	require.NoError(t, err)
	for _, c := range replay.Calls {
		add("call %s: %d messages, %d bytes of an answer, %d tokens %s",
			c.Kind, len(c.Request.Messages), len(c.Answer.Text), c.Answer.Usage.In+c.Answer.Usage.Out, c.Fault)
		for _, g := range c.Given {
			add("  given for %s: %v, %d names, %d of %d lines; %s", g.Ask, g.Lines, g.Names, g.Hits, g.All, g.Why)
		}
	}
	for _, r := range replay.Results {
		add("result %s:%d %s %s %s", r.Path, r.Line, r.Status, r.Reason, r.Detail)
	}
	if replay.Commit+replay.Answer != "" {
		add("commit %s, answer %s", replay.Commit, replay.Answer)
	}
	rec, err := record.Load(run.Run)
	require.NoError(t, err)
	if a := rec.Final; a != nil {
		add("told in %s %d (%s), at the end: %t", a.Kind, a.Comment, a.URL, !a.At.IsZero())
	}
	if made := rec.Committed; made != nil {
		add("held: %t; unpushed: %s; moved %d times", made.Held, made.Unpushed, made.Moves)
		add("patch of %d bytes without %v; %d suggestions, %d not offered",
			len(made.Patch.Text), made.Patch.LeftOut, len(made.Notes), made.Unoffered)
	}
	if c, ok := rec.Commit(); ok {
		add("committed %v on %s (%s): %s; undoes %q", c.Changed, c.Branch, c.Base, c.Subject, c.Undoes)
	}
	if v, ok := previewOf(t, run); ok {
		add("preview %s of %d edits on %s", v.Answer.URL, len(v.Results), v.Base)
	}
	if made := rec.Committed; made != nil && rec.Choice != nil && len(made.Results) > 0 {
		add("took %v of preview %q", rec.Choice.Numbers, rec.Choice.Run)
	}
	if e := history.EditsOf(rec); len(e.Made)+len(e.Failed) > 0 {
		add("%d edits made, %d to try again, hopeless: %t", len(e.Made), len(e.Failed), e.Unrepairable)
	}
	c, err := conversation.Recorded(rec)
	require.NoError(t, err)
	for _, s := range c.Suggestions() {
		add("suggests %s", s.Command)
	}
	if rec.Committing {
		add("too late to cancel")
	}
	return facts
}

// oneRun is a queue that knows one run.
type oneRun struct {
	port.ThreadQueue
	run port.PastRun
}

func (q oneRun) FindRun(context.Context, string) (port.Run, port.Event, error) {
	return q.run.Run, q.run.Event, nil
}

// previewOf returns the preview of a run as a later run reads it; ok is false if the run has none.
func previewOf(t *testing.T, run port.PastRun) (v history.Preview, ok bool) {
	t.Helper()
	v, err := history.Thread{Queue: oneRun{run: run}, Event: run.Event}.PreviewOf(t.Context(), run.ID)
	var none *port.UserError
	if errors.As(err, &none) {
		require.Contains(t, none.Text, "That preview is no longer stored")
		return history.Preview{}, false
	}
	require.NoError(t, err)
	return v, true
}
