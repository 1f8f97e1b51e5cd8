package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASignOffMentionsNobodyButAPerson(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<sub>@maria · run abc123def456</sub>", SignOff{Login: "maria", Run: runID, Mention: true}.Text())
	require.Equal(t, "<sub>@octo-cat_acme · run abc123def456</sub>",
		SignOff{Login: "octo-cat_acme", Run: runID, Mention: true}.Text())
	require.Equal(t, "<sub>`maria` · run abc123def456</sub>", SignOff{Login: "maria", Run: runID}.Text())
	for _, login := range []string{
		"", "ghost", "Ghost", "dependabot[bot]", "acme/owners", "maria @william", "maria\n@william", "-maria",
		"maria</sub>", "ma.ria", "maria_", "mаria", "@maria", "ma`ria", "fixes #1", strings.Repeat("a", 40),
	} {
		got := SignOff{Login: login, Run: runID, Mention: true}.Text()
		require.Regexp(t, "^<sub>`+ ?[^\n]* ?`+ · run abc123def456</sub>$", got, "%q is no login of a person", login)
	}
}

const somePages = Pages("https://tenon.example/")

func TestASignOffLinksThePageOfTheRun(t *testing.T) {
	t.Parallel()
	s := SignOff{Login: "maria", Run: runID, Mention: true, Pages: somePages}
	require.Equal(t, "<sub>@maria · run [abc123def456](https://tenon.example/runs/abc123def456)</sub>", s.Text())
	s.On = "k3v9x1p7q2m4"
	require.Equal(t, "<sub>@maria on the page of [k3v9x1p7q2m4](https://tenon.example/runs/k3v9x1p7q2m4) · "+
		"run [abc123def456](https://tenon.example/runs/abc123def456)</sub>", s.Text())
	s.Pages = ""
	require.Equal(t, "<sub>@maria on the page of k3v9x1p7q2m4 · run abc123def456</sub>", s.Text())
}

// What CI says is added to the last line, whether the answer was written with pages or without.
func TestASignOffIsReadBack(t *testing.T) {
	t.Parallel()
	for _, pages := range []Pages{"", somePages} {
		for _, on := range []string{"", "k3v9x1p7q2m4"} {
			signed := SignOff{Login: "maria", Run: runID, On: on, Pages: pages}.Text()
			for _, said := range []string{"", " · CI: waiting"} {
				line := strings.TrimSuffix(signed, endingEnds) + said + endingEnds
				got, ok := Ending("What was done.\n\n"+line+"\n\n<!-- tenon:run="+runID+" -->", runID)
				require.True(t, ok)
				require.Equal(t, line, got)
				_, ok = Ending("What was done.\n\n"+line, "k3v9x1p7q2m4")
				require.False(t, ok, "it is that of another run")
			}
		}
	}
	_, ok := Ending("<sub>maria · run ["+runID+"](https://tenon.example/runs/"+runID+"</sub>", runID)
	require.False(t, ok, "a link without an end")
}
