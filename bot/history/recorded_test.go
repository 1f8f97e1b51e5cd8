package history

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// recordedRuns returns the runs of a story of past versions, newest first.
func recordedRuns(t *testing.T, file string) (runs []port.PastRun) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	for _, f := range archive.Files {
		_, name, _ := strings.Cut(f.Name, "/")
		if name == "row.json" {
			runs = append([]port.PastRun{{Run: port.Run{Steps: map[string]port.Step{}}}}, runs...)
			continue
		}
		switch step, isStep := strings.CutPrefix(strings.TrimSuffix(name, ".json"), "step/"); {
		case isStep:
			data := bytes.TrimSuffix(f.Data, []byte("\n"))
			runs[0].Steps[step] = port.Step{Version: runs[0].Steps[step].Version, Data: data}
		case name == "event.json":
			require.NoError(t, json.Unmarshal(f.Data, &runs[0].Event), f.Name)
		case name == "run.json":
			var head struct {
				ID      string
				Started int64
				Steps   []struct {
					Step    string
					Version int
				}
			}
			require.NoError(t, json.Unmarshal(f.Data, &head), f.Name)
			runs[0].ID, runs[0].Started = head.ID, time.UnixMilli(head.Started).UTC()
			for _, step := range head.Steps {
				runs[0].Steps[step.Step] = port.Step{Version: step.Version}
			}
		}
	}
	return runs
}

func TestWhatPastVersionsRecordedIsNeverSkipped(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/runs/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	previews, commits, suggestions := 0, 0, 0
	for _, file := range files {
		q := &queue{runs: recordedRuns(t, file)}
		for _, run := range q.runs {
			h := Thread{Queue: q, Event: run.Event,
				Skipped: func(run string, err error) { require.NoError(t, err, "%s: %s", file, run) }}
			r, err := h.load(run)
			require.NoError(t, err)
			if r.Target == nil {
				continue
			}
			all, err := h.Commits(t.Context(), *r.Target)
			require.NoError(t, err)
			commits += len(all)
			if _, ok, err := h.Suggestions(t.Context(), *r.Target); ok {
				require.NoError(t, err)
				suggestions++
			}
			if _, ok, err := h.NewestPreview(t.Context()); ok {
				require.NoError(t, err)
				previews++
			}
			if r.Preview != nil {
				v, err := h.PreviewOf(t.Context(), r.ID)
				require.NoError(t, err, file)
				require.Len(t, v.Conversation.Blocks(), len(v.Results))
			}
		}
	}
	require.Positive(t, previews)
	require.Positive(t, commits)
	require.Positive(t, suggestions)
}
