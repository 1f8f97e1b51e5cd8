package retrieve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// None of these may take long; each took seconds, or most of one, without its bound.
func TestHostileCommentsAreBounded(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"> ", "- ", "1. ", "> - ", "[", "`a ", "<!", "**a", "a](", "![](", "[a](", "http://h/a/b/blob/",
		"panicked at 'x', ", "at ((((x:1:1\n", "[a]: b 'c'\n", "<div><!-- x -->\n\n",
	} {
		text := markdown.ShownWithTargets(strings.Repeat(unit, 65_536/len(unit)))
		require.LessOrEqual(t, len(findReferences(text)), maxReferences)
	}
	require.Equal(t, markdown.Unreadable, markdown.Shown("fix it\n\n"+strings.Repeat("> ", 1000)+"x"))
	require.Contains(t, markdown.Shown("+"+strings.Repeat("-----+", 100)), "-----+", "a table is not deep")

	files := make([]string, 20_000)
	for i := range files {
		files[i] = fmt.Sprintf("a%05d/index.js", i)
	}
	x := indexOf(files...)
	for i := range 1000 {
		require.Empty(t, x.resolve(fmt.Sprintf("q%d/index.js", i)).files)
	}
	require.LessOrEqual(t, x.room, 0)
	require.Equal(t, []string{"a00007/index.js"}, x.resolve("a00007/index.js").files, "a whole path is found anyway")
}

// Names that differ in their case from very many files are compared with so many.
func TestNamesInManySpellingsAreBounded(t *testing.T) {
	t.Parallel()
	spelling := func(i int) string {
		name := []byte("abcdefghij.js")
		for bit := range 10 {
			if i>>bit&1 == 1 {
				name[bit] -= 'a' - 'A'
			}
		}
		return string(name)
	}
	var files []string
	for i := range 1024 {
		for _, folder := range []string{"a", "b"} {
			files = append(files, folder+"/"+spelling(i))
		}
	}
	slices.Sort(files)
	x := indexOf(files...)
	require.Len(t, x.resolve("c/"+spelling(1)).files, 2)
	require.Equal(t, maxCompared-2, x.room, "only those of the same spelling are compared")
	require.Empty(t, x.resolve("c/abcdefghij.JS").files)
	require.Equal(t, maxCompared-2-len(files), x.room)
	for i := range 1024 {
		x.resolve(fmt.Sprintf("c%d/abcdefghij.JS", i))
	}
	require.LessOrEqual(t, x.room, 0)
	require.Greater(t, x.room, -len(files), "when there is no more room, nothing is compared")
}

func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	x := indexOf(strings.Repeat("a", 200) + "/" + strings.Repeat("b", 200))
	for _, pattern := range []string{
		strings.Repeat("*a", 60), strings.Repeat("**/", 9), strings.Repeat("{a,", 3), strings.Repeat("a", 300) + "*",
	} {
		_, why := x.match(pattern)
		require.Contains(t, why, "too complicated", pattern)
	}
	for pattern, want := range map[string]string{"[": "not a valid pattern", "*.zip": "no file matches"} {
		_, why := x.match(pattern)
		require.Contains(t, why, want)
	}
}

// Five patterns and fifteen names, on 100,000 paths of 3,000 bytes, took half a minute.
func TestOnlySoManyBytesOfPathsAreRead(t *testing.T) {
	t.Parallel()
	require.Equal(t, maxRead, indexOf().bytes)
	folder := strings.Repeat(strings.Repeat("a", 99)+"/", 30)
	files := []string{"0/gear.go"}
	for i := range 100 {
		files = append(files, fmt.Sprintf("%sgear%03d.go", folder, i))
	}
	each := len(files[1])

	x := indexOf(files...)
	found, why := x.match("**/gear007.go")
	require.Empty(t, why)
	require.Len(t, found, 1)
	require.Equal(t, maxRead-100*each-len(files[0]), x.bytes, "all that a pattern is compared with counts")
	x.bytes = 50 * each
	_, why = x.match("**/gear007.go")
	require.Contains(t, why, "too many files")
	_, why = x.match("**/gear007.go")
	require.Contains(t, why, "too many files", "no other pattern is tried either")
	x.bytes = 50 * each
	found, _ = x.match("0/*.go")
	require.Equal(t, files[:1], found, "in a folder, only the files of the folder are read")

	x = indexOf(files...)
	require.Equal(t, "0/gear.go", x.nearest("gear.py")[0])
	read := maxRead - x.bytes
	require.LessOrEqual(t, read, 101*(maxLikeBytes)+(maxNearest+1)*each, "only the end of a path is compared")
	require.GreaterOrEqual(t, read, 100*maxLikeBytes)
	x.bytes = 0
	require.Empty(t, x.nearest("gear.py"))
}
