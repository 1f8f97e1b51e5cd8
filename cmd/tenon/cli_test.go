package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryCommandExplainsItself(t *testing.T) {
	t.Parallel()
	code, overview, errOut := tenon(t, "", "--help")
	require.Equal(t, exitOK, code)
	require.Empty(t, errOut)
	names := []string{}
	for _, cmd := range newRoot().Commands() {
		if !cmd.IsAvailableCommand() || cmd.Name() == "help" {
			continue
		}
		names = append(names, cmd.Name())
		require.Contains(t, overview, "  "+cmd.Name()+" ", "the overview lists it")
		require.NotEmpty(t, cmd.Short, cmd.Name())
		code, out, errOut := tenon(t, "", cmd.Name(), "--help")
		require.Equal(t, exitOK, code, cmd.Name())
		require.Empty(t, errOut, cmd.Name())
		require.Contains(t, out, "tenon "+cmd.Name(), "its usage")
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, len([]rune(strings.TrimRight(line, "\n"))), 130, "%s: a terminal would break this line: %s",
				cmd.Name(), line)
		}
		if cmd.HasFlags() {
			require.NotEmpty(t, cmd.Example, cmd.Name())
		}
	}
	require.Subset(t, names, []string{"serve", "demo", "apply", "batch", "replay", "eval", "version"})
}

func TestAWrongCommandLineIsNamedAndDoesNothing(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	reply := lineEdit("a.txt", "one", "eins")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"a command that there is not": {[]string{"aply"}, `unknown command "aply"`},
		"a flag that there is not":    {[]string{"apply", "--force"}, "unknown flag: --force"},
		"two files":                   {[]string{"apply", "a.md", "b.md"}, "at most 1 arg"},
		"a file for batch":            {[]string{"batch", "x"}, "unknown command"},
		"a folder as the reply":       {[]string{"apply", dir}, "reading the reply: read "},
	} {
		code, out, errOut := tenon(t, reply, c.args...)
		require.Equal(t, exitUsage, code, name)
		require.Empty(t, out, name)
		require.Contains(t, errOut, "tenon: ", name)
		require.Contains(t, errOut, c.want, name)
		if strings.HasPrefix(c.want, "unknown") {
			require.Contains(t, errOut, " --help.\n", "where to look")
		}
	}
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}

func TestVersionIsOneLine(t *testing.T) {
	t.Parallel()
	code, out, errOut := tenon(t, "", "version")
	require.Equal(t, exitOK, code)
	require.Empty(t, errOut)
	require.Regexp(t, `^tenon \S+ \(commit \S+( modified)?.*\) go1\.\S+ \S+/\S+\n$`, out)
	code, flag, errOut := tenon(t, "", "--version")
	require.Equal(t, exitOK, code)
	require.Empty(t, errOut)
	require.Equal(t, out, flag)
	code, _, _ = tenon(t, "", "version", "now")
	require.Equal(t, exitUsage, code)
}

// The keys are a contract with programs: they are read here without our types.
func TestApplyAsJSONKeepsItsShape(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\ntwo\n"})
	reply := lineEdit("a.txt", "two",
		"zwei") + "```bash\ngit mv a.txt b.txt\n```\n\na.txt\n<<<<<<< SEARCH\nzwei\n=======\ndr"
	code, out, errOut := tenon(t, reply, "apply", "--json", "--dry-run")
	require.Equal(t, exitFailed, code)
	require.Empty(t, errOut)
	var got map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &got))
	require.Equal(t, []any{map[string]any{"path": "a.txt", "status": "applied", "reason": "", "detail": "", "line": 2.0,
		"level": 1.0}}, got["results"])
	require.Equal(t, []any{"a.txt"}, got["changed"])
	require.Equal(t, true, got["dry_run"])
	require.Equal(t, false, got["staged"])
	require.NotContains(t, got, "error")
	problem := got["problems"].([]any)[0].(map[string]any)
	require.Equal(t, "cut-off", problem["kind"])
	require.Equal(t, "error", problem["severity"])
	require.Equal(t, 13.0, problem["line"])
	require.Contains(t, problem["text"], "cut off")
	suggestion := got["suggestions"].([]any)[0].(map[string]any)
	require.Equal(t, "git mv a.txt b.txt", suggestion["command"])
	require.Equal(t, map[string]any{"kind": "move", "paths": []any{"a.txt"}, "to": "b.txt"}, suggestion["op"])
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"), "a dry run writes nothing")

	code, out, _ = tenon(t, "no block here\n", "apply", "--json")
	require.Equal(t, exitFailed, code)
	require.JSONEq(t, `{"results":[],"problems":[],"suggestions":[],"changed":[],"removed":[],"renamed":[],
		"dry_run":false,"staged":false,"cautions":[]}`, out)
}

func TestApplyInASubfolderOfAWorkTreeInAnother(t *testing.T) {
	outer := workTree(t, map[string]string{"a.txt": "outer\n"})
	inner := outer + "/inner/deep"
	require.NoError(t, os.MkdirAll(inner, 0o755))
	gitIn(t, outer+"/inner", "init", "--quiet")
	require.NoError(t, os.WriteFile(outer+"/inner/a.txt", []byte("inner\n"), 0o644))
	t.Chdir(inner)
	code, out, errOut := tenon(t, lineEdit("a.txt", "inner", "changed"), "apply")
	require.Equal(t, exitOK, code, out+errOut)
	require.Equal(t, "changed\n", fileText(t, outer+"/inner/a.txt"), "the nearest work tree is meant")
	require.Equal(t, "outer\n", fileText(t, outer+"/a.txt"))

	code, out, _ = tenon(t, lineEdit("../a.txt", "outer", "changed"), "apply", "--json")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, `"reason": "unsafe-path"`)
	require.Equal(t, "outer\n", fileText(t, outer+"/a.txt"))
}

func TestApplyKeepsBytesThatTheReplyDoesNotMean(t *testing.T) {
	workTree(t, map[string]string{"a.txt": "\ufeffone \r\ntwo\r\n\tthree"})
	code, out, errOut := tenon(t, lineEdit("a.txt", "two", "zwei"), "apply")
	require.Equal(t, exitOK, code, out+errOut)
	require.Equal(t, "\ufeffone \r\nzwei\r\n\tthree", fileText(t, "a.txt"))
}

func TestApplyRefusesAReplyWithoutEnd(t *testing.T) {
	dir := workTree(t, map[string]string{"a.txt": "one\n"})
	code, out, errOut := tenon(t, lineEdit("a.txt", "one", "eins")+strings.Repeat("x", maxReply), "apply")
	require.Equal(t, exitUsage, code)
	require.Empty(t, out)
	require.Contains(t, errOut, "the reply is longer than 16 MiB")
	require.Empty(t, gitIn(t, dir, "status", "--porcelain"))
}
