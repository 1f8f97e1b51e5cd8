package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// applyPage is docs/apply.md.
func applyPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/apply.md")
	require.NoError(t, err)
	return string(text)
}

// pageBlock is a piece of code of a page, with what a comment above it says about it.
type pageBlock struct{ note, language, code string }

var aBlock = regexp.MustCompile("(?ms)(?:^<!-- ([^\n]*) -->\n)?^```(\\w+)\n(.*?)^```$")

func blocksOf(page string) (blocks []pageBlock) {
	for _, m := range aBlock.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, pageBlock{m[1], m[2], m[3]})
	}
	return blocks
}

// applyDesk is a work tree in which the page can be tried, with the programs that it uses.
type applyDesk struct {
	dir, bin string
	env      []string
}

// newApplyDesk makes a work tree. Models and clipboards are scripts that print the page's own reply.
func newApplyDesk(t *testing.T, reply string) applyDesk {
	t.Helper()
	dir, bin := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o755))
	}
	write(dir+"/greet.go", "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"Hello\")\n}\n")
	write(dir+"/Makefile", "test:\n\tgrep -q name greet.go\n")
	write(bin+"/the-reply", reply)
	for _, name := range []string{"pbpaste", "wl-paste", "xclip"} {
		write(bin+"/"+name, "#!/bin/sh\ncat '"+bin+"/the-reply'\n")
	}
	write(bin+"/ollama", `#!/bin/sh
asked=$(cat)
case $asked in
*'did not work:'*failed*) sed 's/Hello, world/Hello, name/' '`+bin+`/the-reply' ;;
*'greet a person'*) sed 's/"Hello"/"Hullo"/' '`+bin+`/the-reply' ;;
*) cat '`+bin+`/the-reply' ;;
esac
`)
	write(bin+"/curl", `#!/bin/sh
jq -e '.model and .messages[1].content' >/dev/null || exit 1
jq -n --rawfile reply '`+bin+`/the-reply' '{choices: [{message: {content: $reply}}]}'
`)
	processes.count(t)
	program, err := os.Executable()
	require.NoError(t, err)
	require.NoError(t, os.Symlink(program, bin+"/tenon"))
	gitIn(t, dir, "init", "--quiet", "--template=")
	gitIn(t, dir, "config", "user.name", "Maria")
	gitIn(t, dir, "config", "user.email", "maria@example.com")
	gitIn(t, dir, "add", "--all")
	gitIn(t, dir, "commit", "--quiet", "--message", "start")
	env := append(os.Environ(), "TENON_TEST_MAIN=1", "OPENAI_API_KEY=key", "HOME="+bin,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return applyDesk{dir, bin, env}
}

// run runs a program in the work tree, and returns what it prints and its exit code.
func (d applyDesk) run(t *testing.T, name string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir, cmd.Env = d.dir, d.env
	var errOut strings.Builder
	cmd.Stderr = &errOut
	data, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit, "%s %v", name, args)
		t.Logf("%s %q: %v: %s", name, args, err, errOut.String())
	}
	return string(data), cmd.ProcessState.ExitCode()
}

// Every command of the page is run as it is there, in order; the output that it shows is the real one.
func TestTheCommandsOfThePageOnApplyWork(t *testing.T) {
	t.Parallel()
	blocks := blocksOf(applyPage(t))
	_, reply, found := strings.Cut(blocks[0].code, "<<'END'\n")
	require.True(t, found)
	reply, _, _ = strings.Cut(reply, "END\n")
	desk := newApplyDesk(t, reply)
	ran := 0
	for i, b := range blocks {
		if b.language != "sh" {
			continue
		}
		if file, ok := strings.CutPrefix(b.note, "saved as "); ok {
			place := filepath.Join(desk.dir, file)
			if !strings.Contains(file, "/") {
				place = filepath.Join(desk.bin, file)
			}
			require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
			require.NoError(t, os.WriteFile(place, []byte(b.code), 0o755))
			continue
		}
		if _, err := exec.LookPath("jq"); err != nil && strings.Contains(b.code, "jq ") {
			t.Log("not run without jq:", b.code)
			continue
		}
		gitIn(t, desk.dir, "reset", "--quiet", "--hard", "HEAD")
		want := 0
		if b.note != "" {
			_, err := fmt.Sscanf(b.note, "exits with %d", &want)
			require.NoError(t, err, b.note)
		}
		out, code := desk.run(t, "sh", "-eu", "-c", b.code)
		require.Equal(t, want, code, "%s\n%s", b.code, out)
		if i+1 < len(blocks) && blocks[i+1].language == "text" {
			require.Equal(t, blocks[i+1].code, out)
		}
		ran++
	}
	require.Greater(t, ran, 8)
	require.Equal(t, "Greet a person by name\nstart\n", gitIn(t, desk.dir, "log", "--format=%s"),
		"the script commits, and the hook refuses")
	require.Contains(t, fileText(t, desk.dir+"/greet.go"), "Hello, name")
}

func TestTheCommandOfThePageForVimWorks(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("vim"); err != nil {
		t.Skip("vim is not installed")
	}
	desk := newApplyDesk(t, "")
	i := slices.IndexFunc(blocksOf(applyPage(t)), func(b pageBlock) bool { return b.language == "vim" })
	require.NoError(t, os.WriteFile(desk.dir+"/vimrc", []byte(blocksOf(applyPage(t))[i].code), 0o600))
	reply := "Prose.\n" + lineEdit("greet.go", "\tfmt.Println(\"Hello\")", "\tfmt.Println(\"Hi\")")
	require.NoError(t, os.WriteFile(desk.dir+"/reply.md", []byte(reply), 0o600))
	_, code := desk.run(t, "vim", "-N", "-es", "-u", "vimrc", "-c", "Tenon", "-c", "qall!", "reply.md")
	require.Zero(t, code)
	require.Contains(t, fileText(t, desk.dir+"/greet.go"), `"Hi"`)
}

func TestTheTaskOfThePageForVSCodeFindsWhatFailed(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(blocksOf(applyPage(t)), func(b pageBlock) bool { return b.language == "json" })
	var config struct {
		Tasks []struct {
			Command        string
			Args           []string
			ProblemMatcher struct {
				Pattern struct {
					Regexp              string
					File, Line, Message int
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(blocksOf(applyPage(t))[i].code), &config))
	desk := newApplyDesk(t, "")
	reply := lineEdit("greet.go", "\tfmt.Println(\"Hullo\")", "\tfmt.Println(\"Hi\")")
	require.NoError(t, os.WriteFile(desk.dir+"/reply.md", []byte(reply), 0o600))
	task := config.Tasks[0]
	for i, arg := range task.Args {
		task.Args[i] = strings.ReplaceAll(arg, "${file}", "reply.md")
	}
	out, code := desk.run(t, filepath.Join(desk.bin, task.Command), task.Args...)
	require.Equal(t, 1, code, out)
	pattern := task.ProblemMatcher.Pattern
	m := regexp.MustCompile("(?m)" + pattern.Regexp).FindStringSubmatch(out)
	require.NotNil(t, m, out)
	require.Equal(t, []string{"greet.go", "6", "Content sequence not found in file"},
		[]string{m[pattern.File], m[pattern.Line], m[pattern.Message]})
}

// fieldsOf returns the fields of the JSON of a type as the page writes them, and their types.
func fieldsOf(t reflect.Type, under string) (rows []string) {
	for f := range t.Fields() {
		if f.Anonymous {
			rows = append(rows, fieldsOf(f.Type, under)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at, inner := under+name, f.Type
		kind := map[reflect.Kind]string{reflect.String: "string", reflect.Int: "number", reflect.Bool: "boolean",
			reflect.Slice: "list", reflect.Pointer: "object", reflect.Struct: "object"}[inner.Kind()]
		if inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			inner = inner.Elem()
		}
		switch {
		case kind == "list" && inner.Kind() == reflect.String:
			kind = "list of strings"
		case kind == "list" && inner.Kind() == reflect.Int:
			kind = "list of numbers"
		case kind == "list":
			at += "[]"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s |", strings.TrimSuffix(at, "[]"), kind))
		if inner == reflect.TypeFor[regionJSON]() {
			continue // the three have the same fields
		}
		if inner.Kind() == reflect.Struct {
			rows = append(rows, fieldsOf(inner, at+".")...)
		}
		if inner == reflect.TypeFor[conflictJSON]() {
			rows = append(rows, fieldsOf(reflect.TypeFor[regionJSON](), at+".*.")...)
		}
	}
	return rows
}

func TestThePageOnApplyHasEveryFieldOfItsJSON(t *testing.T) {
	t.Parallel()
	_, table, found := strings.Cut(applyPage(t), "<!-- fields of apply --json -->\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	var documented []string
	for _, row := range strings.Split(table, "\n")[2:] {
		cells := strings.SplitAfterN(row, " |", 3)
		documented = append(documented, cells[0]+cells[1])
	}
	require.Equal(t, fieldsOf(reflect.TypeFor[applyJSON](), ""), documented)
}
