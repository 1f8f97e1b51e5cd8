package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/caution"
	"github.com/tenon-bot/tenon/bot/record"
)

func TestCautionsAreOneLine(t *testing.T) {
	t.Parallel()
	require.Empty(t, cautionLine(nil))
	require.Equal(t, "⚠️ **caution:** runs in CI or on people's machines: `Makefile`, `package.json` (`postinstall`); "+
		"lowers a check: `a.py` (`noqa: F401`); new dependency: `left-pad` in `package.json`",
		cautionLine([]record.Caution{
			{Kind: caution.Runs, Path: "Makefile", Line: 3}, {Kind: caution.Runs, Path: "package.json", What: "postinstall"},
			{Kind: caution.LoweredCheck, Path: "a.py", What: "noqa: F401"},
			{Kind: caution.Dependency, Path: "package.json", What: "left-pad"},
		}))
}

func TestManyCautionsAreCounted(t *testing.T) {
	t.Parallel()
	all := []record.Caution{{Kind: caution.Host, Path: "a", What: "a.dev"}, {Kind: caution.Host, Path: "a", What: "b.dev"},
		{Kind: caution.Host, Path: "a", What: "c.dev"}, {Kind: caution.Host, Path: "a", What: "d.dev", More: 7}}
	require.Equal(t, "⚠️ **caution:** new host: `a.dev` in `a`, `b.dev` in `a`, `c.dev` in `a` and 8 more",
		cautionLine(all))
}

func TestEachKindOfCautionHasWords(t *testing.T) {
	t.Parallel()
	for _, k := range caution.Kinds() {
		require.Contains(t, cautionLine([]record.Caution{{Kind: k, Path: "a"}}), "**caution:** "+cautionWords[k]+": `a`")
	}
	require.Empty(t, cautionLine([]record.Caution{{Kind: "of a later program", Path: "a"}}))
}

// Paths and texts are anybody's: they stay on the line, in code, and within bounds.
func TestACautionPutsNoMarkupIntoAnAnswer(t *testing.T) {
	t.Parallel()
	evil := "`@acme/all`\n\n# <b>x</b> ![](https://x.dev) | a"
	for _, k := range caution.Kinds() {
		line := cautionLine([]record.Caution{{Kind: k, Path: evil, What: evil}})
		require.NotContains(t, line, "\n", k)
		if k != caution.Obeyed && k != caution.Obfuscated {
			require.Equal(t, 0, strings.Count(withoutCode(line), "@acme"), line)
		}
	}
	var all []record.Caution
	for _, k := range caution.Kinds() {
		for range 20 {
			all = append(all, record.Caution{Kind: k, Path: strings.Repeat("p`", 5000), What: strings.Repeat("w`", 5000)})
		}
	}
	require.Less(t, len(cautionLine(all)), 12_000)
}

// withoutCode removes spans of code that two backticks or more delimit.
func withoutCode(line string) string {
	parts := strings.Split(line, "``")
	var out []string
	for i := 0; i < len(parts); i += 2 {
		out = append(out, parts[i])
	}
	return strings.Join(out, "")
}
