package engine_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// FuzzApplyMoved checks edits of a file that is another than the model saw: only an applied block changes it, by what
// its result says, and a block that was merged finds its change there the next time.
func FuzzApplyMoved(f *testing.F) {
	f.Add("a\nb\nc\nd\n", "a\nb\nc\nx\n", "a\n", "1\n")
	f.Add("a\nb\nc\nd\n", "a\nx\nc\nd\n", "b\n", "1\n")
	f.Add("f {\n  a\n  b\n}\n", "g {\n  a\n}\nf {\n  a\n  b\n}\n", "a\nb", "a\nB")
	f.Add("\ufeffa\r\nb\r\nc", "a\r\nb\r\nc\r\n", "c", "c\nd")
	f.Add("a\n\n\nb\n", "a\n\nb\nc\n", "a\n\nb", "a\nb")
	f.Fuzz(func(t *testing.T, shown, now, find, repl string) {
		if len(shown)+len(now)+len(find)+len(repl) > 1<<13 {
			t.Skip("longer input shows nothing new")
		}
		tree := engine.MemTree{"f": []byte(now)}
		opts := engine.Options{
			Base:  func(string) ([]byte, bool) { return []byte(shown), true },
			Shown: func(string) engine.Shown { return engine.ShownChanged },
		}
		blocks := []engine.Block{fuzzBlock("f", find, repl)}
		out, err := engine.Apply(tree, blocks, opts)
		require.NoError(t, err)
		res, text := out.Results[0], string(tree["f"])
		require.Equal(t, res.Status == engine.Applied, len(out.Changed) > 0, res.Detail)
		requireEdit(t, now, text, res)
		if res.Status != engine.Applied {
			require.Equal(t, now, text)
			require.NotEmpty(t, res.Detail)
		}
		if c := res.Conflict; c != nil {
			require.Equal(t, engine.Conflict, res.Reason)
			lines := strings.Split(now, "\n")
			require.LessOrEqual(t, c.Theirs.Line-1+len(c.Theirs.Lines), len(lines))
		}
		if res.Level == engine.LevelMerged {
			again, err := engine.Apply(tree, blocks, opts)
			require.NoError(t, err)
			require.Empty(t, again.Changed, "made twice")
			require.Equal(t, text, string(tree["f"]))
		}
	})
}
