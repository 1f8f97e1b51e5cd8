package caution

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/meter"
)

// changed is a file whose text changes; an empty text is none.
func changed(path, before, after string) File {
	f := File{Path: path}
	if before != "" {
		f.Before = []byte(before)
	}
	if after != "" {
		f.After = []byte(after)
	}
	return f
}

// found returns the cautions of files, as "kind path:line what".
func found(files ...File) (out []string) {
	for _, c := range Find(meter.Of(Work), files) {
		text := fmt.Sprintf("%s %s:%d %s", c.Kind, c.Path, c.Line, c.What)
		if c.More > 0 {
			text += fmt.Sprintf(" +%d", c.More)
		}
		out = append(out, strings.TrimSpace(text))
	}
	return out
}

// only returns what is found of one kind.
func only(kind Kind, files ...File) (out []string) {
	for _, text := range found(files...) {
		if rest, ok := strings.CutPrefix(text, string(kind)+" "); ok {
			out = append(out, rest)
		}
	}
	return out
}

func TestAnOrdinaryChangeGetsNoCaution(t *testing.T) {
	t.Parallel()
	require.Empty(t, found(
		changed("server/start.go", "package server\n\nfunc Start() {}\n", "package server\n\n"+
			"func Start() error { return nil }\n"),
		changed("server/start_test.go", "func TestA(t *testing.T) {}\n", "func TestA(t *testing.T) {}\n\n"+
			"func TestB(t *testing.T) {}\n"),
		changed("README.md", "# a\n", "# a\n\nSee https://somewhere.dev/docs and run `make || true`.\n"),
	))
}

func TestWhatMovesIsNotNew(t *testing.T) {
	t.Parallel()
	const text = "import a  # noqa: F401\nfetch(\"https://api.partner.io/x\")\nexec(base64.b64decode(blob))\n"
	require.Empty(t, found(changed("a/old.py", text, ""), changed("b/new.py", "", text)))
	require.Empty(t, found(changed("a.py", "if x:\n    fetch(\"https://api.partner.io/x\")\n",
		"fetch(\"https://api.partner.io/x\")\n")))
}

func TestManyCautionsOfAKindAreCounted(t *testing.T) {
	t.Parallel()
	var files []File
	for i := range 50 {
		files = append(files, changed(fmt.Sprintf("s%02d.sh", i), "", "exit 0\n"))
	}
	all := Find(meter.Of(Work), append(files, changed("a.py", "", "fetch(\"https://api.partner.io\")\n")))
	require.Len(t, all, maxOfKind+1)
	require.Equal(t, 50-maxOfKind, all[maxOfKind-1].More)
	require.Equal(t, Host, all[maxOfKind].Kind, "many of one kind hide no other")
}

func TestWhatIsTooLargeIsSaidToBeUnexamined(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x = 1\n", maxRead/6+1)
	require.Equal(t, []string{"runs b.sh:1", "unexamined a.py:0"},
		found(changed("a.py", "", large), changed("b.sh", "", "exit 0\n")))
	settings := "# " + strings.Repeat("x", 100) + "\n" // padding in front of a program to load
	require.Equal(t, []string{"runs .eslintrc.yml:3001 extends"},
		found(changed(".eslintrc.yml", "a: 1\n", strings.Repeat(settings, 3000)+"extends: mallory\n")))
	require.Equal(t, []string{"unexamined .eslintrc.yml:0"},
		found(changed(".eslintrc.yml", "a: 1\n", strings.Repeat(settings, 11_000)+"extends: mallory\n")))
	var many []File
	for i := range 9 {
		many = append(many, changed(fmt.Sprintf("%d.py", i), "", large[:maxRead/8]))
	}
	require.Equal(t, []string{"b.sh:1"}, only(Runs, append(many, changed("b.sh", "", "exit 0\n"))...),
		"large files hide no small one")
	all := Find(meter.Of(50_000), []File{changed("a.py", "", strings.Repeat("fetch(\"https://api.partner.io\")\n",
		10_000))})
	require.Equal(t, Unexamined, all[len(all)-1].Kind)
}

func TestALineOfCodeThatIsNotExaminedToItsEndIsSaid(t *testing.T) {
	t.Parallel()
	line := "a = '" + strings.Repeat("long", maxLine/4) + "'; exec(b64decode(b))\n"
	require.Equal(t, []string{"unexamined a.py:0"}, found(changed("a.py", "a\n", line)))
	require.Empty(t, found(changed("a.js", line, line+"b = 1;"+line)), "a tool wrote it")
	require.Empty(t, found(changed("a.json", "{}\n", line)), "data")
	require.Empty(t, found(changed("a.py", line, line+"b = 1\n")), "it was there")
}

func TestTheWorkIsBoundedWhateverTheTextsAre(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"slashes": strings.Repeat("//", 1<<18), "quotes": strings.Repeat(`"'`, 1<<18), "lines": strings.Repeat("\n", 1<<18),
		"skips": strings.Repeat("@pytest.mark.skip\n", 1<<14), "hosts": strings.Repeat("a://b.cd/ ", 1<<15),
		"brackets": strings.Repeat("[[{", 1<<17), "names": strings.Repeat("def test_a():\n", 1<<14),
		"wide": strings.Repeat("é", 1<<18),
	} {
		for _, path := range []string{"tests/test_a.py", "package.json", "pom.xml", "pyproject.toml", "a.rb", "go.mod",
			".rubocop.yml"} {
			w := meter.Of(Work / 10)
			Find(w, []File{changed(path, "x\n", text)})
			require.Less(t, w.Spent(), Work/5, "%s in %s", name, path)
			w = meter.Of(Work / 10)
			Find(w, []File{changed(path, text, "x\n")})
			require.Less(t, w.Spent(), Work/5, "%s in %s", name, path)
		}
	}
}

func TestExpressionsAreCountedAsWork(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("// eslint-disable-line\n", 1000)
	w := meter.Of(Work)
	Find(w, []File{changed("a.js", "", text)})
	require.Greater(t, w.Spent(), unitsPerByte*len(text))
}

func TestANameIsCutBetweenCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, strings.Repeat("é", 28)+"…", clip(strings.Repeat("é", 40)))
	require.Equal(t, "short", clip("short"))
}

func FuzzFind(f *testing.F) {
	f.Add("a/package.json", `{"scripts":{"a":"b"}}`, `{"scripts":{"a":"c"}}`)
	f.Add("pyproject.toml", "[project]\ndependencies = []\n", "[project]\ndependencies = [\"a\"]\n")
	f.Add("pom.xml", "<project>", "<project><a><groupId>a</groupId><artifactId>b</artifactId></a></project></x>")
	f.Add("test_a.py", "def test_a():\n  pass\n", "@pytest.mark.skip\ndef test_a():\n  pass\n")
	f.Add("a.js", "", "eval(atob('x')) // https://x.dev")
	f.Fuzz(func(t *testing.T, path, before, after string) {
		files := []File{{Path: path, Before: []byte(before), After: []byte(after), Executable: len(after)%2 == 0}}
		all := Find(meter.Of(Work), files)
		require.Equal(t, all, Find(meter.Of(Work), files), "the same each time")
		for _, c := range all {
			require.LessOrEqual(t, len(c.What), maxWhat)
			require.LessOrEqual(t, c.Line, strings.Count(after, "\n")+1)
		}
		files[0].After, files[0].WasExecutable = files[0].Before, files[0].Executable
		require.Empty(t, Find(meter.Of(Work), files), "a file that is as it was")
	})
}

func TestASecretIsMaskedBeforeItIsCut(t *testing.T) {
	t.Parallel()
	token := "github_pat_" + strings.Repeat("1aB2", 20)
	for _, c := range Find(meter.Of(Work), []File{changed("requirements.txt", "flask==1\n",
		"--index-url https://"+token+"@packages.corp.net/simple\nflask==1\n")}) {
		require.NotContains(t, c.What, token[:30])
	}
}

func TestManyNamesThatBeginAlikeCostNoMoreWork(t *testing.T) {
	t.Parallel()
	var names strings.Builder
	for i := range 13_000 {
		fmt.Fprintf(&names, "\"%s%05d\": \"1\",\n", strings.Repeat("a", maxWhat), i)
	}
	work := meter.Of(Work)
	found := Find(work, []File{changed("package.json", "{}", "{\"dependencies\": {"+names.String()+"\"b\": \"1\"}}\n")})
	require.Len(t, found, maxOfKind)
	require.Less(t, work.Spent(), Work/5)
}

func TestACommentEndsWhereItsLanguageSaysSo(t *testing.T) {
	t.Parallel()
	for path, line := range map[string]string{
		"Dockerfile": " ; curl https://api.partner.io | sh",
		"a.html":     "<!-- x --><script src=\"https://api.partner.io/x.js\">",
	} {
		require.NotEmpty(t, found(changed(path, "x\n", "x\n"+line+"\n")), path)
	}
}
