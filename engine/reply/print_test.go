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

func TestBlocksOfOtherFormsReadBack(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		b    block.Block
		want block.Format
	}{
		"a hunk": {block.Block{Format: block.FormatUnified, At: 3, Find: []string{"a", "", "b", "c"},
			Replace: []string{"a", "", "B", "c"}}, block.FormatUnified},
		"a hunk with a scope": {block.Block{Format: block.FormatUnified, Scope: []string{"class A:", "def b():"},
			Find: []string{"b"}, Replace: []string{"B"}}, block.FormatUnified},
		"a hunk with a fence": {block.Block{Format: block.FormatUnified, Find: []string{"a", "```"},
			Replace: []string{"b", "````"}}, block.FormatUnified},
		"the end of the file without a line ending": {block.Block{Format: block.FormatUnified, Ending: block.Unended,
			Find: []string{"a"}, Replace: []string{"b"}}, block.FormatUnified},
		"the end of the file with a line ending": {block.Block{Format: block.FormatUnified, Ending: block.Ended,
			Find: []string{"a"}, Replace: []string{"a"}}, block.FormatUnified},
		"a change of a patch": {block.Block{Format: block.FormatPatch, Scope: []string{"class A:"},
			Find: []string{"a", "b"}, Replace: []string{"a", "c"}}, block.FormatPatch},
		"a new file of a patch":    {block.Block{Format: block.FormatPatch, Create: true, Replace: []string{"a", ""}}, ""},
		"a removed file":           {block.Block{Format: block.FormatPatch, Remove: true}, block.FormatPatch},
		"a removed file's lines":   {block.Block{Format: block.FormatPatch, Remove: true, Find: []string{"a"}}, ""},
		"a renamed file":           {block.Block{Format: block.FormatPatch, MoveTo: "b.txt"}, block.FormatPatch},
		"a renamed file of a diff": {block.Block{Format: block.FormatUnified, MoveTo: "b.txt"}, block.FormatUnified},
		"a whole file": {block.Block{Format: block.FormatWhole, Whole: true, Replace: []string{"a", "```", ""}},
			block.FormatWhole},
		"a complete file": {block.Block{Format: block.FormatWhole, Whole: true, Complete: true, Replace: []string{"a"}},
			block.FormatWhole},
		"a written file": {block.Block{Format: block.FormatXML, Whole: true, Replace: []string{"a"}}, block.FormatWhole},
		"an empty file":  {block.Block{Format: block.FormatXML, Whole: true}, block.FormatJSON},
		"a text": {block.Block{Format: block.FormatXML, Within: true, All: true, Find: []string{"a", ""},
			Replace: []string{"<b>"}}, block.FormatJSON},
	} {
		c.b.Path = "src/a.txt"
		printed, err := Print([]block.Block{c.b, c.b})
		require.NoError(t, err, story)
		again := Parse(printed, Options{}).Blocks
		require.Len(t, again, 2, story)
		for _, b := range again {
			if c.want != "" {
				require.Equal(t, c.want, b.Format, story)
			}
			require.Equal(t, c.b.At, b.At, story)
			require.Equal(t, joined(c.b.Scope), joined(b.Scope), story)
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
