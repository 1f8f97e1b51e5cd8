package simhttp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// Whoever pushes, GitHub makes a suite of the App on the commit and asks it for check runs, once; the suite ends with
// the App's own check run.
func TestAPushAsksTheAppForItsChecks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.Events = []string{"check_suite"} })
	in := w.subscribe()
	sha, err := w.Push(repo, "feature", map[string]string{"a.txt": "b\n"}, "More\n")
	require.NoError(t, err)
	require.NoError(t, w.Branch(repo, "same", "feature"))
	w.WaitDeliveries()
	require.Equal(t, []string{"check_suite requested"}, in.names())
	_, o := in.last(t)
	suite, _ := o["check_suite"].(map[string]any)
	require.Equal(t, "tenon", at(suite, "app", "slug"))
	require.Equal(t, []any{sha, "feature", "queued", "owner"},
		[]any{suite["head_sha"], suite["head_branch"], suite["status"], at(o, "sender", "login")})
	require.Equal(t, 201, w.as("POST", "repos/"+repo+"/check-runs", checkBody(sha, `,"conclusion":"neutral"`)).status)
	w.WaitDeliveries()
	_, o = in.last(t)
	require.Equal(t, []any{"completed", suite["id"], "neutral"}, []any{o["action"], at(o, "check_suite", "id"),
		at(o, "check_suite", "conclusion")})
	require.NoError(t, w.DeleteBranch(repo, "same"))
	w.WaitDeliveries()
	require.Len(t, in.names(), 2)
}
