package retrieve

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The lines of a permalink are those of its own commit; the model sees where they are today.
func TestAPermalinkToAnOldCommit(t *testing.T) {
	t.Parallel()
	const blob = "/tenon fix https://github.example/acme/lathe/blob/"
	old := numbered("line", 900)
	st := story{
		body:  blob + oldSHA + "/big.txt#L500-L502",
		files: map[string]string{"big.txt": numbered("new", 300) + old}, old: map[string]string{"big.txt": old},
	}
	require.Equal(t, []string{"big.txt 740-862"}, st.selects(t).names())

	st.body = blob + "v1/big.txt#L500-L502"
	require.Equal(t, []string{"big.txt 740-862"}, st.selects(t).names(), "a tag is as good as a commit")

	st.body = blob + "speed/big.txt#L500-L502"
	require.Equal(t, []string{"big.txt 440-562"}, st.selects(t).names(), "the branch itself needs no search")

	st.body = blob + headSHA + "/big.txt#L500-L502"
	require.Equal(t, []string{"big.txt 440-562"}, st.selects(t).names(), "nor does the commit itself")

	st.files["docs/big.txt"] = "x\n"
	st.body = blob + "topic/x/docs/big.txt#L1"
	require.Equal(t, []string{"docs/big.txt"}, st.selects(t).names())
	require.Contains(t, st.selects(t).why("docs/big.txt"), "cannot be read", "the branch is topic/x, and there is none")
	delete(st.files, "docs/big.txt")

	st.old = map[string]string{"big.txt": numbered("gone", 900)}
	st.body = blob + oldSHA + "/big.txt#L500-L502"
	q := st.selects(t)
	require.Equal(t, []string{"big.txt 1-60"}, q.names())
	require.Contains(t, q.why("big.txt"), "no longer in it")

	st.body = blob + oldSHA + "/big.txt#L950"
	require.Contains(t, st.selects(t).why("big.txt"), "no longer in it", "the file never had so many lines")

	st.old = nil
	require.Equal(t, []string{"big.txt 1-60"}, st.selects(t).names(), "the commit had no such file")

	st.body = blob + strings.Repeat("9", 40) + "/big.txt#L500"
	require.Contains(t, st.selects(t).why("big.txt"), "cannot be read")

	st.body = "/tenon fix https://github.example/acme/other/blob/main/big.txt#L5 and " +
		"https://elsewhere.example/acme/lathe/blob/main/big.txt#L5"
	q = st.selects(t)
	require.Empty(t, q.Files)
	require.Equal(t, "it is in another repository", q.why("acme/other/big.txt"))
	require.Equal(t, "it is in another repository", q.why("acme/lathe/big.txt"))
}

// The numbers in a permalink are no words: a line that has the number 500 has nothing to do with line 500.
func TestTheNumbersOfAPermalinkAreNoWords(t *testing.T) {
	t.Parallel()
	const blob = "https://github.example/acme/lathe/blob"
	for body, want := range map[string]string{
		"see " + blob + "/" + oldSHA + "/spin.go#L500-L502 please": "see " + blob + "/spin.go please",
		blob + "/main/spin.go#L5C1-L7C20":                          blob + "/main/spin.go",
	} {
		require.Equal(t, want, inWords(body))
	}
	others := "the tag #L5x, #500, " + oldSHA + ", x" + oldSHA + " and spin.go#install"
	require.Equal(t, others, inWords(others))
}

func TestFewCommitsOfLinksAreOpened(t *testing.T) {
	t.Parallel()
	st := story{files: map[string]string{"a.txt": "a\n"}, old: map[string]string{"a.txt": "a\n"}}
	for _, ref := range []string{"v1", oldSHA, "one", "two"} {
		st.body += "https://github.example/acme/lathe/blob/" + ref + "/a.txt#L1\n"
	}
	q := st.selects(t)
	require.Equal(t, []string{"a.txt"}, q.names())
	require.True(t, slices.ContainsFunc(q.Selection.LeftOut, func(l LeftOut) bool {
		return strings.Contains(l.Why, "too many commits")
	}), q.Selection.LeftOut)
}
