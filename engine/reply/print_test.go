package reply

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

func TestWhatIsPrintedReadsBack(t *testing.T) {
	t.Parallel()
	formats := []block.Format{
		block.FormatV3, block.FormatAnchored, block.FormatDiff, block.FormatDiffFenced, block.FormatSection,
	}
	for story, b := range map[string]block.Block{
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
			printed, err := Print([]block.Block{b, b})
			require.NoError(t, err, "%s as %s", story, format)
			for _, again := range Parse(printed, Options{}).Blocks {
				require.Equal(t, b.Path, again.Path, printed)
				require.Equal(t, joined(b.Find), joined(again.Find), printed)
				require.Equal(t, joined(b.Replace), joined(again.Replace), printed)
			}
		}
	}
}

func TestWhatCannotBePrintedIsAnError(t *testing.T) {
	t.Parallel()
	for story, b := range map[string]block.Block{
		"a path with a line feed": {Path: "a\nb.txt", Find: []string{"a"}},
		"no path":                 {Find: []string{"a"}},
		"a line feed in a line":   {Path: "a.txt", Find: []string{"a\nb"}},
	} {
		b.Format = block.FormatDiff
		_, err := Print([]block.Block{b})
		require.ErrorIs(t, err, ErrUnprintable, story)
	}
}
