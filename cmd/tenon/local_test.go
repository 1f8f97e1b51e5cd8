package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	helloGo      = "package main\n\nfunc main() {\n\tprintln(\"hello\")\n}\n"
	goodbyeReply = "It says goodbye now.\n\nmain.go\n<<<<<<< SEARCH\n\tprintln(\"hello\")\n=======\n" +
		"\tprintln(\"goodbye\")\n>>>>>>> REPLACE\n"
)

// asking makes a work tree, in which the test then is, and a model with replies that the settings name.
func asking(t *testing.T, files map[string]string, replies ...string) (dir string, m *modelServer) {
	t.Helper()
	m = newModelServer(t, replies)
	t.Setenv("TENON_MODEL", "model-1")
	t.Setenv("TENON_MODEL_BASE_URL", m.URL)
	return workTree(t, files), m
}

func TestFixChangesAndStagesTheWorkTree(t *testing.T) {
	dir, m := asking(t, map[string]string{"main.go": helloGo, "sub/a.txt": "a\n"}, goodbyeReply)
	t.Chdir("sub") // paths stay relative to the top
	code, out, errOut := tenon(t, "", "fix", "say goodbye", "../main.go")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "Applied 1, failed 0, skipped 0 of 1 edit; 1 file changed and staged.")
	require.Contains(t, out, "goodbye")
	require.Contains(t, fileText(t, filepath.Join(dir, "main.go")), "goodbye")
	require.Equal(t, "main.go\n", gitIn(t, dir, "diff", "--cached", "--name-only"))
	require.Len(t, m.asked, 1)
	require.Contains(t, m.asked[0], "println(\"hello\")", "the model saw the file")
}

func TestFixMakesTheEditsThatWaitedForACorrection(t *testing.T) {
	dir, m := asking(t, map[string]string{"a.txt": "one\ntwo\nthree\n"},
		lineEdit("a.txt", "eins", "1")+lineEdit("a.txt", "two", "2")+lineEdit("a.txt", "three", "3"),
		lineEdit("a.txt", "one", "1"))
	code, out, errOut := tenon(t, "", "fix", "write digits", "a.txt")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "Applied 3, failed 0, skipped 0 of 3 edits")
	require.Equal(t, "1\n2\n3\n", fileText(t, filepath.Join(dir, "a.txt")))
	require.Len(t, m.asked, 2)
}

func TestFixSeesWhatIsNotCommittedAndNothingIgnored(t *testing.T) {
	dir, m := asking(t, map[string]string{"main.go": "package main\n", ".gitignore": "secret.txt\n"}, goodbyeReply)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(helloGo), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret.txt"), []byte("the ignored words\n"), 0o644))
	code, _, errOut := tenon(t, "", "fix", "say goodbye in main.go and secret.txt")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, errOut, "not committed; the edits are made to them as they were: main.go")
	require.Contains(t, m.asked[0], "println(\"hello\")")
	require.NotContains(t, m.asked[0], "the ignored words")
	code, _, errOut = tenon(t, "", "fix", "say goodbye", "secret.txt")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "secret.txt is ignored by git")
	code, out, errOut := tenon(t, "", "ask", "--", "--foo is not known")
	require.Equal(t, exitOK, code, out+errOut)
	require.Contains(t, m.asked[len(m.asked)-1], "--foo is not known")
	code, _, errOut = tenon(t, "", "fix", "say goodbye", "mian.go")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "did you mean main.go?")
}

func TestFixCommits(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	code, out, errOut := tenon(t, "", "fix", "--commit", "say goodbye in main.go")
	require.Equal(t, exitOK, code, errOut)
	message := gitIn(t, dir, "log", "-1", "--format=%B")
	require.Regexp(t, `^chore: say goodbye in main.go\n\nIt says goodbye now.\n\nApplied 1 edit.\n\nTenon-Run: \w+\n`,
		message)
	require.Regexp(t, `1 file changed and committed as `+gitIn(t, dir, "rev-parse", "HEAD")[:10], out)
	require.Empty(t, gitIn(t, dir, "status", "--short"))
}

func TestACommitWithoutAnAuthorIsRefused(t *testing.T) {
	dir, m := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	gitIn(t, dir, "config", "user.name", "")
	gitIn(t, dir, "config", "user.useConfigOnly", "true")
	code, out, errOut := tenon(t, "", "fix", "--commit", "say goodbye in main.go")
	require.Equal(t, exitFailed, code, out)
	require.Contains(t, errOut, "git config --global user.name")
	require.Empty(t, out)
	require.Empty(t, m.asked, "a model that costs something is not asked for nothing")
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
}

func TestWhatAFilterKeepsFromTheCommitIsSaid(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo, ".gitattributes": "main.go filter=x\n"}, goodbyeReply)
	gitIn(t, dir, "config", "filter.x.clean", "cat")
	head := gitIn(t, dir, "rev-parse", "HEAD")
	code, out, errOut := tenon(t, "", "fix", "--commit", "say goodbye in main.go")
	require.Equal(t, exitFailed, code, "it was to be committed")
	require.Contains(t, out, "1 file changed, not staged")
	require.Contains(t, errOut, "the changes are written and not committed: git would run the filter")
	require.Equal(t, head, gitIn(t, dir, "rev-parse", "HEAD"))
	require.Contains(t, fileText(t, filepath.Join(dir, "main.go")), "goodbye")
}

func TestFixSaysWhatDidNotFit(t *testing.T) {
	other := lineEdit("main.go", "\tprintln(\"good evening\")", "\tprintln(\"goodbye\")")
	dir, _ := asking(t, map[string]string{"main.go": helloGo}, other)
	code, out, _ := tenon(t, "", "fix", "say goodbye in main.go")
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "Applied 0, failed 1")
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
}

func TestAskAnswersAndChangesNothing(t *testing.T) {
	dir, m := asking(t, map[string]string{"main.go": helloGo}, "It prints **hello**.")
	code, out, errOut := tenon(t, "what does main.go do?\n", "ask")
	require.Equal(t, exitOK, code, errOut)
	require.Equal(t, "It prints **hello**.\n", out)
	require.Equal(t, "tenon: asking model-1\ntenon: the model has answered, call 1\n", errOut)
	require.Contains(t, m.asked[0], "what does main.go do?")
	require.Empty(t, gitIn(t, dir, "status", "--short"))
}

func TestAnAnswerKeepsItsLinesAndItsCode(t *testing.T) {
	_, m := asking(t, map[string]string{"main.go": helloGo}, "It greets.\n\n```go\nfunc a() {\x1b[2J}\n```\n"+goodbyeReply)
	code, out, errOut := tenon(t, "", "ask", "what does main.go do?")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "It greets.\n\n```go\nfunc a() {\\x1b[2J}\n```\n")
	require.Contains(t, out, "println(\"goodbye\")", "an edit is code that was asked for")
	require.NotEmpty(t, m.asked)
}

func TestTheSettingsOfTheTreeApply(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo, ".github/tenon.yml": "protected: [main.go]\n"},
		goodbyeReply)
	code, out, errOut := tenon(t, "", "fix", "say goodbye in main.go")
	require.Equal(t, exitFailed, code, out+errOut)
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
}

func TestWhatIsMissingIsSaidInASentence(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	code, _, errOut := tenon(t, " \n", "fix", "-")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "there is no task")

	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"Incorrect API key"}}`, http.StatusUnauthorized)
	}))
	t.Cleanup(refusing.Close)
	t.Setenv("TENON_MODEL_BASE_URL", refusing.URL)
	code, _, errOut = tenon(t, "", "fix", "say goodbye in main.go")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "model")
	require.NotContains(t, errOut, "@you")
	require.Contains(t, errOut, "did not accept the key. Check TENON_MODEL_API_KEY.")

	t.Setenv("TENON_MODEL", "")
	t.Setenv("TENON_MODEL_BASE_URL", "")
	code, _, errOut = tenon(t, "", "fix", "say goodbye")
	require.Equal(t, exitUsage, code)
	for _, example := range []string{"OpenAI", "Ollama", "llama.cpp", "TENON_MODEL"} {
		require.Contains(t, errOut, example)
	}

	t.Setenv("TENON_MODEL", "model-1")
	t.Setenv("TENON_MODEL_BASE_URL", refusing.URL)
	t.Chdir(t.TempDir())
	code, _, errOut = tenon(t, "", "fix", "say goodbye")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "not in a git work tree")
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
}

func TestUndoRevertsTheLastFix(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	code, _, errOut := tenon(t, "", "fix", "say goodbye in main.go")
	require.Equal(t, exitOK, code, errOut)
	code, out, errOut := tenon(t, "", "undo")
	require.Equal(t, exitOK, code, errOut)
	require.Contains(t, out, "1 file changed")
	require.Contains(t, out, "say goodbye in main.go")
	require.Equal(t, helloGo, fileText(t, filepath.Join(dir, "main.go")))
	require.Empty(t, gitIn(t, dir, "status", "--short"))
	code, _, errOut = tenon(t, "", "undo")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "nothing to undo")
}

func TestUndoKeepsWhatWasChangedSince(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": helloGo}, goodbyeReply)
	code, _, errOut := tenon(t, "", "fix", "say goodbye in main.go")
	require.Equal(t, exitOK, code, errOut)
	mine := strings.Replace(helloGo, "hello", "good night", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(mine), 0o644))
	code, _, errOut = tenon(t, "", "undo")
	require.Equal(t, exitFailed, code)
	require.Contains(t, errOut, "main.go at line 4")
	require.Equal(t, mine, fileText(t, filepath.Join(dir, "main.go")))
}

func TestWhatDelaysACommandIsSaid(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := newProgress("fix", "model-1", &out, &out).log()
	log.WarnContext(t.Context(), "asking the model again", "fault", "slow\x1b[2J", "wait", 2*time.Second)
	require.NotContains(t, out.String(), "\x1b")
	require.Contains(t, out.String(), "tenon: asking the model again in 2s: slow")

	down := &port.WaitError{For: port.ModelOutage, Err: errors.New("asking the model: asking the model m: unreachable")}
	require.Equal(t, "the model is not answering (asking the model m: unreachable); is its server running, and does "+
		"TENON_MODEL_BASE_URL say where?", failureText(errors.Join(down, errors.New("more"))))
	down.Err = errors.New("asking the model: asking the model m: unavailable (HTTP 500), attempt 4")
	require.Contains(t, failureText(down),
		"failed (asking the model m: unavailable (HTTP 500), attempt 4); try again later")
	down.For, down.After = port.ModelLimit, time.Hour
	require.Contains(t, failureText(down), "try again in 1h0m0s, or name another model with --model")
	down.For = port.ModelBreak
	require.Equal(t, "the connection to the model broke inside its reply; nothing was written; run the command again",
		failureText(down))
	require.Equal(t, "broken", failureText(errors.New("broken")))
}

func TestAModelThatIsSilentIsWaitedForAudibly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		p := newProgress("fix", "model-1", io.Discard, &out)
		p.Recorded("run", promptStep)
		time.Sleep(2*sign + time.Second)
		p.end()
		p.end()
		require.Contains(t, out.String(), "tenon: waiting for model-1 since 15 s\ntenon: waiting for model-1 since 30 s\n")
	})
}

func TestWhatTheModelSaysInsteadOfEditsIsShown(t *testing.T) {
	const question = "I do not know which greeting you mean."
	asking(t, map[string]string{"main.go": helloGo}, question, question)
	code, out, errOut := tenon(t, "", "fix", "greet in main.go")
	require.Equal(t, exitFailed, code, errOut)
	require.Contains(t, out, question)
	require.Contains(t, out, "There is no edit block in the reply; nothing was changed.")
}

func TestJSONSaysAllThatTextSays(t *testing.T) {
	dir, _ := asking(t, map[string]string{"main.go": "package main\n"}, goodbyeReply, "It says goodbye.")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(helloGo), 0o644))
	of := func(code int, args ...string) (v localJSON) {
		v.applyJSON = &applyJSON{}
		got, out, errOut := tenon(t, "", append(args, "--json")...)
		require.Equal(t, code, got, errOut)
		require.NoError(t, json.Unmarshal([]byte(out), &v), out)
		return v
	}
	fixed := of(exitOK, "fix", "--commit", "say goodbye in main.go")
	require.Equal(t, strings.TrimSpace(gitIn(t, dir, "rev-parse", "HEAD")), fixed.Commit)
	require.Equal(t, []string{"main.go"}, fixed.Dirty)
	require.Equal(t, []string{"main.go"}, fixed.Changed)
	require.Contains(t, fixed.Answer, "goodbye")
	require.Equal(t, "It says goodbye.", of(exitOK, "ask", "what does main.go say?").Answer)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "{}", http.StatusUnauthorized)
	}))
	defer refuses.Close()
	t.Setenv("TENON_MODEL_BASE_URL", refuses.URL)
	require.Contains(t, of(exitFailed, "ask", "what does main.go say?").Error, "did not accept the key")
}

func TestWhatIsMeantByAnArgumentIsSaid(t *testing.T) {
	_, m := asking(t, map[string]string{"main.go": helloGo, "sub/a.txt": "a\n"})
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"fix", "main.go"}, `main.go is a file; write what to do before it, as in: tenon fix "say goodbye" main.go`},
		{[]string{"fix", "x", "sub"}, "sub is a folder; name files"},
		{[]string{"fix", "--model", "other", "x"}, "no model is named other; the settings have model-1"},
		{[]string{"undo", "main.go"}, "undo takes no arguments"},
	} {
		code, _, errOut := tenon(t, "", c.args...)
		require.Equal(t, exitUsage, code, errOut)
		require.Contains(t, errOut, c.says)
	}
	require.Empty(t, m.asked)
	t.Chdir("sub")
	_, _, errOut := tenon(t, "", "fix", "x", "main.go")
	require.Contains(t, errOut, "did you mean ../main.go?")
}
