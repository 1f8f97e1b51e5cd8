package record

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// goldenRuns are runs as a store kept them, in the form that storetest.Recorded describes.
const goldenRuns = "../../testdata/runs"

// goldenStory is a file of goldenRuns: the runs of its events, in the order in which the events were accepted.
type goldenStory struct {
	name string
	runs []port.PastRun
}

func goldenStories(t *testing.T) (stories []goldenStory) {
	t.Helper()
	files, err := filepath.Glob(goldenRuns + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		story := goldenStory{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range archive.Files {
			story.read(t, f)
		}
		stories = append(stories, story)
	}
	return stories
}

func (s *goldenStory) read(t *testing.T, f txtar.File) {
	t.Helper()
	_, name, _ := strings.Cut(f.Name, "/")
	data := bytes.TrimSuffix(f.Data, []byte("\n"))
	if name == "row.json" {
		s.runs = append(s.runs, port.PastRun{Run: port.Run{Steps: map[string]port.Step{}}})
		return
	}
	last := &s.runs[len(s.runs)-1]
	switch step, isStep := strings.CutPrefix(name, "step/"); {
	case isStep:
		name := strings.TrimSuffix(step, ".json")
		require.Contains(t, last.Steps, name, "run.json has the version of each step")
		last.Steps[name] = port.Step{Version: last.Steps[name].Version, Data: data}
	case name == "event.json":
		require.NoError(t, json.Unmarshal(data, &last.Event), f.Name)
	case name == "run.json":
		var head struct {
			ID      string
			Started int64
			Steps   []struct {
				Step    string
				Version int
			}
		}
		require.NoError(t, json.Unmarshal(data, &head), f.Name)
		last.ID, last.Started = head.ID, time.UnixMilli(head.Started).UTC()
		for _, step := range head.Steps {
			last.Steps[step.Step] = port.Step{Version: step.Version}
		}
	}
}

func TestRunsOfEarlierProgramsAreReadWhole(t *testing.T) {
	t.Parallel()
	for _, story := range goldenStories(t) {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			for _, run := range story.runs {
				rec, err := Load(run.Run)
				require.NoError(t, err)
				requireWhole(t, rec, run.Run)
			}
		})
	}
}

// requireWhole requires that writing a record again brings about the steps that were stored.
func requireWhole(t *testing.T, rec Record, run port.Run) {
	t.Helper()
	again := &storedRuns{}
	j, err := NewJournal(again, port.Event{}, port.Run{ID: run.ID})
	require.NoError(t, err)
	for _, s := range steps {
		s.(interface {
			copyTo(*testing.T, *Journal, Record)
		}).copyTo(t, j, rec)
	}
	for n := range rec.Turns {
		copyStep(t, j, rec, Asked(n+1))
	}
	for n := range rec.Applications {
		copyStep(t, j, rec, Applied(n+1))
	}
	for n := range rec.Verifications {
		copyStep(t, j, rec, Verified(n+1))
	}
	for n := range rec.Resolutions {
		copyStep(t, j, rec, Resolved(n+1))
	}
	for n := range rec.SettledPicks {
		copyStep(t, j, rec, PicksSettled(n+1))
	}
	for n := range rec.Picks {
		copyStep(t, j, rec, PicksMade(n+1))
	}
	for n := range rec.Backports {
		copyStep(t, j, rec, BackportOpened(n+1))
	}
	for comment := range rec.ThreadAnswers {
		copyStep(t, j, rec, AnsweredThread(comment))
	}
	require.Len(t, again.steps, len(run.Steps))
	for name, stored := range run.Steps {
		require.JSONEq(t, string(stored.Data), string(again.steps[Name(name)].Data), "step %s of run %s", name, run.ID)
	}
}

// copyTo stores a step of a record in a journal, if the record has it.
func (s Step[T]) copyTo(t *testing.T, j *Journal, rec Record) {
	t.Helper()
	copyStep(t, j, rec, s)
}

func copyStep[T any](t *testing.T, j *Journal, rec Record, s Step[T]) {
	t.Helper()
	if v, ok := s.get(&rec); ok {
		require.NoError(t, Put(t.Context(), j, s, v))
	}
}

// Each recorded field is set in some golden run, or nothing would show that its form has changed.
func TestEachRecordedFieldIsInTheGoldenRuns(t *testing.T) {
	t.Parallel()
	set := map[string]bool{}
	for _, story := range goldenStories(t) {
		for _, run := range story.runs {
			rec, err := Load(run.Run)
			require.NoError(t, err)
			rec.Resumed = true   // of an attempt, not of the record
			rec.Forgotten = true // of the store
			markFields(set, reflect.ValueOf(rec))
			if run.ID != "" {
				markFields(set, reflect.ValueOf(run.Event))
			}
		}
	}
	var missing []string
	for field, isSet := range set {
		if !isSet {
			missing = append(missing, field)
		}
	}
	require.ElementsMatch(t, []string{
		"Request.Only",     // set when the model is asked, after the request was recorded
		"RepoRef.Archived", // nobody can comment there
		"Followed.Check",   // of events that have no run
	}, missing)
}

// markFields notes the fields of a value, and of what is in it, by whether they are ever set.
func markFields(set map[string]bool, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			markFields(set, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			markFields(set, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				continue
			}
			if !f.Anonymous {
				name := v.Type().Name() + "." + f.Name
				set[name] = set[name] || !v.Field(i).IsZero()
			}
			markFields(set, v.Field(i))
		}
	}
}
