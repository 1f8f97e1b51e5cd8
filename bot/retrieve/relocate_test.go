package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestACommentOnTheDiffIsFoundAgainByWhatStoodThere(t *testing.T) {
	t.Parallel()
	hunk := "@@ -498,3 +498,4 @@ func x\n line 498\n-was\n+line 499\n line 500\n+line 501"
	left := strings.Replace(hunk, "+line 501", " line 501\n", 1)
	st := story{body: "this is wrong", files: map[string]string{"big.txt": numbered("new", 300) + numbered("line", 900)}}
	for story, c := range map[string]port.Comment{
		"outdated":                       {Path: "big.txt", Hunk: hunk, Side: "RIGHT"},
		"of a commit before":             {Path: "big.txt", Hunk: hunk, Side: "RIGHT", Line: 501},
		"on two lines":                   {Path: "big.txt", Hunk: hunk, Side: "RIGHT", StartLine: 501, Line: 501},
		"on the left, beside a deletion": {Path: "big.txt", Hunk: left, Side: "LEFT", Line: 501},
	} {
		st.comment = c
		require.Equal(t, []string{"big.txt 741-861"}, st.selects(t).names(), story)
	}
	const twice = "@@ -1 +1 @@\n+twice"
	for story, c := range map[string]struct {
		comment port.Comment
		want    string
	}{
		"what was there is gone":       {port.Comment{Hunk: "@@ -1 +1 @@\n+gone", Side: "RIGHT"}, "big.txt 1-60"},
		"an empty line is anywhere":    {port.Comment{Hunk: "@@ -1 +1 @@\n+", Side: "RIGHT"}, "big.txt 1-60"},
		"a line without a hunk":        {port.Comment{Line: 500, Side: "RIGHT"}, "big.txt 440-560"},
		"a line that was removed":      {port.Comment{Line: 500, Side: "LEFT"}, "big.txt 1-60"},
		"a line beyond the file":       {port.Comment{Line: 5000, Side: "RIGHT"}, "big.txt 1-60"},
		"the file, and no line of it":  {port.Comment{}, "big.txt 1-60"},
		"of two places, the near one":  {port.Comment{Hunk: twice, Side: "RIGHT", Line: 1300}, "big.txt 1143-1203"},
		"of two places, the other one": {port.Comment{Hunk: twice, Side: "RIGHT", Line: 10}, "big.txt 1141-1203"},
	} {
		st.comment = c.comment
		st.comment.Path = "big.txt"
		st.files["big.txt"] = numbered("new", 300) + numbered("line", 900) + "twice\n\ntwice\n"
		q := st.selects(t)
		require.Equal(t, []string{c.want}, q.names(), story)
		require.Equal(t, 120, q.Selection.Files[0].Score, story)
	}
}
