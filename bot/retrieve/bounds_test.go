package retrieve

import (
	"fmt"
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
		text := markdown.Shown(strings.Repeat(unit, 65_536/len(unit)))
		require.LessOrEqual(t, len(findReferences(text)), maxReferences)
	}
	require.Equal(t, "fix it", markdown.Shown("fix it\n\n"+strings.Repeat("> ", 1000)+"x"))
	require.Contains(t, markdown.Shown("+"+strings.Repeat("-----+", 100)), "-----+", "a table is not deep")

	files := make([]string, 20_000)
	for i := range files {
		files[i] = fmt.Sprintf("a%05d/index.js", i)
	}
	x := newIndex(files)
	for i := range 1000 {
		require.Empty(t, x.resolve(fmt.Sprintf("q%d/index.js", i)).files)
	}
	require.LessOrEqual(t, x.room, 0)
	require.Equal(t, []string{"a00007/index.js"}, x.resolve("a00007/index.js").files, "a whole path is found all the same")
}

func TestPatternsAreBounded(t *testing.T) {
	t.Parallel()
	x := newIndex([]string{strings.Repeat("a", 200) + "/" + strings.Repeat("b", 200)})
	for _, pattern := range []string{
		strings.Repeat("*a", 60), strings.Repeat("**/", 9), strings.Repeat("{a,", 3), strings.Repeat("a", 300) + "*",
	} {
		_, why := x.match(pattern)
		require.Contains(t, why, "too complicated", pattern)
	}
	for pattern, want := range map[string]string{"[": "no valid pattern", "*.zip": "no file fits"} {
		_, why := x.match(pattern)
		require.Contains(t, why, want)
	}
}
