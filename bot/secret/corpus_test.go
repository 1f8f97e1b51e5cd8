package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
)

func TestEveryShapeOfASecretIsMasked(t *testing.T) {
	t.Parallel()
	shapes := secrettest.Maker(1).Shapes()
	require.GreaterOrEqual(t, len(shapes), 100)
	names := map[string]bool{}
	for _, s := range shapes {
		require.False(t, names[s.Name], s.Name)
		names[s.Name] = true
		m := Mask(s.Text)
		require.Equal(t, strings.Count(s.Text, "\n"), strings.Count(m.Text(), "\n"), s.Name)
		for _, v := range s.Values {
			require.Contains(t, s.Text, v, s.Name)
			if strings.Contains(m.Text(), v) {
				t.Errorf("%s: %s is shown:\n%s", s.Name, v, m.Text())
				break
			}
		}
		require.True(t, strings.HasPrefix(m.Text(), "# first line of the file\nalpha = 1\nbeta = 2\n"), s.Name)
		if !strings.HasSuffix(m.Text(), "\ngamma = 3\ndelta = 4\n") {
			t.Errorf("%s: what is below it is hidden too:\n%s", s.Name, m.Text())
		}
	}
	t.Logf("%d shapes of secrets are masked", len(shapes))
}
