package secret

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
	"github.com/tenon-bot/tenon/engine"
)

// keyFile is a file with a key of 27 lines in it.
func keyFile() (lines, key []string) {
	key = secrettest.Maker(5).Key("RSA PRIVATE KEY", 27)
	return append(append([]string{"alpha = 1", "beta = 2"}, key...), "gamma = 3", "delta = 4"), key[1:28]
}

func requireNone(t *testing.T, text string, values []string, story ...any) {
	t.Helper()
	for n, v := range values {
		if strings.Contains(text, v) {
			t.Fatalf("line %d of the key is shown: %v\n%s", n+1, fmt.Sprint(story...), text)
		}
	}
}

// Whatever part of a file is quoted, in any of its spellings, no line of the key in it is.
func TestAKeyIsNotQuotedAtAnyOffset(t *testing.T) {
	t.Parallel()
	lines, key := keyFile()
	var q Quotes
	q.Know(Mask(strings.Join(lines, "\n") + "\n"))
	quoted := 0
	for from := range lines {
		for to := from + 1; to <= len(lines); to++ {
			quoted++
			part := lines[from:to]
			masked := q.Lines(part)
			require.Len(t, masked, len(part))
			requireNone(t, strings.Join(masked, "\n"), key, from, to)
		}
	}
	for _, format := range []string{"\t%s", "  %s", "+%s", "> %s", " * %s", "\"%s\\n\" +", "%s\r"} {
		for n, line := range lines {
			requireNone(t, q.Lines([]string{fmt.Sprintf(format, line)})[0], key, format, n)
		}
	}
	for _, line := range key[:26] {
		for from := range len(line) - 8 {
			require.NotContains(t, q.Text("expected }, found "+line[from:]), line[from:from+8])
		}
	}
	require.Equal(t, []string{"alpha = 1", "", "delta = 4"}, q.Lines([]string{"alpha = 1", "", "delta = 4"}))
	t.Logf("%d parts of a file are quoted without its key", quoted)
}

// GitHub cuts the diff above a comment, and git puts a line of the file behind the place of a hunk.
func TestAHunkThatBeginsWithinAKeyShowsNoneOfIt(t *testing.T) {
	t.Parallel()
	lines, key := keyFile()
	file := []byte(strings.Join(lines, "\n") + "\n")
	for name, now := range map[string][]byte{
		"the file is as it was": file, "the file has other lines": []byte("alpha = 1\nbeta = 2\n"), "the file is gone": nil,
	} {
		for _, mark := range []string{" ", "+", "-"} {
			for from := range lines {
				for _, to := range []int{min(len(lines), from+3), len(lines)} {
					head := "@@ -1,30 +1,30 @@ " + lines[max(0, from-1)] + "\n"
					hunk := head + mark + strings.Join(lines[from:to], "\n"+mark)
					got := NewFiles().Hunk(hunk, now, now != nil)
					requireNone(t, got, key, name, mark, from, to)
					require.Equal(t, strings.Count(hunk, "\n"), strings.Count(got, "\n"))
				}
			}
		}
	}
	const plain = "@@ -1,2 +1,3 @@ func main() {\n \tx := 1\n+\ty := 2\n-\tz := 3"
	require.Equal(t, plain, NewFiles().Hunk(plain, []byte("func main() {\n\tx := 1\n\ty := 2\n}\n"), true))
	require.Equal(t, plain, NewFiles().Hunk(plain, nil, false))
}

// A short value is known by its line.
func TestAShortSecretIsNotQuoted(t *testing.T) {
	t.Parallel()
	var q Quotes
	q.Know(Mask("kind: Secret\nstringData:\n  pin: \"1234\"\n  port: x\n"))
	require.Equal(t, []string{"+  pin: [redacted: Kubernetes secret]"}[0][1:], q.Lines([]string{"  pin: \"1234\""})[0])
}

func TestNothingIsQuotedOfWhatCouldNotBeMasked(t *testing.T) {
	t.Parallel()
	var q Quotes
	q.Hide()
	require.Equal(t, []string{unquoted, "", unquoted}, q.Lines([]string{"a", "", "b"}))
	q = Quotes{}
	q.Know(MaskAll("USER=app\nDB_PASSWORD=x\n"))
	require.Equal(t, "[redacted]", q.Lines([]string{"DB_PASSWORD=x"})[0])
	results := []engine.Result{{
		Block: engine.Block{Find: []string{"DB_PASSWORD=x"}}, Detail: "It is not DB_PASSWORD=x", OldPreview: "DB_PASSWORD=x",
		Edit:       &engine.Edit{Removed: []string{"DB_PASSWORD=x"}, Added: []string{"DB_PASSWORD=y"}},
		Difference: &engine.Difference{Have: "DB_PASSWORD=x"},
	}}
	q.Results(results)
	require.NotContains(t, results[0].Detail+results[0].Difference.Have+results[0].OldPreview, "DB_PASSWORD=x")
	require.Equal(t, []string{"[redacted]"}, results[0].Quoted.Removed)
	require.Equal(t, []string{"[redacted]"}, results[0].Block.Find)
}

// Each version of a file is masked once in a run, and only so much is.
func TestFilesAreMaskedOnceAndWithinABound(t *testing.T) {
	t.Parallel()
	f := NewFiles()
	f.room = 1 << 20
	big := strings.Repeat("x = 1\n", 1<<18/6)
	for range 12 {
		m, _, ok := f.Mask([]byte(big))
		require.True(t, ok, "it was masked before")
		require.Equal(t, big, m.Text())
	}
	n := 0
	for ; ; n++ {
		if _, _, ok := f.Mask([]byte(fmt.Sprint(n, big))); !ok {
			break
		}
	}
	require.LessOrEqual(t, n, 4)
	_, _, ok := f.Mask([]byte(big))
	require.True(t, ok)
}
