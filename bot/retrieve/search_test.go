package retrieve

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/secret"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

func TestATextIsFoundInTheSources(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{
		"use.go": "package a\n\nvar x = StartServer() // StartServer\nvar y = StartServer()\n",
		"def.go": "package a\n\n// StartServer starts.\nfunc StartServer() {}\n",
		"def_test.go": "package a\n\nfunc TestStartServer() { StartServer() }\n" +
			"var a = StartServer()\nvar b = StartServer()\n",
		"lower.go":  "package a\n\nvar z = startserver\r\n",
		"notes.txt": "StartServer\n",
	}}
	a, repos := st.answers(t, "FIND: StartServer", Seen{})
	require.Equal(t, []string{
		"def.go:3: // StartServer starts.", "def.go:4: func StartServer() {}",
		"use.go:3: var x = StartServer() // StartServer", "use.go:4: var y = StartServer()",
		"def_test.go:3: func TestStartServer() { StartServer() }", "def_test.go:4: var a = StartServer()",
		"def_test.go:5: var b = StartServer()",
		"lower.go:3: var z = startserver",
	}, a.Prompt.Finds[0].Lines, "definitions first, then uses, then tests, then what differs in case")
	require.Equal(t, 1, repos.loads)
	require.Empty(t, a.Selection.Shown, "a line is not a file that may be edited as if it had been seen")
	require.Equal(t, Given{Ask: "FIND: StartServer", Hits: 8, All: 8}, a.Given[0])

	a, _ = st.answers(t, "FIND: var X = startserver()\nFIND: nowhereAtAll\nFIND: x\nFIND: useful.go", Seen{})
	require.Len(t, a.Prompt.Finds[0].Lines, 1)
	require.Equal(t, "no source that can be searched has it", a.why("FIND: nowhereAtAll"))
	require.Contains(t, a.why("FIND: x"), "fewer than 2 characters")

	seen := Seen{Selection: Selection{Shown: map[string]string{"notes.txt": "1", "gone.txt": "1"}}}
	a, _ = st.answers(t, "FIND: StartServer", seen)
	require.Contains(t, a.Prompt.Finds[0].Lines, "notes.txt:1: StartServer", "what the model was shown is searched, too")
}

func TestATextThatNoLineHasIsLookedForByItsLongestName(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{"a.py": "def start_server(port):\n    pass\n"}}
	a, _ := st.answers(t, "FIND: def start_server(self, port, host)", Seen{})
	require.Equal(t, []prompts.Find{{Text: "start_server", Lines: []string{"a.py:1: def start_server(port):"}}},
		a.Prompt.Finds)
	require.Equal(t, "no source that can be searched has it", a.why("FIND: def start_server(self, port, host)"))
	require.Equal(t, Given{Ask: "FIND: def start_server(self, port, host)", Hits: 1, All: 1,
		Why: "no source that can be searched has it"}, a.Given[0])
	a, _ = st.answers(t, "FIND: nothing of this", Seen{})
	require.Empty(t, a.Prompt.Finds)
}

func TestTheLinesWithATextAreBounded(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{
		"a.go":   "package a\n" + strings.Repeat("  needle()  \n", 1000),
		"min.js": strings.Repeat("äx", 50_000) + " NEEDLE " + strings.Repeat("y", 100_000),
	}}
	for i := range 200 {
		st.files[fmt.Sprintf("f%d.go", i)] = "package a\n\nvar x = needle()\n"
	}
	a, _ := st.answers(t, "FIND: needle", Seen{})
	find := a.Prompt.Finds[0]
	require.Len(t, find.Lines, maxHits)
	require.Equal(t, 1000+200+1-maxHits, find.More)
	require.Equal(t, "a.go:2: needle()", find.Lines[0])
	require.Contains(t, strings.Join(find.Lines, "\n"), "f0.go:3:", "one file does not take all places")

	only := story{files: map[string]string{"a.go": st.files["a.go"], "min.js": st.files["min.js"]}}
	a, _ = only.answers(t, "FIND: needle", Seen{})
	find = a.Prompt.Finds[0]
	require.Len(t, find.Lines, maxHits, "unless no other wants them")
	require.Contains(t, find.Lines[maxHits-1], "NEEDLE")
	for _, line := range find.Lines {
		require.LessOrEqual(t, len(line), maxHitBytes+len("min.js:1: ……"))
	}
}

func TestNoMoreIsSearchedThanABound(t *testing.T) {
	t.Parallel()
	var read int
	big := []byte(strings.Repeat("x", maxShownFile-7) + "\nneedle")
	c := corpus{read: func(string) ([]byte, bool) { read += len(big); return big, true },
		redacted: newRedactedTexts(secret.NewFiles())}
	for i := range 100 {
		c.files = append(c.files, fmt.Sprint(i))
	}
	require.Less(t, len(c.search(t.Context(), "needle")), 100)
	require.LessOrEqual(t, read, maxSearchBytes+len(big))
	var found []match
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		found = append(found, match{path: name, lines: 1})
	}
	hits, all := c.quote(t.Context(), "needle", found)
	require.Len(t, hits, 4, "secrets are looked for in a bounded number of bytes")
	require.Equal(t, 4, all, "and of the others nothing is told")
}

func TestNoMoreSourcesAreLoadedThanABound(t *testing.T) {
	t.Parallel()
	st := story{body: "The turbine stops.", files: map[string]string{"src/turbine.go": "package src // needle\n"}}
	for i := range maxSources + 100 {
		st.files[fmt.Sprintf("a/f%d.go", i)] = "package a\n"
	}
	repos := st.repository()
	checkout := st.open(t, repos)
	a, err := Answer(t.Context(), checkout, st.query(repos), ParseAsks("FIND: needle"), RoundBytes)
	require.NoError(t, err)
	require.Len(t, a.Prompt.Finds, 1, "those whose paths fit best are searched")
	require.LessOrEqual(t, len(checkout.(*memCheckout).loaded), maxSources)
}

// tooLargeCheckout has sources that are too large together to be fetched.
type tooLargeCheckout struct{ *memCheckout }

func (tooLargeCheckout) LoadSome(context.Context, int64, ...string) error {
	return &port.UserError{Text: "They are too large."}
}

func TestSourcesThatAreTooLargeAreNotSearched(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{"a.go": "package a\n", "b.go": "package b\n"}}
	repos := st.repository()
	checkout := tooLargeCheckout{st.open(t, repos).(*memCheckout)}
	a, err := Answer(t.Context(), checkout, st.query(repos), ParseAsks("FIND: package\nNEED: b.go"), RoundBytes)
	require.NoError(t, err)
	require.Equal(t, []string{"b.go:1-1"}, a.shown(), "what is named is shown anyway")
	require.Equal(t, []prompts.Find{{Text: "package", Lines: []string{"b.go:1: package b"}}}, a.Prompt.Finds,
		"and is searched, as the only file that is there")
}

func FuzzSearch(f *testing.F) {
	f.Add("needle", "a Needle\r\nneedle\nNEEDLE")
	f.Add("\xff", "\xff\n\xff\xff")
	f.Add("ß", "SSß")
	f.Fuzz(func(t *testing.T, text, data string) {
		if len(text) < minFindBytes {
			return
		}
		c := corpus{
			files: []string{"a.go"}, redacted: newRedactedTexts(secret.NewFiles()),
			read: func(string) ([]byte, bool) { return []byte(data), true },
		}
		found := c.search(t.Context(), text)
		hits, all := c.quote(t.Context(), text, found)
		require.LessOrEqual(t, len(hits), min(all, maxHits))
		lines := strings.Split(data, "\n")
		for _, h := range hits {
			require.LessOrEqual(t, h.line, len(lines))
			require.LessOrEqual(t, len(h.text), maxHitBytes+len("……"))
		}
	})
}
