package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

func TestTheConflictsOfAnUpdateAreListedAsFarAsTheyFit(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, Branch: "speed", Base: headSHA, Subject: "Merge branch 'main' into speed"}
	for i := range 2000 {
		r.Results = append(r.Results, record.Result{
			Path: fmt.Sprintf("dir/%04d.go", i), Status: record.StatusFailed, Reason: string(edit.ReasonMergeConflict),
			Detail: "1 conflict: " + strings.Repeat("both changed it ", 9),
		})
	}
	title, body := titleAndBody(OfUpdate(record.Merge{Branch: "main", SHA: someSHA}, "", r))
	require.Equal(t, "Nothing merged: 2,000 files conflict", title)
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body, "\n\n- `dir/0000.go`: 1 conflict: both changed it")
	require.Regexp(t, `\n- … and \d+ more\n\nNothing was committed\. To settle this`, body)
	page(t, body)
}

// What is merged on a protected path is no conflict, so that nothing settles it.
func TestAMergeOfAProtectedPathIsNoConflict(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, Branch: "speed", Base: headSHA, Results: []record.Result{{
		Path: "CODEOWNERS", Status: record.StatusFailed, Reason: string(engine.ProtectedPath), Detail: "It names reviewers",
	}}}
	title, body := titleAndBody(OfUpdate(record.Merge{Branch: "main", SHA: someSHA}, "", r))
	require.Equal(t, "Nothing merged: the file is protected", title)
	require.Contains(t, body, "\n\n- `CODEOWNERS`: the file is protected, because it names reviewers\n\n")
	require.NotContains(t, body, "tenon resolve")
}

func TestAnUpdateThatCouldNotBeCommittedSaysWhy(t *testing.T) {
	t.Parallel()
	r := Summary{Links: onLathe, Branch: "speed", Base: headSHA, Changed: []string{"a.go"}, Unpushed: "it is a rule"}
	s := OfUpdate(record.Merge{Branch: "main", SHA: someSHA}, "", r)
	title, _ := titleAndBody(s)
	require.Equal(t, "Nothing merged: it is a rule", title)
	require.Equal(t, "failure", s.Check().Conclusion)
	s = OfUpdate(record.Merge{Branch: "main", SHA: someSHA}, "", Summary{Links: onLathe, Branch: "speed"})
	require.Equal(t, "neutral", s.Check().Conclusion, "it is up to date")
}
