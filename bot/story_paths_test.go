package bot_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/engine"
)

// Bars end cells of tables and backticks end code, but both may be in the name of a file.
var unlikelyPaths = []string{"docs/a|b.txt", "we`ird.txt", "docs/`a`|b.txt"}

func unlikelyEdit(t *testing.T, format engine.Format, path string) string {
	t.Helper()
	text, err := engine.Print([]engine.Block{{
		Format: format, Path: path, Find: []string{"one", "two"}, Replace: []string{"one", "2"},
		Anchor: []string{"one"}, Old: []string{"two"}, New: []string{"2"},
	}})
	require.NoError(t, err)
	return text
}

func TestFilesWithBarsAndBackticksInTheirNamesAreEditedInEveryFormat(t *testing.T) {
	t.Parallel()
	for _, path := range unlikelyPaths {
		for _, format := range engine.Formats() {
			reply := unlikelyEdit(t, format.ParsesAs, path)
			s := newStory(t, reply)
			s.push(map[string]string{path: "one\ntwo\n"})
			fix := s.say("/tenon fix " + markdown.Code(path))
			require.Equal(t, "rocket", fix.verdict, "%s: %s", format.Name, fix.answer)
			require.Equal(t, "one\n2\n", s.File("speed", path))
			require.Contains(t, fix.answer, fmt.Sprintf(" in [%s](", markdown.Code(path+":2")))
			undo := s.say("/tenon undo")
			require.Equal(t, "rocket", undo.verdict, undo.answer)
			require.Equal(t, "one\ntwo\n", s.File("speed", path))
			require.Contains(t, undo.answer, fmt.Sprintf(" in [%s](", markdown.Code(path+":2")))
			pasted := s.say("/tenon apply\n\n" + reply)
			require.Equal(t, "rocket", pasted.verdict, pasted.answer)
			require.Equal(t, "one\n2\n", s.File("speed", path))
		}
	}
}

func TestFilesWithBarsAndBackticksInTheirNamesArePreviewedAndRetried(t *testing.T) {
	t.Parallel()
	for _, path := range unlikelyPaths {
		edit := unlikelyEdit(t, engine.FormatSection, path)
		quoted := "`` " + path + " ``"
		wrong := bare(quoted, "three", "3")
		s := newStory(t, edit, wrong, wrong, wrong, bare(quoted, "one", "1"))
		s.push(map[string]string{path: "one\ntwo\n"})
		c := s.preview("/tenon preview " + markdown.Code(path))
		require.Contains(t, box(c, 1), "**1** "+markdown.Code(path+":2")+" · +1 −1")
		s.tick("maria", c, 1)
		require.Equal(t, "one\n2\n", s.File("speed", path))

		failed := s.say("/tenon fix " + markdown.Code(path))
		require.Equal(t, "confused", failed.verdict)
		require.Contains(t, failed.answer, "\n"+markdown.Code(path)+": ")
		retried := s.say("/tenon retry")
		require.Equal(t, "rocket", retried.verdict, retried.answer)
		require.Equal(t, "1\n2\n", s.File("speed", path))
	}
}
