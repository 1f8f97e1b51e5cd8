package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// forms returns what a reply asks for, in the one form that all forms come to.
func forms(reply string) (out []string) {
	for _, a := range ParseAsks(reply) {
		out = append(out, strings.TrimPrefix(a.String(), "NEED: "))
	}
	return out
}

func TestAModelAsksInItsOwnWay(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string][]string{
		"NEED: a.go": {"a.go"},
		"I must see more.\n\nNEED: a.go\nNEED: b.go": {"a.go", "b.go"},
		"Need: a.go":       {"a.go"},
		"need: src/a.go":   {"src/a.go"},
		"**NEED:** a.go":   {"a.go"},
		"**NEED: a.go**":   {"a.go"},
		"**NEED**: `a.go`": {"a.go"},
		"`NEED: a.go`":     {"a.go"},
		"- NEED: a.go\n* NEED: b.go\n3. NEED: c.go": {"a.go", "b.go", "c.go"},
		"> NEED: a.go":            {"a.go"},
		"NEED src/a.go":           {"src/a.go"},
		"NEED: ./src/a.go.":       {"./src/a.go"},
		"NEED: src\\main\\a.go":   {"src/main/a.go"},
		"NEED: `docs/my file.md`": {"\"docs/my file.md\""},
		"NEED: Makefile":          {"Makefile"},
		"NEED: src/**/*.py":       {"src/**/*.py"},
		"NEED: **/*.py":           {"**/*.py"},
		"NEED: src/**":            {"src/**"},
		"**NEED: src/**/*.py**":   {"src/**/*.py"},
		"NEED: **a.go**":          {"a.go"},
		"NEED: src/":              {"src/"},
		"NEED: [a.go](src/a.go)":  {"src/a.go"},
		"NEED: https://github.com/acme/lathe/blob/main/src/a.go#L3-L9": {"src/a.go:3-9"},
		"```\nNEED: a.go\n```": {"a.go"},

		"NEED: a.go:120-240":           {"a.go:120-240"},
		"NEED: a.go:12":                {"a.go:12-12"},
		"NEED: a.go#L120-L240":         {"a.go:120-240"},
		"NEED: a.go:L120-L240":         {"a.go:120-240"},
		"NEED: a.go:120..240":          {"a.go:120-240"},
		"NEED: a.go:240-120":           {"a.go:120-240"},
		"NEED: a.go lines 120 to 240":  {"a.go:120-240"},
		"NEED: a.go lines 120-240":     {"a.go:120-240"},
		"NEED: a.go, line 12":          {"a.go:12-12"},
		"NEED: a.go (lines 120-240)":   {"a.go:120-240"},
		"NEED: lines 3 to 9 of a.go":   {"a.go:3-9"},
		"NEED: `a.go`:3-9":             {"a.go:3-9"},
		"NEED: `a.go` lines 3-9":       {"a.go:3-9"},
		"NEED: a.go L3-L9":             {"a.go:3-9"},
		"NEED: a.go:3-9,20-30":         {"a.go:3-9", "a.go:20-30"},
		"NEED: a.go lines 3-9, 20-30":  {"a.go:3-9", "a.go:20-30"},
		"NEED: a.go:3-9, b.go:1-2":     {"a.go:3-9", "b.go:1-2"},
		"NEED: a.go:3 b.go":            {"a.go:3-3", "b.go"},
		"NEED: a.go:0-4":               {"a.go:1-4"},
		"NEED: a.go:99999999999999-12": {"a.go"},

		"NEED: a.go Start":                     {"a.go Start"},
		"NEED: a.go: Start":                    {"a.go Start"},
		"NEED: a.go#Start":                     {"a.go Start"},
		"NEED: a.go:Start":                     {"a.go Start"},
		"NEED: a.py::Server::start":            {"a.py Server::start"},
		"NEED: a.py Server.start":              {"a.py Server.start"},
		"NEED: a.go function Start()":          {"a.go Start"},
		"NEED: Start in a.go":                  {"a.go Start"},
		"NEED: the function `Start` in `a.go`": {"a.go Start"},
		"NEED: a.go `Start`":                   {"a.go Start"},
		"NEED: start_server":                   {"start_server"},
		"NEED: Server.start":                   {"Server.start"},
		"NEED: a.go to see how it starts":      {"a.go"},
		"NEED: a.go to see how startAll works": {"a.go startAll"},
		"NEED: a.go - it starts the server":    {"a.go"},
		"NEED: a.go — it starts the server":    {"a.go"},
		"NEED: a.go (it starts the server)":    {"a.go"},
		"NEED: a.go # the start":               {"a.go"},

		"NEED: a.go, b.go; c.go and d.go": {"a.go", "b.go", "c.go", "d.go"},
		"NEED: a.go b.go":                 {"a.go", "b.go"},
		"NEED: `a.go`, `b.go`":            {"a.go", "b.go"},
		"NEED: a.go NEED: b.go":           {"a.go", "b.go"},
		"NEED: a.go, FIND: Start":         {"a.go", "FIND: Start"},
		"NEED: Makefile Dockerfile":       {"Makefile", "Dockerfile"},
		"NEED: a.go\nNEED: `a.go`\n":      {"a.go"},

		"NEED: a.py (class Server)":           {"a.py Server"},
		"NEED: a.py (the `start` method)":     {"a.py start"},
		"NEED: a.py (function start())":       {"a.py start"},
		"NEED: a.py (the server starts here)": {"a.py"},
		"NEED: the full contents of a.py":     {"a.py"},
		"NEED: a.py: lines 3-9":               {"a.py:3-9"},
		"NEED: a.py:3-9 and 20-30":            {"a.py:3-9", "a.py:20-30"},
		"NEED: a.py, please":                  {"a.py"},
		"FIND: parse_config(":                 {"FIND: parse_config("},
		"find: `parse_config`":                {"FIND: parse_config"},
		"- **FIND:** \"two words\"":           {"FIND: two words"},
		"FIND: two words":                     {"FIND: two words"},
		"FIND: `a`, `b` and \"c\"":            {"FIND: a", "FIND: b", "FIND: c"},
		"FIND: \"NEED: a.go\"":                {"FIND: NEED: a.go"},
		"FIND \"x y\"":                        {"FIND: x y"},
		"FIND: it's":                          {"FIND: it's"},
	} {
		require.Equal(t, want, forms(reply), reply)
	}
}

func TestWhatIsNoAsk(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The server waits for the port. ", 40)
	for _, reply := range []string{
		"", "NEED:", "NEED: ``", "NEED:   \n", "There is no NEED: a.go", "FIND:", "FIND: ``", "NEED: .",
		"NEED: none", "NEED: N/A", "**NEED:** nothing.",
		"You need: a.go would", "NEED to see a.go", "FIND the place",
		"NEED: a\u202eb.go\nNEED: \x1b[8m",
		"FIND: a\u202eb",
		"FIND: " + strings.Repeat("x", maxFindBytes+1),
		"NEED: " + strings.Repeat("x", maxAskedBytes+1) + ".go",
		"a.go\n<<<<<<< SEARCH\nNEED: b.go\n=======\nFIND: c\n>>>>>>> REPLACE\n",
		long + "\n- **Need:** `a.go` must wait.\n- Find: the port.\n",
	} {
		require.Empty(t, ParseAsks(reply), reply)
	}
	require.Len(t, ParseAsks(long+"\nNEED: a.go\nneed: b.go"), 2, "one in capitals says how the others are meant")
}

// Sentences begin with "Need:" too.
func TestAKeywordInLowerCaseNeedsAPathLinesOrAQuotation(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"Yes: restart it.\n\nNeed: a restart, because the port is taken.", "Need: a restart, because src/a.go waits",
		"Need: more time", "need: restart", "Find: the port", "- find: somebody who knows lines 3 to 9", "Need: the",
		"Need: a restart NEED: a.go",
	} {
		require.Empty(t, ParseAsks(reply), reply)
	}
	for reply, want := range map[string][]string{
		"need: the file a.go":     {"a.go"},
		"Need: lines 3-9 of a.go": {"a.go:3-9"},
		"Need: `restart`":         {"restart"},
		"Need: start_server":      {"start_server"},
		"Need: [a.go](src/a.go)":  {"src/a.go"},
		"find: \"the port\"":      {"FIND: the port"},
		"Find: start_server(":     {"FIND: start_server("},
	} {
		require.Equal(t, want, forms(reply), reply)
	}
}

func TestALongAnswerToAQuestionAsksForNothing(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The server waits for the port. ", 40)
	for _, reply := range []string{"```\nFIND: a maintainer\n```\n", "NEED: a.go\n", "Need: `a.go`\n"} {
		require.NotEmpty(t, ParseAsksOfAnswer("I cannot see it.\n"+reply), reply)
		require.Empty(t, ParseAsksOfAnswer(long+"\n"+reply), reply)
		require.Empty(t, ParseAsksOfAnswer(reply+long), reply)
	}
	require.NotEmpty(t, ParseAsks(long+"\nNEED: a.go"), "before edits, a model may think at length")
}

// What a model is told to ask for next, it can copy.
func TestAnAskIsReadAgainAsItIsWritten(t *testing.T) {
	t.Parallel()
	for _, a := range []Ask{
		{Path: "a.go"}, {Path: "a.go", Lines: Span{3, 9}}, {Path: "a.go", Name: "Server.start"}, {Path: "start_server"},
		{Path: "docs/my file.md"}, {Path: "docs/my file.md", Lines: Span{3, 9}}, {Path: "docs/my file.md", Name: "Start"},
		{Path: "a,b.go", Lines: Span{3, 9}}, {Path: "copy (1).go"}, {Path: "this and that.go"}, {Path: "a - b.go"},
		{Path: "app/(shop)/[id].tsx", Lines: Span{1, 2}}, {Path: "src/**/*.go"}, {Path: "src/"},
		{Find: "two words"}, {Find: "it's"}, {Find: "`x`"}, {Find: "'a' or b"}, {Find: `"a", 'b'`}, {Find: "**x"},
		{Find: "x NEED: a.go"}, {Find: "f(a, b);"},
	} {
		require.Equal(t, []Ask{a}, ParseAsks(a.String()), a.String())
	}
}

func TestALineThatAsksIsKnownAsTheParserKnowsIt(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"NEED: a.go", "FIND: x\r\n", "- **NEED:** `a.go`", "2. NEED: a.go", "> FIND: x", "NEED src/a.go", "NEED: none",
	} {
		require.True(t, IsAsk(line), line)
	}
	for _, line := range []string{
		"", "Need: the port must be free.", "You NEED: a.go", "NEED to see a.go", "I FIND: nothing", "NO CHANGE: x",
	} {
		require.False(t, IsAsk(line), line)
	}
}

func TestAReplyIsReadUpToABound(t *testing.T) {
	t.Parallel()
	require.Len(t, ParseAsks(strings.Repeat("NEED: a.go\n", 1000)), 1)
	var b strings.Builder
	for i := range 1000 {
		b.WriteString("NEED: a.go:" + strings.Repeat("1", 1+i%4) + " b.go:" + strings.Repeat("2", 1+i%4) + "\n")
		b.WriteString("FIND: " + strings.Repeat("x", 1+i%maxFindBytes) + "\n")
	}
	require.Len(t, ParseAsks(b.String()), maxParsedAsks)
	require.Len(t, ParseAsks("NEED: "+strings.Repeat("a.go b.go:1 c.go#L2 ", 1_000_000)), 3)
	require.Len(t, ParseAsks(strings.Repeat("NEED:", 1_000_000)), 0)
}

func FuzzParseAsks(f *testing.F) {
	for _, seed := range []string{
		"NEED: a.go:120-240, `b c.go` lines 3 to 9\n- **Find:** \"x\", 'y'", "NEED: Name in src\\a.go NEED: b.go#L1-L2",
		"1. need: [a](b.go)\n> FIND: it's\n<<<<<<< SEARCH\nNEED: x\n>>>>>>> R", "NEED: “a.go”、b.go，c.go",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, reply string) {
		asks := ParseAsks(reply)
		require.LessOrEqual(t, len(asks), maxParsedAsks)
		seen := map[Ask]bool{}
		for _, a := range asks {
			require.False(t, seen[a], "each once")
			seen[a] = true
			require.NotEqual(t, a.Path == "", a.Find == "", "it is for a file or for a text")
			require.NotContains(t, a.String(), "\n")
			require.True(t, a.Lines == Span{} || a.Lines.From >= 1 && a.Lines.From <= a.Lines.To)
			require.LessOrEqual(t, len(a.Path), maxAskedBytes)
			require.LessOrEqual(t, len(a.Find), maxFindBytes)
		}
	})
}
