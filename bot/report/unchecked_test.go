package report

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
)

// notChecked is an edit of a file that was not checked.
func notChecked(path, reason string) record.Result {
	r := fitting(path, "+x\n")
	r.Unchecked = reason
	return r
}

func TestAFileThatWasNotCheckedIsNamedOnce(t *testing.T) {
	t.Parallel()
	refused := notChecked("no.json", "size")
	refused.Status = record.StatusFailed
	r := Summary{SHA: someSHA, Results: []record.Result{
		notChecked("a.json", "size"), notChecked("b.md", "no-parser"), notChecked("a.json", "size"), refused,
		notChecked("c.yaml", "undecided"), fitting("d.go", "+x\n"), notChecked("e.x", "not-text"), notChecked("f.x", "new"),
	}}
	require.Equal(t, "⚠️ **Not checked for syntax:** `a.json` (too large).", r.beyondBounds())
	require.Equal(t, "Not checked for syntax: `c.yaml` (a template, or not in the language of its name) and `f.x` (new).",
		r.undecided(), "also for a reason of a later version")
	r.Results = r.Results[:3]
	require.Equal(t, "success", r.Check().Conclusion, "it may be as it should be")
}

func TestOnlySoManyFilesThatWereNotCheckedAreNamed(t *testing.T) {
	t.Parallel()
	var r Summary
	for n := range 200 {
		r.Results = append(r.Results, notChecked(fmt.Sprintf("%d.json", n), "steps"))
	}
	require.Contains(t, r.beyondBounds(), "`4.json` (too much work) and 195 more files.")
}
