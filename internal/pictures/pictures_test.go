package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheTitlesOfClosedFoldsAreVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"**a** [b](https://github.com/acme/lathe)":                          "a b",
		"a <!-- tenon:run=x -->":                                            "a",
		"a\n\n<details><summary>b</summary>\n\nc\n\n</details>\n\nd":        "a b d",
		"a\n\n<details open><summary>b</summary>\n\nc\n\n</details>\n\nd":   "a b c d",
		"<details><summary>a</summary>\n\n```go\nx\n```\n\n</details>\n\nb": "a b",
		"| a | b |\n|---|---|\n| c | d |":                                   "a b c d",
		"é":                                                                 "é",
	} {
		n, _, err := visible(text)
		require.NoError(t, err)
		require.Equal(t, len([]rune(want)), n, text)
	}
	all, words, err := visible("a\n\n```diff\n+bc\n```\n\n`d`\n")
	require.NoError(t, err)
	require.Equal(t, len("a +bc d"), all)
	require.Equal(t, len("a d"), words, "diffs are no words")
}

func TestTheAnswerOfAnArchiveIsWhatItWants(t *testing.T) {
	t.Parallel()
	root := fstest.MapFS{
		"cmd/tenon/testdata/answers/fix.md":        {Data: []byte("fixed\n")},
		"bot/report/testdata/report/partly.txtar":  {Data: []byte("-- reply.md --\nno\n-- want.md --\nin part\n")},
		"bot/report/testdata/config/default.md":    {Data: []byte("settings\n")},
		"bot/report/testdata/config/other.unknown": {Data: []byte("no\n")},
	}
	all, err := goldens(root)
	require.NoError(t, err)
	require.Equal(t, []golden{
		{name: "answers/fix", file: "cmd/tenon/testdata/answers/fix.md", text: "fixed\n"},
		{name: "config/default", file: "bot/report/testdata/config/default.md", text: "settings\n"},
		{name: "report/partly", file: "bot/report/testdata/report/partly.txtar", text: "in part\n"},
	}, all)
	require.Equal(t, all[2:], named(all, []string{"part", "y/y"}))
	require.Equal(t, all, named(all, nil))

	root["bot/report/testdata/report/empty.txtar"] = &fstest.MapFile{Data: []byte("-- reply.md --\n")}
	_, err = goldens(root)
	require.EqualError(t, err, "bot/report/testdata/report/empty.txtar has no file want.md")
}

// Who changes an answer, or how answers are shown, takes the pictures again: make readme-pictures.
func TestThePicturesOfTheReadmeShowThePresentAnswers(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	all, err := goldens(root)
	require.NoError(t, err)
	tests, err := fs.ReadFile(root, "cmd/tenon/e2e_answers_test.go")
	require.NoError(t, err)
	readme, err := fs.ReadFile(root, "README.md")
	require.NoError(t, err)
	want := sumsHead
	for _, p := range readmePictures {
		sum, err := p.sum(all)
		require.NoError(t, err)
		call := fmt.Sprintf("s.golden(%q, s.answerTo(s.pull, %q))", path.Base(p.golden), p.request)
		require.Contains(t, string(tests), call, "the answer is that of the request")
		for _, scheme := range schemes {
			name := p.name + "." + scheme + ".png"
			file, err := fs.ReadFile(root, path.Join(readmeFolder, name))
			require.NoError(t, err)
			require.Less(t, len(file), 100_000, "who reads the README loads it")
			require.Contains(t, string(readme), path.Join(readmeFolder, name))
			want += fmt.Sprintf("%s %x %s\n", name, sha256.Sum256(file), sum)
		}
	}
	sums, err := fs.ReadFile(root, path.Join(readmeFolder, sumsFile))
	require.NoError(t, err)
	require.Equal(t, want, string(sums), "make readme-pictures")
}

// Who adds an answer measures it: .ci/pictures -update.
func TestTheFileOfHeightsHasAllAnswers(t *testing.T) {
	t.Parallel()
	all, err := goldens(os.DirFS("../.."))
	require.NoError(t, err)
	text, err := os.ReadFile(path.Base(heightsFile))
	require.NoError(t, err)
	heights, err := parseHeights(string(text))
	require.NoError(t, err)
	require.Len(t, heights, len(all))
	for _, g := range all {
		require.Contains(t, heights, g.name)
	}
}

func TestTheFileOfHeightsIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	rows := []row{
		{name: "answers/fix", heights: [2]int{268, 402}, bounds: [2]int{280, 0}},
		{name: "answers/help", heights: [2]int{900, 1600}, bounds: [2]int{0, 1700}},
	}
	var b strings.Builder
	require.NoError(t, printHeights(&b, rows))
	read, err := parseHeights(b.String())
	require.NoError(t, err)
	require.Equal(t, map[string]row{rows[0].name: rows[0], rows[1].name: rows[1]}, read)

	_, err = parseHeights("answers/fix 268 - 402")
	require.EqualError(t, err, heightsFile+":1: a line has five columns")
	_, err = parseHeights("\nanswers/fix 268 x 402 -")
	require.EqualError(t, err, heightsFile+":2: column 3 is neither a number nor -")
}

func TestWhatIsHigherThanItsBoundOrThanTheFileSaysIsAFault(t *testing.T) {
	t.Parallel()
	kept := map[string]row{
		"bounded":   {name: "bounded", heights: [2]int{275, 400}, bounds: [2]int{280, 0}},
		"forgotten": {name: "forgotten", heights: [2]int{100, 100}},
		"needed":    {name: "needed", heights: [2]int{100, 100}, bounds: [2]int{0, 1700}},
		"same":      {name: "same", heights: [2]int{100, 100}},
		"shrunk":    {name: "shrunk", heights: [2]int{100, 100}},
	}
	rows := []row{
		{name: "bounded", heights: [2]int{281, 425}},
		{name: "new", heights: [2]int{1, 1}},
		{name: "same", heights: [2]int{110, 90}},
		{name: "shrunk", heights: [2]int{100, 75}},
	}
	require.Equal(t, []string{
		"bounded on a desktop: 281 pixels, and its bound is 280",
		"bounded on a phone: 425 pixels, and the file says 400",
		"new is not in the file",
		"shrunk on a phone: 75 pixels, and the file says 100",
		"forgotten is in the file, and there is no such answer",
		"needed is in the file, and there is no such answer",
	}, faultsOf(rows, maps.Clone(kept), false))
	require.Equal(t, []string{
		"bounded on a desktop: 281 pixels, and its bound is 280",
		"needed is in the file, and there is no such answer",
	}, faultsOf(rows, maps.Clone(kept), true), "a bound is not lost by writing the file again")
}

func TestTheMedianIsInTheMiddle(t *testing.T) {
	t.Parallel()
	require.Equal(t, 2, median([]int{3, 1, 2}))
	require.Equal(t, 3, median([]int{9, 1, 2, 4}))
}

// .ci/pictures sets the variable; elsewhere there may be no browser.
func TestABrowserMeasuresAnswers(t *testing.T) {
	t.Parallel()
	css := os.Getenv("TENON_TEST_STYLESHEET")
	if css == "" {
		t.Skip("TENON_TEST_STYLESHEET names no stylesheet")
	}
	b, closeBrowser, err := openBrowser(t.Context(), css)
	require.NoError(t, err)
	t.Cleanup(closeBrowser)
	wide := "| " + strings.Repeat("word", 20) + " |\n|---|\n| x |\n"
	answers := []golden{
		{name: "line", text: "x"},
		{name: "fold", text: "<details><summary>x</summary>\n\n" + strings.Repeat("x\n\n", 20) + "</details>\n"},
		{name: "table", text: "<details><summary>x</summary>\n\n" + wide + "\n</details>\n"},
		{name: "diff", text: "```diff\n-a\n+b\n+c\n```"},
		{name: "code", text: "```go\n" + strings.Repeat("word ", 80) + "\n```\n"},
		{name: "long", text: "`" + strings.Repeat("word", 80) + "`"},
	}
	all, err := b.measure(devices[1], answers)
	require.NoError(t, err)
	require.Equal(t, all[0].Height, all[1].Height, "a closed fold is as high as its title")
	require.Greater(t, all[3].Height, all[4].Height, "three lines of a diff are higher than one of code")
	for _, m := range all {
		if m.Name != "table" {
			require.Empty(t, m.Wide, m.Name)
			continue
		}
		require.Len(t, m.Wide, 1, "a table in a fold that has to be scrolled sideways")
		require.Contains(t, m.Wide[0], "table is ")
	}

	o := options{css: css, out: t.TempDir()}
	require.NoError(t, o.takePictures(t.Context(), io.Discard, answers[:1]))
	files, err := filepath.Glob(filepath.Join(o.out, "line.*.*.png"))
	require.NoError(t, err)
	require.Len(t, files, 4)
}
