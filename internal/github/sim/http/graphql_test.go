package simhttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// ask sends a GraphQL document.
func (w *world) ask(token, document string, vars map[string]any) reply {
	w.t.Helper()
	data, err := json.Marshal(map[string]any{"query": document, "variables": vars})
	require.NoError(w.t, err)
	req, err := http.NewRequestWithContext(w.t.Context(), "POST", w.GraphQLURL(), strings.NewReader(string(data)))
	require.NoError(w.t, err)
	req.Header.Set("User-Agent", "sim")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return w.send(req)
}

// fails requires an error of a type with status 200 and this text.
func (w *world) fails(r reply, kind, message string) {
	w.t.Helper()
	require.Equal(w.t, 200, r.status, r.text)
	list, _ := r.object()["errors"].([]any)
	require.Len(w.t, list, 1, r.text)
	e := list[0].(map[string]any)
	require.Contains(w.t, e["message"], message)
	got, _ := e["type"].(string)
	require.Equal(w.t, kind, got, r.text)
}

// succeeds returns the data.
func (w *world) succeeds(r reply) map[string]any {
	w.t.Helper()
	require.Equal(w.t, 200, r.status, r.text)
	require.NotContains(w.t, r.object(), "errors", r.text)
	return r.object()["data"].(map[string]any)
}

const moveBranch = `mutation($r:ID!,$n:GitRefname!,$b:GitObjectID!,$a:GitObjectID!){updateRefs(input:{repositoryId:` +
	`$r,refUpdates:[{name:$n,beforeOid:$b,afterOid:$a}]}){clientMutationId}}`

var zeroes = strings.Repeat("0", 40)

func (w *world) nodeID(path string) string {
	w.t.Helper()
	id, _ := w.as("GET", path, "").object()["node_id"].(string)
	require.NotEmpty(w.t, id)
	return id
}

func (w *world) moveRef(token, ref, before, after string) reply {
	w.t.Helper()
	return w.ask(token, moveBranch, map[string]any{"r": w.nodeID("repos/" + repo), "n": ref, "b": before, "a": after})
}

// newCommit creates a commit object on top of another, with the same tree.
func (w *world) newCommit(parent, message string) string {
	w.t.Helper()
	base := "repos/" + repo + "/git/commits"
	tree := w.as("GET", base+"/"+parent, "").object()["tree"].(map[string]any)["sha"]
	r := w.as("POST", base, fmt.Sprintf(`{"message":%q,"tree":%q,"parents":[%q]}`, message, tree, parent))
	require.Equal(w.t, 201, r.status, r.text)
	return r.sha()
}

// A branch moves if it points to the expected commit; the pull request is updated, and a delivery is sent.
func TestABranchMovesByCompareAndSwap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	tip := w.head()
	one, other := w.newCommit(tip, "One"), w.newCommit(tip, "Other")
	w.succeeds(w.moveRef(w.token, "refs/heads/feature", tip, one))
	require.Equal(t, one, w.head())
	w.WaitDeliveries()
	delivered := in.lastOf(t, "pull_request")
	require.Equal(t, "synchronize", delivered["action"])
	require.Equal(t, one, delivered["after"])

	w.fails(w.moveRef(w.token, "refs/heads/feature", tip, other), "STALE_DATA", "refs/heads/feature")
	w.fails(w.moveRef(w.token, "refs/heads/feature", zeroes, other), "STALE_DATA", "refs/heads/feature")
	w.fails(w.moveRef(w.token, "refs/heads/new", tip, other), "STALE_DATA", "refs/heads/new")
	w.fails(w.moveRef(w.token, "refs/heads/feature", one, other), "UNPROCESSABLE", "not a fast forward")
	require.Equal(t, one, w.head())
	w.succeeds(w.moveRef(w.token, "refs/heads/new", zeroes, other))
	require.Equal(t, other, w.as("GET", "repos/"+repo+"/commits/new", "").sha())
	w.succeeds(w.moveRef(w.token, "refs/heads/new", other, zeroes))
	w.refused(w.as("GET", "repos/"+repo+"/git/ref/heads/new", ""), 404, "Not Found")
}

// Several updates are atomic.
func TestUpdateRefsIsAtomic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tip := w.head()
	next, other := w.newCommit(tip, "Next"), w.newCommit(tip, "Other")
	both := func(updates ...map[string]any) reply {
		return w.ask(w.token, `mutation M($i:UpdateRefsInput!){updateRefs(input:$i){clientMutationId}}`, map[string]any{
			"i": map[string]any{"repositoryId": w.nodeID("repos/" + repo), "clientMutationId": "mine", "refUpdates": updates}})
	}
	first := map[string]any{"name": "refs/heads/new", "beforeOid": zeroes, "afterOid": next}
	w.fails(both(first, map[string]any{"name": "refs/heads/feature", "beforeOid": next, "afterOid": next}), "STALE_DATA",
		"feature")
	w.refused(w.as("GET", "repos/"+repo+"/git/ref/heads/new", ""), 404, "Not Found")
	data := w.succeeds(both(first, map[string]any{"name": "refs/heads/feature", "afterOid": next}))
	require.Equal(t, map[string]any{"updateRefs": map[string]any{"clientMutationId": "mine"}}, data)
	require.Equal(t, next, w.head())
	w.succeeds(both(map[string]any{"name": "refs/heads/feature", "afterOid": other, "force": true}))
	require.Equal(t, other, w.head())
}

// updateRefs is refused where a push is.
func TestWhatUpdateRefsRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	tip := w.head()
	next := w.newCommit(tip, "Next")
	id := w.nodeID("repos/" + repo)
	for _, c := range []struct{ ref, before, after, kind, message string }{
		{"feature", tip, next, "", "not a valid GitRefname"},
		{"refs/heads/feature", "abc", next, "", "not a valid GitObjectID"},
		{"refs/heads/feature", tip, next[:10], "", "not a valid GitObjectID"},
		{"refs/heads/feature", tip, strings.Repeat("a", 40), "UNPROCESSABLE", "Object does not exist"},
		{"refs/heads/a..b", zeroes, next, "UNPROCESSABLE", "not a valid ref name"},
		{"refs/heads/" + strings.Repeat("a1", 20), zeroes, next, "UNPROCESSABLE", "40 hex"},
		{"refs/heads/none", zeroes, zeroes, "UNPROCESSABLE", "does not exist"},
		{"refs/pull/1/head", tip, next, "UNPROCESSABLE", "cannot be updated"},
	} {
		w.fails(w.moveRef(w.token, c.ref, c.before, c.after), c.kind, c.message)
	}
	read := w.newToken(permissions(map[string]string{"contents": "read", "metadata": "read"}))
	w.fails(w.moveRef(read, "refs/heads/feature", tip, next), "FORBIDDEN", "Resource not accessible by integration")
	w.fails(w.ask(w.token, moveBranch, map[string]any{"r": "R_x", "n": "refs/heads/feature", "b": tip, "a": next}),
		"NOT_FOUND", "Could not resolve to a node with the global id of 'R_x'")

	require.NoError(t, w.Protect(repo, "feature", "Changes must be made through a pull request."))
	w.fails(w.moveRef(w.token, "refs/heads/feature", tip, next), "UNPROCESSABLE",
		"Changes must be made through a pull request.")
	require.NoError(t, w.Rule(repo, "feature", "Commits must have verified signatures."))
	w.fails(w.moveRef(w.token, "refs/heads/feature", tip, next), "UNPROCESSABLE",
		"Repository rule violations found\n\nCommits must have verified signatures.")
	w.refused(w.as("PATCH", "repos/"+repo+"/git/refs/heads/feature", `{"sha":"`+next+`"}`), 422,
		"Repository rule violations found")
	require.NoError(t, w.Rule(repo, "feature", ""))
	require.NoError(t, w.Archive(repo, true))
	w.fails(w.ask(w.token, moveBranch, map[string]any{"r": id, "n": "refs/heads/feature", "b": tip, "a": next}),
		"FORBIDDEN", "read-only")
	require.NoError(t, w.Archive(repo, false))
	require.Equal(t, tip, w.head())
}

const threadsOf = `query($o:String!,$n:String!,$i:Int!){
	repository(owner:$o,name:$n){pullRequest(number:$i){reviewThreads(first:100){nodes{
	id isResolved isOutdated path line
	comments(first:100){nodes{databaseId body author{login} createdAt updatedAt url}}}}}}}`

// The threads of a pull request, resolved or not, outdated or not.
func TestReviewThreads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20}, "Why?")
	require.NoError(t, err)
	r := w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/comments/%d/replies", repo, w.pull, first), `{"body":"Because."}`)
	require.Equal(t, 201, r.status)
	second, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 22}, "And here?")
	require.NoError(t, err)
	require.ErrorContains(t, w.ResolveThread("stranger", second), "no read permission")
	require.NoError(t, w.ResolveThread("alice", second))
	vars := map[string]any{"o": "acme", "n": "app", "i": w.pull}
	nodes := func() []any {
		data := w.succeeds(w.ask(w.token, threadsOf, vars))
		pr := data["repository"].(map[string]any)["pullRequest"].(map[string]any)
		require.Equal(t, []string{"reviewThreads"}, keys(pr))
		return pr["reviewThreads"].(map[string]any)["nodes"].([]any)
	}
	list := nodes()
	require.Len(t, list, 2)
	one := list[0].(map[string]any)
	require.Equal(t, []string{"comments", "id", "isOutdated", "isResolved", "line", "path"}, keys(one))
	require.Equal(t, json.Number("20"), one["line"])
	require.Equal(t, false, one["isResolved"])
	require.Equal(t, true, list[1].(map[string]any)["isResolved"])
	comments := one["comments"].(map[string]any)["nodes"].([]any)
	require.Len(t, comments, 2)
	reply := comments[1].(map[string]any)
	require.Equal(t, "Because.", reply["body"])
	require.Equal(t, map[string]any{"login": "tenon"}, reply["author"], "GraphQL leaves [bot] out")
	require.Equal(t, json.Number(fmt.Sprint(r.id())), reply["databaseId"])

	_, err = w.Push(repo, "feature", map[string]string{"a.txt": fileA("again")}, "Again\n")
	require.NoError(t, err)
	require.NoError(t, w.UnresolveThread("alice", second))
	list = nodes()
	require.Equal(t, true, list[0].(map[string]any)["isOutdated"])
	require.Nil(t, list[0].(map[string]any)["line"])
	require.Equal(t, false, list[1].(map[string]any)["isResolved"])
}

func keys(o map[string]any) []string {
	var names []string
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Queries that are invalid, or not supported here.
func TestWhatAQueryIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.AddUser("bob"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: "bob/secret", Files: map[string]string{"x": "x\n"}}))
	pull := func(args string) string {
		return `{repository(owner:"acme",name:"app"){pullRequest(number:1){reviewThreads` + args + `{nodes{id}}}}}`
	}
	for _, c := range []struct{ document, kind, message string }{
		{`{`, "", "Expected"},
		{`{nothing}`, "", "Cannot query field"},
		{`{repository(owner:"acme",name:"app")}`, "", "must have a selection"},
		{`{repository(owner:"acme"){id}}`, "", "is required"},
		{`{repository(owner:"acme",name:"app"){pullRequest(number:"1"){id}}}`, "", "Int cannot represent"},
		{`query A{repository(owner:"acme",name:"app"){id}} query B{repository(owner:"acme",name:"app"){id}}`, "",
			"operation name"},
		{pull(""), "", "You must provide a `first` or `last` value"},
		{pull("(first:101)"), "", "Requesting 101 records"},
		{pull(`(first:1,after:"x")`), "", "valid cursor"},
		{`{repository(owner:"acme",name:"none"){id}}`, "NOT_FOUND",
			"Could not resolve to a Repository with the name 'acme/none'."},
		{`{repository(owner:"bob",name:"secret"){id}}`, "NOT_FOUND", "Could not resolve to a Repository"},
		{`{repository(owner:"acme",name:"app"){pullRequest(number:2){id}}}`, "NOT_FOUND",
			"Could not resolve to a PullRequest with the number of 2."},
	} {
		w.fails(w.ask(w.token, c.document, nil), c.kind, c.message)
	}
	w.fails(w.ask(w.token, threadsOf, map[string]any{"o": "acme", "n": "app"}), "", "must be defined")
	w.fails(w.ask(w.token, threadsOf, map[string]any{"o": "acme", "n": 1, "i": 1}), "", "cannot use")
	w.refused(w.ask("", `{nothing}`, nil), 401, "Requires authentication")
	w.refused(w.ask("ghs_bad", `{nothing}`, nil), 401, "Bad credentials")
	w.refused(w.ask(w.token, "", nil), 400, "A query attribute must be specified")
	w.refused(w.as("POST", "graphql", `{"query":"{nothing}"}`), 404, "Not Found")
	issues := w.newToken(permissions(map[string]string{"issues": "read"}))
	w.fails(w.ask(issues, pull("(first:1)"), nil), "FORBIDDEN", "Resource not accessible by integration")
}

const addReaction = `mutation($s:ID!,$c:ReactionContent!){addReaction(input:{subjectId:$s,content:` +
	`$c}){reaction{content}}}`

// Reactions to reviews exist only in GraphQL.
func TestAReactionToAReview(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	review, err := w.Review("alice", repo, w.pull, sim.NewReview{Body: "@tenon look"})
	require.NoError(t, err)
	id := w.nodeID(fmt.Sprintf("%s/%d", w.reviews(), review))
	react := func(token, subject, content string) reply {
		return w.ask(token, addReaction, map[string]any{"s": subject, "c": content})
	}
	for range 2 {
		data := w.succeeds(react(w.token, id, "EYES"))
		require.Equal(t, map[string]any{"addReaction": map[string]any{"reaction": map[string]any{"content": "EYES"}}}, data)
	}
	w.succeeds(react(w.token, id, "THUMBS_DOWN"))
	all, err := w.Reactions(sim.ReviewItself, review)
	require.NoError(t, err)
	require.Equal(t, []sim.Reaction{{User: "tenon[bot]", Content: "eyes"}, {User: "tenon[bot]", Content: "-1"}}, all)

	w.fails(react(w.token, id, "eyes"), "", "ReactionContent")
	w.fails(react(w.token, id, "SHRUG"), "", "not a valid ReactionContent")
	w.fails(react(w.token, "PRR_none", "EYES"), "NOT_FOUND", "Could not resolve to a node")
	read := w.newToken(permissions(map[string]string{"pull_requests": "read"}))
	w.fails(react(read, id, "EYES"), "FORBIDDEN", "Resource not accessible by integration")
	require.NoError(t, w.Lock(repo, w.pull, true))
	w.fails(react(w.token, id, "ROCKET"), "FORBIDDEN", "locked")
}

// GraphQL shares the limits of REST: a used up hour is an error with status 200, too many mutations are a 403.
func TestGraphQLIsLimitedToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.RequestsPerHour, o.ContentPerMinute = 5, 1 })
	query := `{repository(owner:"acme",name:"app"){id}}`
	mutation := `mutation{addReaction(input:{subjectId:"x",content:EYES}){clientMutationId}}`
	w.succeeds(w.ask(w.token, query, nil))
	w.succeeds(w.ask(w.token, query, nil))
	w.fails(w.ask(w.token, mutation, nil), "NOT_FOUND", "Could not resolve")
	w.refused(w.ask(w.token, mutation, nil), 403, "secondary rate limit")
	r := w.ask(w.token, query, nil)
	require.Equal(t, "0", r.header.Get("X-RateLimit-Remaining"))
	require.Equal(t, "graphql", r.header.Get("X-RateLimit-Resource"))
	r = w.ask(w.token, query, nil)
	w.fails(r, "RATE_LIMITED", "API rate limit exceeded")
}

// The type of the error for a stale beforeOid is not documented, so a test can set it.
func TestAStaleMoveByAnotherName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.StaleType = "UNPROCESSABLE" })
	tip := w.head()
	w.fails(w.moveRef(w.token, "refs/heads/feature", zeroes, tip), "UNPROCESSABLE", "refs/heads/feature")
}
