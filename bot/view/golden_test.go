package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

// golden is a run that an earlier version of the program recorded.
type golden struct {
	name  string
	event port.Event
	run   port.Run
	steps []Step
}

func goldenRuns(t *testing.T) (all []golden) {
	t.Helper()
	files, err := filepath.Glob("../../testdata/runs/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for _, f := range archive.Files {
			n, name, _ := strings.Cut(f.Name, "/")
			if name == "row.json" {
				all = append(all, golden{name: fmt.Sprintf("%s %s", strings.TrimSuffix(filepath.Base(file), ".txtar"), n),
					run: port.Run{Steps: map[string]port.Step{}}})
			}
			all[len(all)-1].read(t, name, bytes.TrimSuffix(f.Data, []byte("\n")))
		}
	}
	return all
}

func (g *golden) read(t *testing.T, name string, data []byte) {
	t.Helper()
	switch step, isStep := strings.CutPrefix(name, "step/"); {
	case isStep:
		step = strings.TrimSuffix(step, ".json")
		g.run.Steps[step] = port.Step{Version: g.run.Steps[step].Version, Data: data}
	case name == "event.json":
		require.NoError(t, json.Unmarshal(data, &g.event))
	case name == "run.json":
		var head struct {
			ID      string
			Started int64
			Steps   []struct {
				Step     string
				Version  int
				Recorded int64
			}
		}
		require.NoError(t, json.Unmarshal(data, &head))
		g.run.ID, g.run.Started = head.ID, time.UnixMilli(head.Started)
		for _, s := range head.Steps {
			g.run.Steps[s.Step] = port.Step{Version: s.Version}
			g.steps = append(g.steps, Step{Name: s.Step, At: time.UnixMilli(s.Recorded)})
		}
	}
}

// source returns what is known of the run, which is over. Of a forgotten one, retention has deleted the sources.
func (g golden) source(t *testing.T, forgotten bool) Source {
	t.Helper()
	run := g.run
	if forgotten {
		run.Forgotten, run.Steps = true, map[string]port.Step{}
		for name, step := range g.run.Steps {
			run.Steps[name] = record.Forget(name, step)
		}
	}
	rec, err := record.Load(run)
	require.NoError(t, err)
	return Source{Event: g.event, Links: links.Of(g.event.Thread), Record: rec, State: Ended, Steps: g.steps}
}

func TestRunsOfAllVersionsAreShown(t *testing.T) {
	t.Parallel()
	seen := map[Badge]int{}
	marks, replies, links, saw := 0, 0, 0, 0
	for _, g := range goldenRuns(t) {
		s := g.source(t, false)
		r := Build(s)
		require.NotEmpty(t, r.ID, g.name)
		require.Equal(t, port.RunID(g.event.Delivery), r.ID, g.name)
		require.Len(t, r.Replies, s.Record.Calls(), g.name)
		require.Len(t, r.Blocks, r.Counts.Applied+r.Counts.Failed+r.Counts.Skipped+r.Counts.New, g.name)
		replies, saw = replies+len(r.Replies), saw+len(r.Saw)
		if s.Record.Prompt != nil {
			require.GreaterOrEqual(t, len(r.Saw), len(s.Record.Prompt.Files), g.name)
		}
		for i, b := range r.Blocks {
			requireSane(t, g.name, s, b)
			require.Positive(t, b.Number, "%s, block %d", g.name, i+1)
			if seen[b.Badge]++; b.LineURL != "" {
				links++
			}
			for _, h := range b.Diff.Hunks {
				for _, l := range h.Lines {
					marks += len(l.Marks)
				}
			}
		}
		for i, m := range r.Timeline {
			require.NotEqual(t, m.Step, m.What, "%s: a step has no words", g.name)
			require.False(t, i > 0 && m.Since < 0, g.name)
		}
	}
	require.Positive(t, marks)
	require.Greater(t, replies, 50)
	require.Greater(t, links, 20)
	require.Greater(t, saw, 50)
	for _, badge := range []Badge{BadgeApplied, BadgeFailed} {
		require.Positive(t, seen[badge], badge)
	}
}

func requireSane(t *testing.T, name string, s Source, b Block) {
	t.Helper()
	require.NotEmpty(t, b.Path, name)
	switch b.Badge {
	case BadgeApplied:
		commit, made := s.Record.Commit()
		require.Equal(t, !made, b.Trial, name)
		if made && b.Line > 0 {
			require.Contains(t, b.LineURL, fmt.Sprintf("/blob/%s/%s#L%d", commit.SHA, b.Path, b.Line), name)
			if first, _ := b.Diff.added(); first > 0 {
				require.Equal(t, b.Line, first, "%s: the diff has the numbers of the commit", name)
			}
		}
	default:
		require.NotEmpty(t, b.Words, name)
	}
	require.Equal(t, b.Diff.Added+b.Diff.Removed == 0, len(b.Diff.Hunks) == 0, "%s: %+v", name, b)
}

func TestOfAForgottenRunItsFiguresAreLeft(t *testing.T) {
	t.Parallel()
	for _, g := range goldenRuns(t) {
		before, after := Build(g.source(t, false)), Build(g.source(t, true))
		require.True(t, after.Forgotten)
		require.Equal(t, before.Counts, after.Counts, g.name)
		require.Equal(t, before.Timeline, after.Timeline, g.name)
		require.Equal(t, before.Costs, after.Costs, g.name)
		require.Empty(t, after.Request.Text)
		for _, reply := range after.Replies {
			require.Empty(t, reply.Text)
		}
		for _, b := range after.Blocks {
			require.Empty(t, b.Diff.Hunks)
		}
	}
}

func TestWhatIsHiddenIsNowhereInARun(t *testing.T) {
	t.Parallel()
	searched := 0
	for _, g := range goldenRuns(t) {
		s := g.source(t, false)
		shown, err := json.Marshal(Build(s).Without())
		require.NoError(t, err)
		texts := []string{g.event.Comment.Body}
		if s.Record.Prompt != nil {
			for _, m := range s.Record.Prompt.Request.Messages {
				texts = append(texts, m.Text)
			}
		}
		for _, turn := range s.Record.Turns {
			texts = append(texts, turn.Answer.Text)
		}
		for _, r := range s.Record.Made() {
			texts = append(append(texts, r.Diff, r.Whole, r.Want, r.Have, r.Purpose), r.Nearest...)
		}
		for line := range strings.SplitSeq(strings.Join(texts, "\n"), "\n") {
			quoted, err := json.Marshal(strings.TrimSpace(line))
			require.NoError(t, err)
			if inner := strings.Trim(string(quoted), `"`); len(inner) > 20 {
				searched++
				require.NotContains(t, string(shown), inner, g.name)
			}
		}
	}
	require.Greater(t, searched, 1000)
}
