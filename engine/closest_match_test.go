package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A block that is refused although it matches shows where.
func TestABlockThatIsRefusedWhereItMatchesShowsThePlace(t *testing.T) {
	t.Parallel()
	file := "package a\n\nfunc one() int {\n\treturn 1\n}\n\nfunc two() int {\n\treturn 2\n}\n"
	for reason, c := range map[Reason]struct {
		block   Block
		options Options
		line    int
		want    string
	}{
		Placeholder: {blockOf("f", "func two() int {\n\treturn 2\n}", "func two() int {\n\t// ... existing code ...\n}"),
			Options{}, 7, ""},
		Stale: {blockOf("f", "func two() int {\n  return 2\n}", "func two() int {\n  return 3\n}"),
			Options{Shown: func(string) Shown { return ShownChanged }}, 7, "  return 2"},
	} {
		r := Check(MemTree{"f": []byte(file)}, c.block, c.options)
		require.Equal(t, reason, r.Reason, r.Detail)
		require.Equal(t, c.line, r.Line)
		require.Contains(t, r.ClosestMatch.Lines, "\treturn 2")
		if c.want == "" {
			require.Nil(t, r.Difference, "nothing differs")
			continue
		}
		require.Equal(t, Difference{Line: 8, Want: c.want, Have: "\treturn 2"}, *r.Difference)
	}
}
