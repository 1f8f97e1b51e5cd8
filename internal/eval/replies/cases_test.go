package replies

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// readAll reads the cases in files, and returns those before the first error.
func readAll(files map[string]string, root string) (cases []Case, err error) {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	err = Read(fsys, root, func(c Case) error {
		cases = append(cases, c)
		return nil
	})
	return cases, err
}

func TestCasesAreReadInTheOrderOfFilesAndLines(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"b.jsonl": `{"id": "2", "files": {}, "reply": "", "refuse": true}` + "\n\n" +
			`{"id": "1", "files": {}, "reply": "", "expect": {}}`,
		"a/hand.txtar": "What it is about.\n-- reply --\nHello.\n",
		"a/notes.md":   "no case",
		"c":            `{"id": "2", "files": {}, "reply": "", "expect": {}}`,
	}
	ids := func(cases []Case) (ids []string) {
		for _, c := range cases {
			ids = append(ids, c.ID)
		}
		return ids
	}
	cases, err := readAll(files, ".")
	require.NoError(t, err)
	require.Equal(t, []string{"a/hand", "2", "1"}, ids(cases))
	cases, err = readAll(files, "c")
	require.NoError(t, err)
	require.Equal(t, []string{"2"}, ids(cases), "a file that is named may have any name")
}

func TestACaseSaysWhatChangesAndAllElseStays(t *testing.T) {
	t.Parallel()
	line := `{"id": "1", "source": "s", "form": "f", "variant": "v", "ambiguous": true, "unknown": [1], ` +
		`"files": {"a": "1\n", "b": "2\n", "c": "3\n", "d": null}, "reply": "r", "expect": {"a": "1.1\n", "b": null}}`
	cases, err := readAll(map[string]string{"a.jsonl": line}, "a.jsonl")
	require.NoError(t, err)
	changed := "1.1\n"
	require.Equal(t, []Case{{
		ID: "1", Source: "s", Form: "f", Variant: "v", Ambiguous: true, Reply: "r",
		Files:  map[string]string{"a": "1\n", "b": "2\n", "c": "3\n"},
		Expect: map[string]*string{"a": &changed, "b": nil},
	}}, cases)
	require.Equal(t, engine.MemTree{"a": []byte("1\n"), "b": []byte("2\n"), "c": []byte("3\n")}, cases[0].Before())
	require.Equal(t, engine.MemTree{"a": []byte("1.1\n"), "c": []byte("3\n")}, cases[0].After())
}

func TestCasesOfTheBenchmarkOfEditsAreRead(t *testing.T) {
	t.Parallel()
	cases, err := readAll(map[string]string{
		"a.jsonl": `{"id": "1", "files_before": {"a": "1\n"}, "reply": "r", "expect_files": {"a": "2\n"}}` + "\n" +
			`{"id": "2", "files_before": {"a": "1\n"}, "reply": "r", "expect_files": null}`,
	}, "a.jsonl")
	require.NoError(t, err)
	require.Equal(t, engine.MemTree{"a": []byte("2\n")}, cases[0].After())
	require.Equal(t, engine.MemTree{"a": []byte("1\n")}, cases[1].After())
}

func TestAnArchiveListsAllFilesThatThereAreAfterwards(t *testing.T) {
	t.Parallel()
	const before = "-- reply --\nr\n-- before/a --\n1\n-- before/b/c --\n2\n"
	for after, want := range map[string]engine.MemTree{
		"":                                   {"a": []byte("1\n"), "b/c": []byte("2\n")},
		"-- after/b/c --\n3\n":               {"b/c": []byte("3\n")},
		"-- after/a --\n1\n-- after/d --\n4": {"a": []byte("1\n"), "d": []byte("4\n")},
	} {
		cases, err := readAll(map[string]string{"x/one.txtar": before + after}, "x/one.txtar")
		require.NoError(t, err)
		require.Equal(t, "r\n", cases[0].Reply)
		require.Equal(t, "txtar", cases[0].Form)
		require.Equal(t, engine.MemTree{"a": []byte("1\n"), "b/c": []byte("2\n")}, cases[0].Before())
		require.Equal(t, want, cases[0].After(), after)
	}
}

func TestAWrongCaseIsNamedByFileAndLine(t *testing.T) {
	t.Parallel()
	const good = `{"id": "1", "files": {}, "reply": "", "expect": {}}` + "\n"
	for line, want := range map[string]string{
		`[]`:                                    "not a case: ",
		`{}`:                                    `a case needs an "id"`,
		`{"id": "2"}`:                           `a case needs "files"`,
		`{"id": "2", "files": {}}`:              `a case needs a "reply"`,
		strings.TrimSpace(good):                 `line 1 has a case "1" too`,
		`{"id": "2", "files": {}, "reply": ""}`: `a case needs "expect"`,
		`{"id": "2", "files": {}, "reply": "", "expect": []}`:                         `"expect" must be an object`,
		`{"id": "2", "files": {}, "reply": "", "expect": {"a": 1}}`:                   `"expect" must be an object`,
		`{"id": "2", "files": {}, "reply": "", "expect_files": {"a": 1}}`:             `"expect_files" must be an object`,
		`{"id": "2", "files": {}, "reply": "", "expect": {"a": "b"}, "refuse": true}`: `but "expect" has files`,
	} {
		cases, err := readAll(map[string]string{"a/b.jsonl": good + "\n" + line}, ".")
		require.ErrorContains(t, err, "a/b.jsonl: line 3: ", line)
		require.ErrorContains(t, err, want, line)
		require.Len(t, cases, 1)
	}
	for archive, want := range map[string]string{
		"prose alone":                     "it has no file named reply",
		"-- reply --\n-- reply --\n":      "it has reply twice",
		"-- reply --\n-- out/a.txt --\n":  "not out/a.txt",
		"-- before/a --\n-- after/a --\n": "it has no file named reply",
	} {
		_, err := readAll(map[string]string{"a/b.txtar": archive}, ".")
		require.ErrorContains(t, err, "a/b.txtar: ", archive)
		require.ErrorContains(t, err, want, archive)
	}
	_, err := readAll(nil, "no.jsonl")
	require.ErrorContains(t, err, "no.jsonl")
}

func TestALineMayBeLongButNotOfAnyLength(t *testing.T) {
	t.Parallel()
	line := `{"id": "1", "files": {}, "reply": %q, "expect": {}}` + "\n"
	cases, err := readAll(map[string]string{"a.jsonl": fmt.Sprintf(line, strings.Repeat("x", 6<<20))}, ".")
	require.NoError(t, err)
	require.Len(t, cases[0].Reply, 6<<20)
	_, err = readAll(map[string]string{"a.jsonl": "\n" + fmt.Sprintf(line, strings.Repeat("x", maxCaseLine))}, ".")
	require.EqualError(t, err, "a.jsonl: line 2 is longer than 32 MiB")
}
