package engine

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
)

// A pointer has a first line that says so, and less than 1,024 bytes.
func TestAPointerOfGitLFSIsNotEdited(t *testing.T) {
	t.Parallel()
	const line = "version https://git-lfs.github.com/spec/v1"
	padded := func(size int) string { return line + "\n" + strings.Repeat("x", size-len(line)-1) }
	for name, c := range map[string]struct {
		file   string
		reason Reason
	}{
		"shortest": {line + "\n", BinaryFile}, "short": {padded(63), BinaryFile}, "longest": {padded(1023), BinaryFile},
		"too long": {padded(1024), ""}, "not first": {"x\n" + line + "\n", ""},
	} {
		res := Check(MemTree{"f": []byte(c.file)}, blockOf("f", line, "x"), Options{})
		require.Equal(t, c.reason, res.Reason, name)
	}
}

// A file becomes a pointer by one edit or by several, of a new file or of one that is there.
func TestNoEditMakesAPointerOfGitLFS(t *testing.T) {
	t.Parallel()
	const line, rest = "version https://git-lfs.github.com/spec/v1", "oid sha256:4d7a\nsize 12345"
	long := strings.Repeat("x\n", 2000)
	for name, c := range map[string]struct {
		tree   MemTree
		blocks []Block
	}{
		"a new file":           {nil, []Block{blockOf("f", "", line+"\n"+rest)}},
		"the line at last":     {nil, []Block{blockOf("f", "", rest), blockOf("f", "oid sha256:4d7a", line+"\nx")}},
		"a file that is there": {MemTree{"f": []byte("a\n" + rest)}, []Block{blockOf("f", "a", line)}},
		"many blank lines":     {nil, []Block{blockOf("f", "", line+"\n"+rest+strings.Repeat("\n", 2000)+"x")}},
		"a file that gets shorter": {MemTree{"f": []byte(line + "\n" + long + rest + "\n")},
			[]Block{blockOf("f", strings.TrimSuffix(long, "\n"), "")}},
	} {
		tree := MemTree{}
		maps.Copy(tree, c.tree)
		out, err := Apply(tree, c.blocks, Options{})
		require.NoError(t, err)
		last := out.Results[len(out.Results)-1]
		require.Equal(t, BinaryFile, last.Reason, name)
		require.Contains(t, last.Detail, "Git LFS", name)
		require.False(t, text.IsLFSPointer(tree["f"]), name)
	}
}
