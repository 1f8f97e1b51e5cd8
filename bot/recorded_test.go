package bot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// recordedRuns holds what the store kept of runs, in the form that storetest.Recorded describes.
const recordedRuns = "../testdata/runs"

// recordedForms says which type each recorded step has. The first pattern that matches the whole name counts.
var recordedForms = []struct {
	step string
	form reflect.Type
}{
	{`open`, reflect.TypeFor[target]()},
	{`answer`, reflect.TypeFor[posted]()},
	{`check`, reflect.TypeFor[int64]()},
	{`context`, reflect.TypeFor[question]()},
	{`ask\.[1-4]`, reflect.TypeFor[turn]()},
	{`preview`, reflect.TypeFor[tried]()},
	{`deliver`, reflect.TypeFor[bool]()},
	{`apply\.[1-9][0-9]*`, reflect.TypeFor[applied]()},
	{`commit`, reflect.TypeFor[committed]()},
	{`pull`, reflect.TypeFor[target]()},
	{`suggest`, reflect.TypeFor[posted]()},
	{`report`, reflect.TypeFor[posted]()},
	{`check\.closed`, reflect.TypeFor[int64]()},
	{`thread\.[1-9][0-9]*`, reflect.TypeFor[posted]()},
	{`source`, reflect.TypeFor[source]()},
	{`choice`, reflect.TypeFor[choice]()},
	{`sums`, reflect.TypeFor[map[string]string]()},
	{`retry`, reflect.TypeFor[retried]()},
	{`undo`, reflect.TypeFor[deed]()},
	{`run`, reflect.TypeFor[chosen]()},
}

// recordedStory is a file of recordedRuns: events in the order of their acceptance, with their runs.
type recordedStory struct {
	name string
	runs []PastRun
}

func recordedStories(t *testing.T) (stories []recordedStory) {
	t.Helper()
	files, err := filepath.Glob(recordedRuns + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		story := recordedStory{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
		for _, f := range archive.Files {
			_, name, _ := strings.Cut(f.Name, "/")
			data := bytes.TrimSuffix(f.Data, []byte("\n"))
			if name == "row.json" {
				story.runs = append(story.runs, PastRun{Run: Run{Steps: map[string][]byte{}}})
				continue
			}
			last := &story.runs[len(story.runs)-1]
			switch step, isStep := strings.CutPrefix(name, "step/"); {
			case isStep:
				last.Steps[strings.TrimSuffix(step, ".json")] = data
			case name == "event.json":
				require.NoError(t, json.Unmarshal(data, &last.Event), "%s: %s", file, f.Name)
			case name == "run.json":
				var head struct {
					ID      string
					Started int64
				}
				require.NoError(t, json.Unmarshal(data, &head), "%s: %s", file, f.Name)
				last.ID, last.Started = head.ID, time.UnixMilli(head.Started).UTC()
			}
		}
		stories = append(stories, story)
	}
	return stories
}

// readForm reads a recorded step into a value of its type.
func readForm(t *testing.T, step string, data []byte) reflect.Value {
	t.Helper()
	for _, f := range recordedForms {
		if regexp.MustCompile("^(" + f.step + ")$").MatchString(step) {
			out := reflect.New(f.form)
			dec := json.NewDecoder(bytes.NewReader(data))
			dec.DisallowUnknownFields()
			require.NoError(t, dec.Decode(out.Interface()))
			return out.Elem()
		}
	}
	require.FailNow(t, "nobody knows the step "+step)
	return reflect.Value{}
}

// What is read of a step is all that was recorded, and would be recorded in the same form again.
func TestRecordedStepsAreReadWhole(t *testing.T) {
	t.Parallel()
	for _, story := range recordedStories(t) {
		t.Run(story.name, func(t *testing.T) {
			t.Parallel()
			for _, run := range story.runs {
				for step, data := range run.Steps {
					again, err := json.Marshal(readForm(t, step, data).Interface())
					require.NoError(t, err)
					require.Equal(t, string(data), string(again), "step %s of run %s", step, run.ID)
				}
			}
		})
	}
}

// Each recorded field is set somewhere in the records, or nothing would tell that its form has changed.
func TestEachRecordedFieldIsInTheRecords(t *testing.T) {
	t.Parallel()
	set := map[string]bool{}
	for _, story := range recordedStories(t) {
		for _, run := range story.runs {
			if run.ID != "" {
				markFields(set, reflect.ValueOf(run.Event))
			}
			for step, data := range run.Steps {
				markFields(set, readForm(t, step, data))
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
	}, missing)
}

// markFields notes the fields that JSON holds of a value and of what is in it, by whether they are ever set.
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
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() && !f.Anonymous || f.Tag.Get("json") == "-" {
				continue
			}
			if !f.Anonymous {
				name := v.Type().Name() + "." + f.Name
				set[name] = set[name] || !v.Field(i).IsZero()
			}
			if v.Type() != reflect.TypeFor[time.Time]() {
				markFields(set, v.Field(i))
			}
		}
	}
}

// What past runs tell: their conversation, results, commit and answer, and what later runs take up of them.
func TestWhatRecordedRunsTell(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, story := range recordedStories(t) {
		fmt.Fprintf(&b, "%s\n", story.name)
		for i, run := range story.runs {
			fmt.Fprintf(&b, "  %d %s %s\n", i+1, run.Event.Kind, run.ID)
			for _, fact := range factsOf(t, run) {
				fmt.Fprintf(&b, "    %s\n", strings.Join(strings.Fields(fact), " "))
			}
		}
	}
	const file = recordedRuns + "/facts.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
}

func factsOf(t *testing.T, run PastRun) (facts []string) {
	t.Helper()
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	replay, err := ReadReplay(run.Run)
	require.NoError(t, err)
	for _, c := range replay.Calls {
		add("call %s: %d messages, %d bytes of an answer, %d tokens %s",
			c.Kind, len(c.Request.Messages), len(c.Answer.Text), c.Answer.Usage.In+c.Answer.Usage.Out, c.Fault)
	}
	for _, r := range replay.Results {
		add("result %s:%d %s %s %s", r.Path, r.Line, r.Status, r.Reason, r.Detail)
	}
	if replay.Commit+replay.Answer != "" {
		add("commit %s, answer %s", replay.Commit, replay.Answer)
	}
	s := journalOf(run.Run)
	said, ok, err := recorded[posted](s, "report")
	require.NoError(t, err)
	if ok {
		add("told in %s %d (%s), at the end: %t", said.Kind, said.Comment, said.URL, !said.At.IsZero())
	}
	became, ok, err := recorded[committed](s, "commit")
	require.NoError(t, err)
	if ok {
		add("held: %t; unpushed: %s; moved %d times", became.Held, became.Unpushed, became.Moves)
		add("patch of %d bytes without %v; %d suggestions, %d not offered",
			len(became.Patch.Text), became.Patch.LeftOut, len(became.Notes), became.Unoffered)
	}
	d, ok, err := deedOf(run.Run)
	require.NoError(t, err)
	if ok {
		add("committed %v on %s (%s): %s; undoes %q", d.Changed, d.Branch, d.Base, d.Subject, d.Undoes)
	}
	v, ok, err := readPreview(run)
	require.NoError(t, err)
	if ok {
		add("preview %s of %d edits on %s", v.said.URL, len(v.Results), v.Base)
	}
	made, chosen, err := appliedBy(run.Run)
	require.NoError(t, err)
	if len(made.Results) > 0 {
		add("took %v of preview %q", chosen.Numbers, chosen.Run)
	}
	e, err := editsOf(run.Run)
	require.NoError(t, err)
	if len(e.made)+len(e.lost) > 0 {
		add("%d edits made, %d to try again, hopeless: %t", len(e.made), len(e.lost), e.hopeless)
	}
	talk, err := recordedTalk(run.Run)
	require.NoError(t, err)
	for _, s := range talk.suggestions() {
		add("suggests %s", s.Command)
	}
	if delivers(run.Run) {
		add("too late to cancel")
	}
	return facts
}
