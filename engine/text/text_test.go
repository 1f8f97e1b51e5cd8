package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// replace puts other lines in the only place where a text has those of find. What both have in common at their ends is
// not part of the edit.
func replace(t *testing.T, file *Text, find, put string) {
	t.Helper()
	old, now := New(nil, []byte(find)).Lines(), New(nil, []byte(put)).Lines()
	starts := Search(nil, file.Lines(), old)
	require.Len(t, starts, 1)
	n := CommonPrefix(old, now)
	end := CommonSuffix(old[n:], now[n:])
	at := starts[0]
	file.Splice([]Edit{{at + n, at + len(old) - end, now[n : len(now)-end]}})
}

func TestAnEditKeepsAllOtherBytes(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		before, find, put, after string
	}{
		"a carriage return before each line feed":  {"a\r\nb\r\nc\r\n", "b", "x\ny", "a\r\nx\r\ny\r\nc\r\n"},
		"the last line gets an end":                {"a\nb", "b", "x", "a\nx\n"},
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
		"a byte order mark":                        {BOM + "a\nb\n", "a", "x", BOM + "x\nb\n"},
		"a byte order mark and all lines go":       {BOM + "a\n", "a", "", BOM},
		"form feeds and unusual separators": {
			"a\f\nb\x0b\u2028c\n\x0c\nd\n", "d", "e", "a\f\nb\x0b\u2028c\n\x0c\ne\n"},
		"a lone carriage return is content": {"a\rb\nc\n", "c", "d", "a\rb\nd\n"},
		"utf-8 takes any character":         {"a\nb\n", "b", "é", "a\né\n"},
		"latin-1 stays as it is":            {"caf\xe9\nb\n", "b", "x", "caf\xe9\nx\n"},
		"a file of one line without an end": {"a", "a", "b", "b\n"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			file := New(nil, []byte(c.before))
			require.Equal(t, c.before, string(file.Bytes()), "without an edit")
			replace(t, file, c.find, c.put)
			require.Equal(t, c.after, string(file.Bytes()))
			require.Equal(t, len(c.after), file.Size())
		})
	}
}

// The line ending that the file began with counts only where no other line is left to tell.
func TestALineAtTheTopEndsAsTheNextOne(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte("a\r\nb\n"))
	file.Splice([]Edit{{0, 1, nil}})
	file.Splice([]Edit{{0, 0, []string{"x"}}})
	require.Equal(t, "x\nb\n", string(file.Bytes()))
	file.Splice([]Edit{{0, 2, nil}})
	file.Splice([]Edit{{0, 0, []string{"y"}}})
	require.Equal(t, "y\r\n", string(file.Bytes()))
}

func TestEditsThatAreMadeAtOnceAreThoseThatAreMadeOneByOne(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"a\r\nb\nc\r\nd", "a\nb\nc\nd\n", "a\nb\r\nc\nd"} {
		for n := range 3 * 3 * 3 * 3 {
			var edits []Edit
			for i := range 4 {
				repl := [][]string{nil, {"x"}, {"y", "z"}}[n%3]
				edits = append(edits, Edit{i, i + n%2, repl})
				n /= 3
			}
			edits = append(edits, Edit{4, 4, []string{"end"}})
			once, oneByOne := New(nil, []byte(content)), New(nil, []byte(content))
			once.Splice(edits)
			for _, e := range slices.Backward(edits) {
				oneByOne.Splice([]Edit{e})
			}
			require.Equal(t, string(oneByOne.Bytes()), string(once.Bytes()), "%q %v", content, edits)
			require.Equal(t, len(once.Bytes()), once.Size(), "%q %v", content, edits)
		}
	}
}

func TestATextAfterEditsLeavesTheFirstAsItIs(t *testing.T) {
	t.Parallel()
	before := New(nil, []byte(BOM+"a\r\nb\xe9\r\n"))
	after := before.After([]Edit{{0, 1, []string{"x", "y"}}})
	require.Equal(t, BOM+"a\r\nb\xe9\r\n", string(before.Bytes()))
	require.Equal(t, BOM+"x\r\ny\r\nb\xe9\r\n", string(after.Bytes()))
	require.True(t, after.ASCIIOnly, "it has the same encoding")
}

func TestLineFeedsReplaceEveryEndThatIsThere(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte(BOM+"one\r\ntwo\nthree\r\r\nlone\rfour\r\nno end\r"))
	require.Equal(t, []string{"one"}, file.Keys(TrimRight)[:1])
	file.UseLineFeeds()
	require.Equal(t, BOM+"one\ntwo\nthree\nlone\rfour\nno end\r", string(file.Bytes()))
	require.Equal(t, len(file.Bytes()), file.Size())
	require.Equal(t, "three", file.Lines()[2])
}

func TestLinesHaveTheirEndsIfTheyAreWhole(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte("a\r\n\nb"))
	require.Equal(t, []string{"a", "", "b"}, file.Lines())
	require.Equal(t, []string{"a\r\n", "\n", "b"}, file.WholeLines())
	require.Empty(t, New(nil, nil).WholeLines())
}

func TestLinesAroundOthersEndWithTheFile(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte("0\n1\n2\n3\n4\n5\n6\n"))
	for _, c := range []struct{ from, to, start, end int }{{3, 4, 1, 6}, {0, 1, 0, 3}, {6, 7, 4, 7}, {3, 3, 1, 5}} {
		start, lines := file.Around(c.from, c.to, 2)
		require.Equal(t, c.start, start)
		require.Equal(t, file.Lines()[c.start:c.end], lines)
	}
}

func TestATextOfLinesIsAsLongAsTheyAre(t *testing.T) {
	t.Parallel()
	file := Of(nil, []string{"one", ""}, nil, []string{"two"})
	require.Equal(t, []string{"one", "", "two"}, file.Lines())
	require.Equal(t, len("onetwo"), file.Size())
	require.True(t, file.HasWord("two"))
}

func TestWhatIsNotTextHasAReason(t *testing.T) {
	t.Parallel()
	const line = "version https://git-lfs.github.com/spec/v1\n"
	for data, why := range map[string]string{
		"b\n\x00\n":             "it has a NUL byte",
		"\xff\xfeb\x00\n\x00":   "it is UTF-16, and only UTF-8 can be edited",
		"\xfe\xff\x00b":         "it is UTF-16, and only UTF-8 can be edited",
		"b\n\xff\xfe\x01\x02\n": "it is not text in a known encoding",
		line:                    "it is stored in Git LFS, and only a pointer is here",
		line + "oid sha256:4d7": "it is stored in Git LFS, and only a pointer is here",
		line + strings.Repeat("x", 1024-len(line)): "",
		"x\n" + line:                             "",
		"":                                       "",
		"caf\xe9\n":                              "",
		"é\x01\n":                                "",
		"\x1b[2J\b\f\v\xe9\n":                    "",
		strings.Repeat("x", sniffBytes) + "\x00": "",
	} {
		require.Equal(t, why, WhyBinary([]byte(data)), "%q", data)
	}
}

// What git-lfs takes for a pointer is one.
func TestAPointerOfGitLFSHasManyForms(t *testing.T) {
	t.Parallel()
	const rest = "oid sha256:4d7a\nsize 12345\n"
	for data, want := range map[string]bool{
		"version https://hawser.github.com/spec/v1\n" + rest:                                     true,
		"version http://git-media.io/v/2\n" + rest:                                               true,
		"version https://git-lfs.github.com/spec/v1\next-0-x sha256:1\n" + rest:                  true,
		"ext-0-x sha256:1\n\nversion https://git-lfs.github.com/spec/v1\n" + rest:                true,
		"\n \nversion https://git-lfs.github.com/spec/v1\r\n" + rest + "\n\n":                    true,
		"version https://git-lfs.github.com/spec/v1" + strings.Repeat("\n", 2000):                true,
		"version https://git-lfs.github.com/spec/v1":                                             true,
		"version https://git-lfs.github.com/spec/v1\n" + rest + strings.Repeat("\n", 1000) + "x": true,
		"version https://git-lfs.github.com/spec/v10\n" + rest:                                   false,
		"version  https://git-lfs.github.com/spec/v1\n" + rest:                                   false,
		"# version https://git-lfs.github.com/spec/v1\n" + rest:                                  false,
		rest + "version https://git-lfs.github.com/spec/v1\n":                                    false,
		"ext-0-x sha256:1\n": false,
		"ext-0-x sha256:1\n" + strings.Repeat("ext-1-x y\n", 100) + "version https:": false,
	} {
		require.Equal(t, want, IsLFSPointer([]byte(data)), "%q", data)
	}
}

func TestAFileKeepsTheLineEndingThatItHad(t *testing.T) {
	t.Parallel()
	file := New(nil, []byte("one\r\ntwo"))
	file.Splice([]Edit{{From: 0, To: 1}})
	file.Splice([]Edit{{From: 1, To: 1, Lines: []string{"three"}}})
	require.Equal(t, "two\r\nthree\r\n", string(file.Bytes()))
}
