package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

func TestFilesThatAreNotEdited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, put, detail string }{
		"binary_file_rejected":     {"b\n\x00\n", "x", "it has a NUL byte"},
		"utf-16 little endian":     {"\xff\xfeb\x00\n\x00", "x", "it is UTF-16, and only UTF-8 can be edited"},
		"bytes that are not text":  {"b\n\xff\xfe\x01\x02\n", "x", "it is not text in a known encoding"},
		"latin-1 and a new accent": {"caf\xe9\nb\n", "é", "it is not UTF-8, so only ASCII text can be added to it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, out := applyOne(t, c.before, "b", c.put)
			require.Equal(t, BinaryFile, out.Reason)
			require.Equal(t, Failed, out.Status)
			require.Equal(t, "Cannot edit binary file: "+c.detail, out.Detail)
			require.Equal(t, c.before, got)
		})
	}
}

func applyOne(t *testing.T, before, find, repl string) (string, Result) {
	t.Helper()
	tree := MemTree{"f": []byte(before)}
	out, err := Apply(tree, []Block{blockOf("f", find, repl)}, Options{})
	require.NoError(t, err)
	return string(tree["f"]), out.Results[0]
}

// blockOf returns a block as Parse would.
func blockOf(path, find, repl string) Block {
	linesOf := func(s string) []string { return text.New(nil, []byte(s)).Lines() }
	b := Block{Path: path, Find: linesOf(find), Replace: linesOf(repl), Format: FormatDiff}
	n := text.CommonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:n], b.Find[n:], b.Replace[n:]
	b.Create = text.AllBlank(b.Find)
	return b
}
