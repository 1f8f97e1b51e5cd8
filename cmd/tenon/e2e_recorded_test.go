package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

var recordRuns = flag.Bool("record", false, "record the runs in testdata/runs again")

// runsDir has the records of past runs, which tests of several packages read: a file for each story, in the form of
// storetest.Recorded. Each is what some version of the program stored, so a file that is there is never edited, and a
// change of a recorded form adds files under new names.
const runsDir = "../../testdata/runs"

// recordedStory is what happens before the records are read.
type recordedStory struct {
	about string
	env   []string
	play  func(*stage)
	// unfinished says that the server is dead at the end, and its work not done.
	unfinished bool
	// records are steps that the records must have, or they are not those of the story.
	records []string
}

// With -record, this plays each story and writes what the server's database then has of it.
func TestRecordRuns(t *testing.T) {
	t.Parallel()
	if !*recordRuns {
		t.Skip("records are written with -record only: they are those of the versions that wrote them")
	}
	require.NoError(t, os.MkdirAll(runsDir, 0o755))
	for name, story := range recordedStories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			s.env = story.env
			story.play(s)
			var files []txtar.File
			s.until("the end of all runs", func() bool {
				var done bool
				var err error
				files, done, err = storetest.Recorded(t.Context(), s.data)
				require.NoError(t, err)
				return done || story.unfinished
			})
			for _, step := range story.records {
				require.True(t, hasStep(files, step), "no step %s", step)
			}
			for _, f := range files {
				require.NotContains(t, string(f.Data), os.TempDir(), f.Name)
			}
			archive := &txtar.Archive{Comment: []byte(story.about + "\n\n"), Files: files}
			require.NoError(t, os.WriteFile(filepath.Join(runsDir, name+".txtar"), txtar.Format(archive), 0o600))
		})
	}
}

// hasStep reports whether one of the files is the record of a step, which may have a former name.
func hasStep(files []txtar.File, step string) bool {
	return slices.ContainsFunc(files, func(f txtar.File) bool {
		_, name, isStep := strings.Cut(strings.TrimSuffix(f.Name, ".json"), "/step/")
		return isStep && record.Name(name) == step
	})
}

// Each story has its file, and each command that records a run is among them.
func TestEveryCommandHasARecordedRun(t *testing.T) {
	t.Parallel()
	verbs := map[string]bool{}
	for name, story := range recordedStories {
		archive, err := txtar.ParseFile(filepath.Join(runsDir, name+".txtar"))
		require.NoError(t, err, "go test ./cmd/tenon -run TestRecordRuns/%s -record", name)
		for _, step := range story.records {
			require.True(t, hasStep(archive.Files, step), "%s: no step %s", name, step)
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, "/event.json") {
				var ev port.Event
				require.NoError(t, json.Unmarshal(f.Data, &ev), "%s: %s", name, f.Name)
				for _, c := range command.All() {
					verbs[c.Verb] = verbs[c.Verb] || strings.HasPrefix(ev.Comment.Body, "/tenon "+c.Verb)
				}
			}
		}
	}
	for _, c := range command.All() {
		require.True(t, verbs[c.Verb], fmt.Sprintf("no recorded run of /tenon %s", c.Verb))
	}
}
