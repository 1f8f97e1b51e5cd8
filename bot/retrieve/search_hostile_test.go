package retrieve

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/secret"
)

// A model could ask for one beginning of a key after the other: neither the words nor the numbers say which is right.
func TestATextThatIsOnlyInASecretIsNowhere(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	st := story{files: map[string]string{"key.go": "package a\n\nvar id = \"" + key + "\"\n"}}
	for i := range 8 { // somebody planted the guesses, so that there are lines to show
		st.files[fmt.Sprintf("planted%d.go", i)] = strings.Repeat("// AKIAQ3EG AKIAZZZZ\n", 8)
	}
	right, _ := st.answers(t, "FIND: AKIAQ3EG\nFIND: "+key[:12], Seen{})
	wrong, _ := st.answers(t, "FIND: AKIAZZZZ\nFIND: AKIAQ3EGRIPZ", Seen{})
	for i := range right.Given {
		right.Given[i].Ask, wrong.Given[i].Ask = "", ""
	}
	require.Equal(t, wrong.Given, right.Given)
	require.Equal(t, maxHits, right.Given[0].Hits)
	require.Equal(t, 64, right.Given[0].All)
}

// To look for definitions in all of these lines, or for secrets once for each text, took from ten seconds to a minute.
func TestTextsAreFoundInHostileSources(t *testing.T) {
	t.Parallel()
	nested := strings.Repeat("var x = "+strings.Repeat("f(", 960)+" Handle\n", 20)
	large := strings.Repeat("parts = 1\n", 100_000)
	for name, text := range map[string]string{"nested.go": nested, "large.py": large} {
		c := corpus{read: func(string) ([]byte, bool) { return []byte(text), true },
			redacted: newRedactedTexts(secret.NewFiles())}
		for i := range min(maxSources, maxSearchBytes/len(text)) {
			c.files = append(c.files, fmt.Sprintf("%d%s", i, name))
		}
		for _, find := range []string{"Handle", "part", "=", "s = 1", "1"} {
			hits, _ := c.quote(t.Context(), find, c.search(t.Context(), find))
			require.LessOrEqual(t, len(hits), maxHits)
		}
		require.GreaterOrEqual(t, c.redacted.room, 0)
		require.LessOrEqual(t, len(c.redacted.texts), maxRedactedWork/len(text), "of all texts together")
	}
}
