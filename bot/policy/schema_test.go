package policy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/schema/schematest"
)

func TestTheSchemaAcceptsWhatIsAcceptedAndNothingElse(t *testing.T) {
	t.Parallel()
	validate := schematest.Compile(t, Schema())
	for _, text := range []string{"", "# nothing\n", "~\n", everySetting, "limits: {}\n", "autofix: off\n",
		"protected: []\n",
		"budget: {repository: {tokens: '1_000_000_000_000'}}\n", "models: [5]\n", "label: 2026\n"} {
		_, problems := Parse([]byte(text))
		require.Empty(t, problems, text)
		require.NoError(t, validate(text), text)
	}
	for _, text := range []string{"- a\n", "who\n", "who: [write]\n", "who:\n", "who: owner\n", "whom: write\n",
		"limits:\n",
		"limits: 3\n", "limits: {flies: 3}\n", "protected: db/**\n", "protected: [!x]\n", "protected: ['!x']\n",
		"protected: ['a\\b']\n", "protected: [~]\n", "protected: [[a]]\n", "protected: ['']\n",
		"protected: ['" + strings.Repeat("*", 9) + "']\n", "protected: [" + strings.Repeat("a,", 51) + "]\n",
		"limits: {code_tokens: 1_999}\n", "autofix: 6\n", "autofix: 0\n", "label: ' x'\n", "label: ''\n",
		"label: " + strings.Repeat("x", 51) + "\n", "base: refs/heads/x\n", "base: a..b\n", "base: a.lock\n", "base: ''\n",
		"verify: a/b.yml\n", "verify: x.txt\n", "verbs: [fix, fixx]\n", "format: v9\n", "apps: [a_b]\n",
		"instructions: " + strings.Repeat("x", 4001) + "\n", "who: write\nwho: admin\n"} {
		_, problems := Parse([]byte(text))
		require.NotEmpty(t, problems, text)
		require.Error(t, validate(text), text)
	}
}

// scraps are values and parts of values, right and wrong.
var scraps = []string{"true", "false", "write", "admin", "fix", "help", "main", "off", "1", "2", "5", "6", "0", "-1",
	"199",
	"200", "201", "2000", "24_000", "24_001", "168_000", "168001", "1_000_000_000_000", "x y", "''", "' '", "~", "[]",
	"{}",
	"[a, b]", "[1]", "[fix, status]", "[[a]]", "{a: b}", "'a: b'", "a/b.yml", "verify.yml", "verify.yaml", "preview",
	"commit", "none", "refuse", "warn", "hold", "push", "lf", "follow", "ignore", "diff", "diff-fenced", "'*.sql'",
	"['**/a/**', b]", "['!a']", "feature/x", "a..b", "x.lock", "@", "openai/gpt-5", "tenon-acme", "a_b", "|\n  text\n"}

// With random values, a file has no problem if and only if the schema accepts it.
func TestTheSchemaAgreesWithTheParserAboutRandomFiles(t *testing.T) {
	t.Parallel()
	validate := schematest.Compile(t, Schema())
	random := rand.New(rand.NewPCG(18, 3))
	accepted := 0
	for range 3000 {
		s := settings[random.IntN(len(settings))]
		var b strings.Builder
		parts := strings.Split(s.name, ".")
		for i, part := range parts {
			fmt.Fprintf(&b, "%s%s:", strings.Repeat(" ", i), part)
			if i < len(parts)-1 {
				b.WriteString("\n")
			}
		}
		fmt.Fprintf(&b, " %s\n", scraps[random.IntN(len(scraps))])
		_, problems := Parse([]byte(b.String()))
		err := validate(b.String())
		require.Equal(t, len(problems) == 0, err == nil, "%s: %v, %v", b.String(), problems, err)
		if err == nil {
			accepted++
		}
	}
	require.Greater(t, accepted, 300)
	require.Less(t, accepted, 2000)
}
