package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/eval/scores"
)

const shippedTasks = "../../testdata/eval"

func TestTheTasksOfTheRepositoryAreMeasured(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.json")
	code, out, errOut := tenon(t, "", "eval", shippedTasks, "--replies", "written", "--out", file)
	require.Equal(t, exitOK, code, errOut)
	for _, row := range []string{
		"| tasks | 12 |", "| well-formed blocks | 100.0 % (", "| applied at first | 92.9 % (", "| repaired | 100.0 % (",
		"| solved | 91.7 % (64.6 % to 98.5 %) |", "| retrieval recall | 100.0 % (",
		"| css-unreadable-button | written | 1 | style/site.css is not as expected |",
	} {
		require.Contains(t, out, row)
	}
	require.Contains(t, errOut, "12/12 ")
	var r scores.Report
	require.NoError(t, json.Unmarshal([]byte(fileText(t, file)), &r))
	require.True(t, r.Complete)
	require.Len(t, r.Results, 12)

	code, out, errOut = tenon(t, "", "eval", "--compare", file, file)
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "| solved | 91.7 % | 91.7 % | 0.0 % (0.0 % to 0.0 %) | 1.000 | no clear difference |")

	// Nothing is left to do, so the file is read and nothing is measured.
	code, _, errOut = tenon(t, "", "eval", shippedTasks, "--replies", "written", "--out", file, "--resume")
	require.Equal(t, exitOK, code, errOut)
	require.Empty(t, errOut)
}

func TestACheckRunsHereOnlyIfTheFlagSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"task.yaml": "judge: {check: [grep, -q, new, a.txt]}\n", "comment.md": "/tenon fix",
		"repo/a.txt": "old\n", "replies/written/01.md": "a.txt\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n",
	} {
		name = filepath.Join(dir, "task", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	code, out, errOut := tenon(t, "", "eval", dir, "--replies", "written")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "| solved | – |")
	code, out, errOut = tenon(t, "", "eval", dir, "--replies", "written", "--run-checks", "local")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "| solved | 100.0 % (")

	// A program that only notes what it was asked to do.
	program := filepath.Join(t.TempDir(), "docker")
	const script = "#!/bin/sh\necho \"$@\" >\"$0.asked\"\necho nothing found\nexit 3\n"
	require.NoError(t, os.WriteFile(program, []byte(script), 0o755))
	yaml := filepath.Join(dir, "task", "task.yaml")
	args := []string{"eval", dir, "--replies", "written", "--run-checks", "container", "--container-program", program}
	_, out, _ = tenon(t, "", args...)
	require.Contains(t, out, "judge.image does not name")
	require.NoError(t, os.WriteFile(yaml, []byte("judge: {check: [grep, new], image: alpine}\n"), 0o644))
	_, out, _ = tenon(t, "", args...)
	require.Contains(t, out, "the check failed: nothing found")
	asked, err := os.ReadFile(program + ".asked")
	require.NoError(t, err)
	require.Regexp(t, `^run --rm --name tenon-eval-\d+ .*--network none .* -- alpine grep new\n$`, string(asked))
}

func TestEvalSaysWhatItLacks(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"reading the tasks: ":                       {"no-such-folder"},
		"no folder in it has a task.yaml":           {t.TempDir(), "--replies", "x"},
		"no task has recorded replies in replies/x": {shippedTasks, "--replies", "x"},
		"--runs must be from 1":                     {shippedTasks, "--runs", "0"},
		"--run-checks must be no, container":        {shippedTasks, "--run-checks", "yes"},
		"--resume needs --out":                      {shippedTasks, "--resume"},
		"--compare takes two files":                 {"--compare", "a.json"},
		"reading a measurement: open no.json":       {"--compare", "no.json", "no.json"},
		"eval takes one folder":                     {"a", "b"},
		"eval.go exists; add --resume":              {shippedTasks, "--out", "eval.go"},
		"--table is for the pairs of --oracle":      {shippedTasks, "--table"},
		"--runs is for tasks":                       {"--oracle", "a.jsonl", "--runs", "2"},
		"--out does not go with --compare":          {"--compare", "a.json", "b.json", "--out", "c.json"},
	} {
		code, out, errOut := tenon(t, "", append([]string{"eval"}, args...)...)
		require.Equal(t, exitUsage, code, args)
		require.Empty(t, out)
		require.Contains(t, errOut, want)
		require.Equal(t, 1, strings.Count(errOut, "tenon: "))
	}
}

// A model is in the settings once for each format in which it is measured.
func TestTheFormatsOfAModelAreCompared(t *testing.T) {
	t.Parallel()
	dir, tasks := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"task.yaml": "title: Renew\n", "comment.md": "/tenon fix", "repo/a.txt": "old\n", "expected/a.txt": "new\n",
	} {
		name = filepath.Join(tasks, "task", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	model := newModelServer(t, []string{lineEdit("a.txt", "old", "new")})
	config := filepath.Join(dir, "formats.yaml")
	require.NoError(t, os.WriteFile(config, []byte("models:\n"+
		"  as-v3: {id: m, base_url: "+model.URL+"/v1, format: v3}\n"+
		"  as-udiff: {id: m, base_url: "+model.URL+"/v1, format: udiff}\n"), 0o600))
	var files []string
	for name, words := range map[string]string{"as-v3": "`««« EDIT`", "as-udiff": taught["udiff"]} {
		file := filepath.Join(dir, name+".json")
		files = append(files, file)
		code, out, errOut := tenon(t, "", "eval", tasks, "--config", config, "--model", name, "--out", file)
		require.Equal(t, exitOK, code, errOut)
		require.Contains(t, out, "| solved | 100.0 % (")
		asked := model.questions()
		require.Contains(t, asked[len(asked)-1], words)
	}
	code, out, errOut := tenon(t, "", "eval", "--compare", files[0], files[1])
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "| solved | 100.0 % | 100.0 % |")
	code, out, errOut = tenon(t, "", "eval", tasks, "--config", config, "--model", "as-v3", "--model", "as-udiff")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "as-v3")
	require.Contains(t, out, "as-udiff")
}
