package reply

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

func searchBlock(pathLine, find, repl string) string {
	return pathLine + "\n<<<<<<< SEARCH\n" + find + "\n=======\n" + repl + "\n>>>>>>> REPLACE\n\n"
}

func TestAnUnreadableHeaderRefersToNoOtherFile(t *testing.T) {
	t.Parallel()
	for _, header := range []string{
		"### File: " + strings.Repeat("x/", 600) + "y.md", "### File: what is this?", "### File: <unknown>",
	} {
		reply := Parse(searchBlock("a.md", "two", "2")+searchBlock(header, "one", "1"), Options{})
		require.Len(t, reply.Blocks, 1, header)
		require.Equal(t, block.ProblemNoPath, reply.Problems[0].Kind, header)
	}
}

func TestWhatAPathLineMeans(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"":                             "",
		"a\x01b.go":                    "",
		"a.go (generated)":             "",
		"a.go (new file)":              "a.go",
		"a.go (lines 10–20)":           "a.go",
		"a.go#section":                 "a.go#section",
		"a.go#L10-L20":                 "a.go",
		"a.go:12-20":                   "a.go",
		"docs/my file.tar.gz":          "docs/my file.tar.gz",
		"docs/my file.t-x":             "docs/my file.t-x",
		"12) src/a.go":                 "src/a.go",
		"12. `src/a.go`:":              "src/a.go",
		"<!-- src/a.html -->":          "src/a.html",
		"**File path:** src/my a.go":   "src/my a.go",
		"“src/a.go”":                   "src/a.go",
		strings.Repeat("x", 1030):      "",
		"https://example.org/a.go":     "",
		"./././src/a.go":               "src/a.go",
		"### File: `src/a.go` (lines)": "src/a.go",
		"`a|b.go`":                     "a|b.go",
		"``we`ird.go``":                "we`ird.go",
		"`` `a`.go ``":                 "`a`.go",
		"`we`ird.go`":                  "we`ird.go",
		"### File: a|b.go":             "a|b.go",
		"**File:** `a | b.go`":         "a | b.go",
		"`a.go` | `b.go`":              "",
		"`a.go`/`b.go`":                "",
		"| a.go | b.go |":              "",
		"|a.go|":                       "",
		"File: a.go | line 3":          "",
		"change `a.go`":                "",
	} {
		require.Equal(t, want, readPathLine(line, true).path, "%q", line)
	}
	for line, want := range map[string]confidence{
		"src/a.go": certain, "Makefile": certain, "word": possible, "word:": ifExists, "docs/my file.go": certain,
		"see docs/file.go": ifExists, "docs/my file.t-x": ifExists, "two words": notPath,
		"a|b c.go": ifExists, "a` b.go": ifExists, "File: a| b.go": ifExists, "a | b.go": notPath,
		"a|b.go": ifExists, "we`ird.go": ifExists, "`a|b.go`": certain, "yes|no": notPath,
	} {
		require.Equal(t, want, readPathLine(line, true).confidence, line)
	}
	require.Equal(t, ifExists, readPathLine("docs/my file.go", false).confidence, "text is above it")
}

func TestAPathInTheInfoStringOfAFence(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{
		"go src/a.go":                       "src/a.go",
		"go:src/a.go":                       "src/a.go",
		"go title=\"src/a.go\"":             "src/a.go",
		"go linenos=src/b.go file=src/a.go": "src/a.go",
		"go linenos=true":                   "",
		"go":                                "",
	} {
		require.Equal(t, want, readInfo(info).path, info)
	}
}
