package tasks

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/eval/scores"
)

// model answers each question with the next of its replies.
type model struct{ replies []string }

func (m *model) Complete(_ context.Context, _ port.Request, _ func(string)) (port.Answer, error) {
	if len(m.replies) == 0 {
		return port.Answer{}, &port.UserError{Text: "There is no further reply."}
	}
	text := m.replies[0]
	m.replies = m.replies[1:]
	return port.Answer{Text: text, Model: "scripted"}, nil
}

const fix = "main.go\n<<<<<<< SEARCH\n// old\n=======\n// new\n>>>>>>> REPLACE\n"

// folder returns a task's files: a change of main.go, judged as the further files say.
func folder(more map[string]string) fstest.MapFS {
	out := fstest.MapFS{
		"a/task.yaml":    {Data: []byte("title: Change main.go\n")},
		"a/comment.md":   {Data: []byte("/tenon fix\n")},
		"a/repo/main.go": {Data: []byte("package main\n\n// old\nfunc main() {}\n")},
		"a/repo/go.mod":  {Data: []byte("module example.com/a\n")},
	}
	for name, text := range more {
		out["a/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func measured(t *testing.T, files fs.FS, opts Options, replies ...string) scores.Result {
	t.Helper()
	list, err := Read(files)
	require.NoError(t, err)
	require.Len(t, list, 1)
	opts.Models = []Model{{Info: port.ModelInfo{Name: "m", Price: port.Price{Input: 1, Output: 2}},
		For: func(Task) (port.Model, error) { return &model{replies}, nil }}}
	results, err := Measure(t.Context(), list, opts)
	require.NoError(t, err)
	require.Len(t, results, 1)
	return results[0]
}

const wanted = "package main\n\n// new\nfunc main() {}\n"

const diff = "--- a/main.go\n+++ b/main.go\n@@ -2,3 +2,3 @@ package main\n \n-// old\n+// new\n func main() {}\n"

func TestATaskIsSolvedIfTheFilesAreAsExpected(t *testing.T) {
	t.Parallel()
	r := measured(t, folder(map[string]string{"expected/main.go": wanted, "expected.diff": diff}), Options{}, fix)
	require.Empty(t, r.Error)
	require.True(t, r.Solved, r.Why)
	require.Equal(t, []int{1, 1, 1, 1, 1, 1, 1},
		[]int{r.Blocks, r.WellFormed, r.First, r.Applied, r.Gold, r.Shown, r.Calls})
	require.True(t, r.Estimated)
	require.InDelta(t, (float64(r.In)+2*float64(r.Out))/1e6, *r.Cost, 1e-12)
}

func TestWhatDiffersIsNotSolved(t *testing.T) {
	t.Parallel()
	other := strings.ReplaceAll(fix, "// new", "// newer")
	r := measured(t, folder(map[string]string{"expected/main.go": wanted}), Options{}, other)
	require.True(t, r.Judged)
	require.Equal(t, "main.go is not as expected", r.Why)
	more := fix + "\ngo.mod\n<<<<<<< SEARCH\nmodule example.com/a\n=======\nmodule example.com/b\n>>>>>>> REPLACE\n"
	r = measured(t, folder(map[string]string{"expected.diff": diff}), Options{}, more)
	require.Equal(t, "go.mod was changed, which is not expected", r.Why)
	r = measured(t, folder(map[string]string{"expected.diff": diff}), Options{}, "NO CHANGE: it is fine.")
	require.Contains(t, r.Why, "nothing was committed: ")
	require.False(t, r.Solved)
}

func TestARepairIsCounted(t *testing.T) {
	t.Parallel()
	wrong := strings.ReplaceAll(fix, "// old", "// never there, and unlike anything else")
	r := measured(t, folder(map[string]string{"expected/main.go": wanted}), Options{}, wrong, fix)
	require.True(t, r.Solved, r.Why+r.Error)
	require.Equal(t, []int{1, 0, 1, 2}, []int{r.Blocks, r.First, r.Applied, r.Calls})
	require.True(t, r.Failed && r.Repaired)
}

func TestAnErrorIsTold(t *testing.T) {
	t.Parallel()
	files := folder(map[string]string{"expected/main.go": wanted})
	require.Contains(t, measured(t, files, Options{}).Error, "There is no further reply.")
}

func TestACheckIsRunOnlyIfItMayBe(t *testing.T) {
	t.Parallel()
	files := folder(map[string]string{"task.yaml": "judge: {check: [go, vet], image: golang}\n"})
	r := measured(t, files, Options{}, fix)
	require.False(t, r.Judged)
	require.Equal(t, "its check was not run", r.Why)
	check := func(_ context.Context, j Judge, files map[string]File) (bool, string, error) {
		require.Equal(t, []string{"go", "vet"}, j.Check)
		require.Len(t, files, 2)
		return string(files["main.go"].Data) == wanted, "", nil
	}
	require.True(t, measured(t, files, Options{Check: check}, fix).Solved)
	broken := func(context.Context, Judge, map[string]File) (bool, string, error) {
		return false, "", errors.New("no room")
	}
	require.Contains(t, measured(t, files, Options{Check: broken}, fix).Error, "no room")
}

func TestATaskSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	good := map[string]string{"expected/main.go": wanted}
	for name, c := range map[string]struct{ file, text, want string }{
		"a comment":      {"comment.md", " ", "comment.md is empty"},
		"a known field":  {"task.yaml", "tilte: x\n", "task.yaml: line 1: there is no field tilte; did you mean title?"},
		"a list":         {"task.yaml", "judge: {check: make}\n", "line 1: it must be a list, like [a, b]"},
		"a kind":         {"task.yaml", "judge: 1\n", "line 1: it is of the wrong kind"},
		"a command":      {"comment.md", "Please fix this.", "comment.md gives no command; begin a line with one"},
		"a known verb":   {"comment.md", "/tenon fxi", "comment.md: There is no command `fxi`"},
		"a thread":       {"task.yaml", "thread: chat\n", "thread must be issue or pull"},
		"a commit":       {"task.yaml", "repo: a/b@main\n", "a full commit id"},
		"a diff":         {"expected.diff", "x", "not a unified diff"},
		"a whole hunk":   {"expected.diff", diff[:len(diff)-20], "shorter than it says"},
		"a short text":   {"comment.md", strings.Repeat("x", maxText+1), "comment.md is longer than"},
		"no such rename": {"expected.diff", "--- a/x\n+++ b/y\n", "it renames x"},
	} {
		files := folder(good)
		files["a/"+c.file] = &fstest.MapFile{Data: []byte(c.text)}
		_, err := Read(files)
		require.ErrorContains(t, err, c.want, name)
		require.ErrorContains(t, err, "task a: ", name)
	}
	_, err := Read(folder(nil))
	require.ErrorContains(t, err, "nothing says when it is solved")
	lacking := folder(good)
	delete(lacking, "a/comment.md")
	_, err = Read(lacking)
	require.ErrorContains(t, err, "it has no comment.md; write the comment with the command there")
	_, err = Read(fstest.MapFS{})
	require.ErrorIs(t, err, errNoTasks)
}

func TestWhatIsDoneIsNotMeasuredAgain(t *testing.T) {
	t.Parallel()
	list, err := Read(folder(map[string]string{"expected/main.go": wanted}))
	require.NoError(t, err)
	done := scores.Result{Task: "a", Digest: list[0].Digest, Model: "m", Run: 1, Why: "as it was"}
	require.Equal(t, "as it was", measured(t, folder(map[string]string{"expected/main.go": wanted}),
		Options{Done: []scores.Result{done}}, fix).Why)
	done.Digest = "of another task"
	require.True(t, measured(t, folder(map[string]string{"expected/main.go": wanted}),
		Options{Done: []scores.Result{done}}, fix).Solved)
}

func FuzzParseDiff(f *testing.F) {
	f.Add(diff)
	f.Add("--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n")
	f.Fuzz(func(_ *testing.T, text string) {
		parsed, err := parseDiff(text)
		if err != nil {
			return
		}
		for _, d := range parsed {
			_, _ = d.apply([]byte(text))
		}
	})
}
