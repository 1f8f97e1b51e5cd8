package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAResultTellsWhatWasChangedAsItStandsInTheFile(t *testing.T) {
	t.Parallel()
	file := "one\n\tif a {\n\t\tbegin()\n\t\tc()\n\t\td()\n\t}\ntail\n"
	res := Check(MemTree{"f": []byte(file)}, blockOf("f", "begin()\nc()\nd()", "B()\nc()\nD()\ne()"), Options{})
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, &Edit{
		Line: 3, Removed: []string{"\t\tbegin()", "\t\tc()", "\t\td()"}, Added: []string{"\t\tB()", "\t\tc()", "\t\tD()", "\t\te()"},
		ContextBefore: []string{"one", "\tif a {"}, ContextAfter: []string{"\t}", "tail"},
	}, res.Edit)
}

func TestAnEditIsToldAsTheFileStoodThen(t *testing.T) {
	t.Parallel()
	tree := MemTree{"f": []byte("a1\nb2\nc3\nd4\n"), "crlf": []byte("a1\r\nb2\r\n")}
	out, err := Apply(tree, []Block{
		blockOf("f", "a1", "x\ny\nz\na1"), blockOf("f", "c3\nd4", "d4"), blockOf("f", "nothing like it", "x"),
		blockOf("new", "", "first\nsecond"), blockOf("crlf", "b2", "B2"), blockOf("f", "d4", "d4"),
	}, Options{})
	require.NoError(t, err)
	require.Equal(t, &Edit{Line: 1, Removed: []string{}, Added: []string{"x", "y", "z"}, ContextBefore: []string{}, ContextAfter: []string{"a1", "b2", "c3"}}, out.Results[0].Edit)
	require.Equal(t, &Edit{Line: 6, Removed: []string{"c3"}, Added: []string{}, ContextBefore: []string{"z", "a1", "b2"}, ContextAfter: []string{"d4"}}, out.Results[1].Edit)
	require.Nil(t, out.Results[2].Edit, "a block that failed")
	require.Equal(t, &Edit{Line: 1, Removed: []string{}, Added: []string{"first", "second"}, ContextBefore: []string{}, ContextAfter: []string{}}, out.Results[3].Edit)
	require.Equal(t, &Edit{Line: 2, Removed: []string{"b2"}, Added: []string{"B2"}, ContextBefore: []string{"a1"}, ContextAfter: []string{}}, out.Results[4].Edit)
	require.Nil(t, out.Results[5].Edit, "a block that was skipped")
}

func TestLineFeedsAreAnOption(t *testing.T) {
	t.Parallel()
	mixed := "\ufeffone\r\ntwo\nthree\r\r\nlone\rfour\r\nno end\r"
	for lineFeeds, want := range map[bool]string{
		false: strings.Replace(mixed, "two", "2", 1),
		true:  "\ufeffone\n2\nthree\nlone\rfour\nno end\r",
	} {
		tree := MemTree{"f": []byte(mixed), "left": []byte("a\r\nb\r\n"), "back": []byte("a\r\nb\r\n")}
		out, err := Apply(tree, []Block{
			blockOf("f", "two", "2"), blockOf("left", "a", "a"), blockOf("back", "a", "x"), blockOf("back", "x", "a"),
		}, Options{LineFeeds: lineFeeds})
		require.NoError(t, err)
		require.Equal(t, []string{"f"}, out.Changed, "only what is edited")
		require.Equal(t, want, string(tree["f"]))
	}
}
