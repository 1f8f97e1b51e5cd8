package replies

import (
	_ "embed"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

//go:embed testdata/table.txt
var wantTable string

var someResults = []Result{
	{Form: "udiff", Class: Equal, Blocks: 2, Formats: []engine.Format{"diff", "udiff"}, Levels: []engine.Level{1, 4}},
	{Form: "udiff", Class: LineEnds, Blocks: 1, Formats: []engine.Format{"udiff"}, Levels: []engine.Level{1}},
	{Form: "udiff", Class: Refused, Reason: "not-found", Blocks: 1, Formats: []engine.Format{"udiff"}},
	{Form: "udiff", Class: Other, Reason: "ambiguous", Blocks: 1, Formats: []engine.Format{"udiff"}},
	{Class: Refused, Reason: NothingRead},
	{Form: "prose", Class: Equal, NoChange: true},
	{Form: "prose", Class: Equal, NoChange: true, Blocks: 1, Formats: []engine.Format{"whole"}},
	{Form: "prose", Class: Other, NoChange: true, Blocks: 1, Formats: []engine.Format{"whole"}, Levels: []engine.Level{0}},
}

func TestTheTablesHaveARowForEachForm(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, PrintTable(&out, someResults))
	require.Equal(t, wantTable, out.String())
}

func TestTheFiguresOfNoCaseAreZero(t *testing.T) {
	t.Parallel()
	require.Equal(t, "replies=0 equal=0 line_ends=0 refused=0 other=0 read=0", Sum(nil).String())
}
