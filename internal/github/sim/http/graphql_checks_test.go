package simhttp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

const rollup = `query($oid: GitObjectID!) { repository(owner: "acme", name: "app") { object(oid: $oid) { ... on Commit {
  oid statusCheckRollup { state contexts(first: 100) { totalCount checkRunCount pageInfo { hasNextPage } nodes {
    __typename
    ... on CheckRun { databaseId name conclusion detailsUrl title annotations { totalCount }
      checkSuite { app { slug } workflowRun { databaseId event workflow { name } } } }
    ... on StatusContext { context state description targetUrl }
  } } }
} } } }`

// rollup returns what CI says of a commit, and the errors by their paths.
func (w *world) rollup(token, sha string) (commit map[string]any, errors map[string]string) {
	w.t.Helper()
	r := w.ask(token, rollup, map[string]any{"oid": sha})
	require.Equal(w.t, 200, r.status, r.text)
	errors = map[string]string{}
	list, _ := r.object()["errors"].([]any)
	for _, e := range list {
		o := e.(map[string]any)
		errors[fmt.Sprint(o["path"])] = fmt.Sprintf("%s: %s", o["type"], o["message"])
	}
	commit, _ = at(r.object(), "data", "repository", "object").(map[string]any)
	return commit, errors
}

// at returns a value in objects.
func at(v any, path ...string) any {
	for _, name := range path {
		o, _ := v.(map[string]any)
		v = o[name]
	}
	return v
}

func contextsOf(commit map[string]any) []any {
	list, _ := at(commit, "statusCheckRollup", "contexts", "nodes").([]any)
	return list
}

// checked makes a job that failed, another App's check run and a status of a commit.
func (w *world) checked() (sha string) {
	w.t.Helper()
	sha = w.head()
	ci := w.CI(repo, sha)
	require.NoError(w.t, ci.Starts("test"))
	require.NoError(w.t, ci.Job("test").Fails("x\n"))
	require.NoError(w.t, ci.Check(sim.Check{App: "codecov", Name: "patch", Conclusion: "success"}))
	require.NoError(w.t, ci.Status("jenkins", "error", "Broken", "https://ci.example.com/1"))
	return sha
}

// One query has the newest check run of each name in each suite, and the newest status of each context.
func TestTheRollupOfACommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	commit, errs := w.rollup(w.token, sha)
	require.Empty(t, errs)
	require.Nil(t, commit["statusCheckRollup"], "no check runs and no statuses")
	w.checked()
	require.NoError(t, w.CI(repo, sha).Reruns())
	commit, errs = w.rollup(w.token, sha)
	require.Empty(t, errs)
	require.Equal(t, sha, commit["oid"])
	require.Equal(t, "ERROR", at(commit, "statusCheckRollup", "state"))
	require.Equal(t, "2", fmt.Sprint(at(commit, "statusCheckRollup", "contexts", "checkRunCount")))
	nodes := contextsOf(commit)
	require.Len(t, nodes, 3)
	require.Nil(t, at(nodes[0], "conclusion"), "it runs again")
	require.NoError(t, w.CI(repo, sha).Job("test").Fails("x\n"))
	commit, _ = w.rollup(w.token, sha)
	job := contextsOf(commit)[0].(map[string]any)
	run := w.runs()[0]
	require.Equal(t, fmt.Sprint(run.Jobs["test"]), fmt.Sprint(job["databaseId"]))
	require.Equal(t, fmt.Sprintf("%sacme/app/actions/runs/%d/job/%s", w.GitURL(), run.ID, job["databaseId"]),
		job["detailsUrl"])
	require.Equal(t, "FAILURE", job["conclusion"])
	require.Equal(t, "1", fmt.Sprint(at(job, "annotations", "totalCount")))
	require.Equal(t, "github-actions", at(job, "checkSuite", "app", "slug"))
	require.Equal(t, "push", at(job, "checkSuite", "workflowRun", "event"))
	require.Nil(t, at(nodes[1], "checkSuite", "workflowRun"), "another App has no workflows")
	require.Equal(t, map[string]any{"__typename": "StatusContext", "context": "jenkins", "state": "ERROR",
		"description": "Broken", "targetUrl": "https://ci.example.com/1"}, nodes[2])
	commit, _ = w.rollup(w.token, "0000000000000000000000000000000000000000")
	require.Nil(t, commit)
}

// What a token may not read is null, with an error at its place; the rest is there.
func TestTheRollupWithoutAPermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.checked()
	const refused = "FORBIDDEN: Resource not accessible by integration"
	contexts := "repository object statusCheckRollup"
	for _, c := range []struct {
		name    string
		may     map[string]string
		refused []string
		left    int
	}{
		{"statuses", map[string]string{"contents": "read", "checks": "read", "actions": "read"},
			[]string{contexts + " contexts nodes 2"}, 2},
		{"actions", map[string]string{"contents": "read", "checks": "read", "statuses": "read"},
			[]string{contexts + " contexts nodes 0 checkSuite workflowRun"}, 3},
		{"checks", map[string]string{"contents": "read", "statuses": "read"},
			[]string{contexts + " contexts nodes 0", contexts + " contexts nodes 1"}, 1},
		{"both", map[string]string{"contents": "read"}, []string{contexts}, 0},
		{"contents", map[string]string{"checks": "read", "statuses": "read"}, []string{"repository object"}, 0},
	} {
		want := map[string]string{}
		for _, path := range c.refused {
			want["["+path+"]"] = refused
		}
		commit, errs := w.rollup(w.newToken(permissions(c.may)), sha)
		require.Equal(t, want, errs, c.name)
		left := 0
		for _, node := range contextsOf(commit) {
			if node != nil {
				left++
			}
		}
		require.Equal(t, c.left, left, c.name)
	}
}

// A server that does not know the rollup refuses the whole document.
func TestAServerWithoutARollup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.NoRollup = true })
	r := w.ask(w.token, rollup, map[string]any{"oid": w.checked()})
	w.fails(r, "", "Field 'statusCheckRollup' doesn't exist on type 'Commit'")
	require.NotContains(t, r.object(), "data")
}
