package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestWhatIsPrintedReadsBack(t *testing.T) {
	t.Parallel()
	formats := []engine.Format{
		engine.FormatV3, engine.FormatAnchored, engine.FormatDiff, engine.FormatDiffFenced, engine.FormatSection,
	}
	for story, b := range map[string]engine.Block{
		"a path with words":               {Path: "docs/how to/install on a new machine", Find: []string{"a"}},
		"a path that begins with a fence": {Path: "~~~/a.txt", Find: []string{"a"}},
		"a path of one word":              {Path: "configure", Find: []string{"a"}},
		"lines with carriage returns":     {Path: "a.bat", Find: []string{"a\r", "\r"}, Replace: []string{"\r\r", "b\r"}},
		"markers of one format": {Path: "a.md", Find: []string{"<<<<<<< SEARCH", "======="},
			Replace: []string{">>>>>>> REPLACE", "``````"}},
		"markers of the others": {Path: "a.md", Find: []string{"««« EDIT", "───────", "───────"},
			Replace: []string{"»»»", "═══════ REPL", "═══════"}},
		"a new file": {Path: "a.txt", Replace: []string{"a"}, Create: true},
		"deletion":   {Path: "a.txt", Find: []string{"a", ""}},
	} {
		for _, format := range formats {
			b.Format, b.Old, b.New = format, b.Find, b.Replace
			printed, err := engine.Print([]engine.Block{b, b})
			require.NoError(t, err, "%s as %s", story, format)
			for _, again := range engine.Parse(printed, engine.ParseOptions{}).Blocks {
				require.Equal(t, b.Path, again.Path, printed)
				require.Equal(t, joined(b.Find), joined(again.Find), printed)
				require.Equal(t, joined(b.Replace), joined(again.Replace), printed)
			}
		}
	}
}

func TestWhatCannotBePrintedIsAnError(t *testing.T) {
	t.Parallel()
	for story, b := range map[string]engine.Block{
		"a path with a line feed": {Path: "a\nb.txt", Find: []string{"a"}},
		"no path":                 {Find: []string{"a"}},
		"a line feed in a line":   {Path: "a.txt", Find: []string{"a\nb"}},
	} {
		b.Format = engine.FormatDiff
		_, err := engine.Print([]engine.Block{b})
		require.ErrorIs(t, err, engine.ErrUnprintable, story)
	}
}
