package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnEditKeepsAllOtherBytes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, find, put, after string
	}{
		"crlf_normalization":                       {"a\r\nb\r\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\r\n"},
		"trailing_newline_normalization":           {"a\nb", "b", "x", "a\nx\n"},
		"no newline at the end, an edit elsewhere": {"a\nb\nc", "a", "x", "x\nb\nc"},
		"no newline at the end, lines after it":    {"a\nb", "b", "b\nc", "a\nb\nc\n"},
		"no newline at the end, the end goes":      {"a\nb", "a\nb", "a", "a\n"},
		"crlf without an end":                      {"a\r\nb", "b", "b\nc", "a\r\nb\r\nc\r\n"},
		"a mixture takes the neighbours' ending":   {"a\r\nb\nc\r\nd\n", "b\nc", "x\nc", "a\r\nx\nc\r\nd\n"},
		"an insertion ends as the line before it":  {"a\r\nb\n", "a\nb", "a\nnew\nb", "a\r\nnew\r\nb\n"},
		"a line of a mixture keeps its own ending": {"a\r\nb\nc\r\nd\n", "b\nc", "x\ny", "a\r\nx\ny\r\nd\n"},
		"an added line ends as the one above it":   {"a\r\nb\nc\r\nd\n", "b", "x\ny\nz", "a\r\nx\ny\nz\nc\r\nd\n"},
		"also where fewer lines were":              {"a\nb\r\nc\n", "a\nb", "x\ny\nz", "x\ny\r\nz\r\nc\n"},
		"a line added at the top ends as the next": {"a\r\nb\n", "a", "new\na", "new\r\na\r\nb\n"},
		"a line added at the bottom of a mixture":  {"a\r\nb\nc", "c", "c\nd", "a\r\nb\nc\nd\n"},
		"a line put for two keeps the first end":   {"a\r\nb\nc\r\n", "b\nc", "x", "a\r\nx\n"},
		"a byte order mark":                        {bom + "a\nb\n", "a", "x", bom + "x\nb\n"},
		"a byte order mark and all lines go":       {bom + "a\n", "a", "", bom},
		"form feeds and unusual separators": {
			"a\f\nb\x0b\u2028c\n\x0c\nd\n", "d", "e", "a\f\nb\x0b\u2028c\n\x0c\ne\n"},
		"a lone carriage return is content": {"a\rb\nc\n", "c", "d", "a\rb\nd\n"},
		"utf-8 takes any character":         {"a\nb\n", "b", "é", "a\né\n"},
		"latin-1 stays as it is":            {"caf\xe9\nb\n", "b", "x", "caf\xe9\nx\n"},
		"a file of one line without an end": {"a", "a", "b", "b\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, out := applyOne(t, c.before, c.find, c.put)
			require.Equal(t, Applied, out.Status, out.Detail)
			require.Equal(t, c.after, got)
		})
	}
}

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
	split := func(s string) []string {
		var lines []string
		for _, l := range newText(nil, []byte(s)).lines {
			lines = append(lines, l.text)
		}
		return lines
	}
	b := Block{Path: path, Find: split(find), Replace: split(repl), Format: FormatDiff}
	n := commonPrefix(b.Find, b.Replace)
	b.Anchor, b.Old, b.New = b.Find[:n], b.Find[n:], b.Replace[n:]
	b.Create = allBlank(b.Find)
	return b
}
