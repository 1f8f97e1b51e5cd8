package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

// plainDistance is the same as text.Distance without a limit, by the whole matrix.
func plainDistance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			if i == 0 || j == 0 {
				d[i][j] = i + j
				continue
			}
			d[i][j] = min(d[i-1][j], d[i][j-1], d[i-1][j-1]) + 1
			if a[i-1] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-1][j-1])
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

func requireDistance(t *testing.T, a, b string, limit int) {
	t.Helper()
	want := min(plainDistance(a, b), limit+1)
	require.Equal(t, want, text.Distance(a, b, limit), "%q %q %d", a, b, limit)
	require.Equal(t, want, text.Distance(b, a, limit), "%q %q %d", b, a, limit)
}

func TestTheDistanceOfWordsIsHowManyTyposTheyHave(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"fix", "fix", 0}, {"fix", "", 3}, {"fix", "fixx", 1}, {"fix", "fx", 1}, {"fix", "fox", 1},
		{"fix", "fxi", 1}, {"preview", "perveiw", 2}, {"ca", "abc", 3}, {"abcdef", "badcfe", 3}, {"Fix", "fix", 1},
	} {
		require.Equal(t, c.want, text.Distance(c.a, c.b, 9), "%+v", c)
		require.Equal(t, c.want, text.Distance(c.b, c.a, c.want), "%+v", c)
		if c.want > 0 {
			require.Equal(t, c.want, text.Distance(c.a, c.b, c.want-1), "one more than the limit: %+v", c)
		}
	}
	require.Equal(t, 3, text.Distance(strings.Repeat("a", 1<<20), strings.Repeat("b", 1<<20), 2))
}

func TestTheDistanceIsThatOfTheWholeMatrix(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	word := func(kinds int) string { return strings.Join(randomLines(r, r.IntN(14), kinds), "") }
	for range 30_000 {
		kinds := 1 + r.IntN(4)
		requireDistance(t, word(kinds), word(kinds), r.IntN(8))
	}
}

func FuzzDistance(f *testing.F) {
	f.Add("preview", "perview", 2)
	f.Add("ca", "abc", 3)
	f.Add("", "x", 0)
	f.Fuzz(func(t *testing.T, a, b string, limit int) {
		if len(a)+len(b) > 400 || limit < 0 {
			t.Skip("longer input shows nothing new")
		}
		requireDistance(t, a, b, min(limit, 500))
	})
}
