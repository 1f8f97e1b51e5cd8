package reply

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/block"
)

var update = flag.Bool("update-parse", false, "write the results of testdata/parse and suggest; review the diff")

// TestGolden runs the cases of testdata/parse and testdata/suggest. A case is two files of an archive: NAME is the
// reply, and NAME.want the output of dump for it. Cases have the names of the tests and table rows in the definition of
// the format, if there are any.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, file := range goldenFiles(t) {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for i := 0; i < len(archive.Files); i += 2 {
			name, reply := archive.Files[i].Name, string(archive.Files[i].Data)
			t.Run(name, func(t *testing.T) {
				require.Less(t, i+1, len(archive.Files), "a case without its .want")
				require.Equal(t, name+".want", archive.Files[i+1].Name)
				got := dump(Parse(reply, Options{}))
				if *update {
					archive.Files[i+1].Data = []byte(got)
					return
				}
				require.Equal(t, string(archive.Files[i+1].Data), got)
			})
		}
		if *update {
			require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
		}
	}
}

func goldenFiles(t testing.TB) []string {
	var files []string
	for _, dir := range []string{"parse", "suggest"} {
		found, err := filepath.Glob(filepath.Join("testdata", dir, "*.txtar"))
		require.NoError(t, err)
		files = append(files, found...)
	}
	require.NotEmpty(t, files)
	return files
}

// goldenReplies are the replies of all golden cases, for the fuzz targets' seeds.
func goldenReplies(t testing.TB) []string {
	var replies []string
	for _, file := range goldenFiles(t) {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		for i := 0; i < len(archive.Files); i += 2 {
			replies = append(replies, string(archive.Files[i].Data))
		}
	}
	return replies
}

// dump writes a reply for a golden file: a line for each block with its lines below it ("|" anchor, "-" old, "+" new,
// "=" trailing anchor), then the problems and the suggestions.
func dump(r block.Reply) string {
	var out strings.Builder
	for _, b := range r.Blocks {
		fmt.Fprintf(&out, "block %d-%d %s %s", b.Line, b.EndLine, b.Format, b.Path)
		if len(b.Candidates) > 1 {
			fmt.Fprintf(&out, " of %q", b.Candidates)
		}
		for _, is := range []struct {
			set  bool
			what string
		}{
			{b.Create, "creates"}, {b.Whole, "whole"}, {b.Complete, "complete"}, {b.Labelled, "labelled"},
			{b.Remove, "removes"}, {b.MoveTo != "", "moves to " + b.MoveTo}, {b.Within, "within"}, {b.All, "all"},
			{b.At > 0, fmt.Sprintf("at line %d", b.At)}, {len(b.Scope) > 0, fmt.Sprintf("in %q", b.Scope)},
			{b.Ending == block.Ended, "ended"}, {b.Ending == block.Unended, "unended"},
		} {
			if is.set {
				out.WriteString(" " + is.what)
			}
		}
		if len(b.Splits) > 0 {
			fmt.Fprintf(&out, " with %d splits", len(b.Splits))
		}
		out.WriteByte('\n')
		if b.Purpose != "" {
			fmt.Fprintf(&out, "  for %q\n", b.Purpose)
		}
		dumpLines(&out, "|", b.Anchor)
		dumpLines(&out, "-", b.Old)
		dumpLines(&out, "+", b.New)
		dumpLines(&out, "=", b.Tail)
	}
	for _, p := range r.Problems {
		severity := "error"
		if p.Severity == block.SeverityWarning {
			severity = "warning"
		}
		fmt.Fprintf(&out, "%s %s at %d: %s\n", severity, p.Kind, p.Line, p.Text)
	}
	for _, s := range r.Suggestions {
		fmt.Fprintf(&out, "suggests at %d: %s\n", s.Line, strings.ReplaceAll(s.Command, "\n", "\n  "))
		if s.Op != nil {
			out.WriteString(strings.TrimRight(fmt.Sprintf("  op %s %q %s", s.Op.Kind, s.Op.Paths, s.Op.To), " ") + "\n")
		}
	}
	if out.Len() == 0 {
		return "nothing\n"
	}
	return out.String()
}

func dumpLines(out *strings.Builder, mark string, lines []string) {
	for _, line := range lines {
		out.WriteString(mark + line + "\n")
	}
}
