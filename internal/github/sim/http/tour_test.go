package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// The tour calls every operation of the table once, with success; call checks each request and response by GitHub's
// description if TENON_GITHUB_OPENAPI names it.
func TestATourOfEveryOperation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mayStartWorkflows, func(o *simhttp.Options) { o.ContentPerMinute = -1 })
	w.subscribe()
	w.ForgetRequests()
	w.tourOfTheApp()
	w.tourOfThreads()
	w.tourOfPulls()
	w.tourOfGit()
	w.tourOfCI()
	person := w.tokensOf("alice").Get("access_token")
	w.walk(person, 0, step{"GET", "/user", ""})
	require.Equal(t, 204, w.revoke(person, w.ClientSecret()).status)
	require.Equal(t, 204, w.as("DELETE", "installation/token", "").status)
	w.walk("", 0, step{"POST", "/app-manifests/" + w.codeOf(appManifest) + "/conversions", ""})
	seen := map[string]bool{}
	for _, r := range w.Requests() {
		if r.Status < 400 {
			seen[r.Method+" "+r.Route] = true
		}
	}
	for _, op := range simhttp.Operations() {
		require.True(t, seen[op], op)
	}
}

// step is a request that succeeds, below repos/acme/app/ unless its path begins with a slash. An earlier answer's id
// stands for %d.
type step struct{ method, path, body string }

// walk takes steps, and returns the id in the last response.
func (w *world) walk(token string, id int64, steps ...step) int64 {
	w.t.Helper()
	for _, s := range steps {
		path, absolute := strings.CutPrefix(s.path, "/")
		if !absolute {
			path = "repos/" + repo + "/" + path
		}
		path = strings.ReplaceAll(path, "%d", fmt.Sprint(id))
		r := w.call(s.method, path, token, s.body)
		require.Less(w.t, r.status, 300, "%s %s: %s", s.method, path, r.text)
		if r.id() != 0 {
			id = r.id()
		}
	}
	return id
}

func (w *world) tourOfTheApp() {
	w.t.Helper()
	jwt := w.jwt(nil)
	w.walk(jwt, w.installation, step{"GET", "/app/installations/%d", ""},
		step{"POST", "/app/installations/%d/access_tokens", ""},
		step{"GET", "/meta", ""}, step{"GET", "/app/installations", ""}, step{"GET", "/app", ""},
		step{"GET", "installation", ""}, step{"GET", "/app/hook/config", ""})
	w.walk(w.token, 0, step{"GET", "/installation/repositories", ""}, step{"GET", "/rate_limit", ""},
		step{"GET", "/users/alice", ""},
		step{"GET", "/repos/" + repo, ""}, step{"GET", "collaborators/alice", ""},
		step{"GET", "collaborators/alice/permission", ""})
	w.walk(w.token, 0, step{"POST", "issues/1/comments", `{"body":"b"}`})
	w.WaitDeliveries()
	id := w.Deliveries()[0].ID
	w.walk(jwt, id, step{"GET", "/app/hook/deliveries", ""}, step{"POST", "/app/hook/deliveries/%d/attempts", ""},
		step{"GET", "/app/hook/deliveries/%d", ""})
}

func (w *world) tourOfThreads() {
	w.t.Helper()
	comment := w.walk(w.token, 0, step{"POST", "issues/2/comments", `{"body":"b"}`}, step{"GET", "issues/comments/%d", ""},
		step{"PATCH", "issues/comments/%d", `{"body":"c"}`}, step{"GET", "issues/2/comments?per_page=1", ""},
		step{"GET", "issues/comments/%d/reactions", ""})
	w.walk(w.token, comment, step{"POST", "issues/comments/%d/reactions", `{"content":"eyes"}`})
	w.walk(w.token, w.reaction(fmt.Sprintf("issues/comments/%d", comment)),
		step{"DELETE", fmt.Sprintf("issues/comments/%d/reactions/%%d", comment), ""})
	w.walk(w.token, comment, step{"DELETE", "issues/comments/%d", ""})
	w.walk(w.token, 0, step{"POST", "issues/2/reactions", `{"content":"rocket"}`}, step{"GET", "issues/2/reactions", ""})
	w.walk(w.token, w.reaction("issues/2"), step{"DELETE", "issues/2/reactions/%d", ""})
	w.walk(w.token, 0, step{"GET", "issues", ""}, step{"POST", "issues", `{"title":"t","labels":["l"]}`},
		step{"GET", "issues/3", ""},
		step{"PATCH", "issues/3", `{"body":null,"state":"closed","state_reason":"not_planned"}`},
		step{"POST", "issues/2/labels", `{"labels":["one"]}`}, step{"GET", "issues/2/labels", ""},
		step{"PUT", "issues/2/labels", `["two"]`},
		step{"DELETE", "issues/2/labels/two", ""}, step{"GET", "labels", ""},
		step{"POST", "labels", `{"name":"n","color":"00ff00"}`})
}

// reaction returns the first reaction's id.
func (w *world) reaction(of string) int64 {
	w.t.Helper()
	w.as("POST", "repos/"+repo+"/"+of+"/reactions", `{"content":"heart"}`)
	return w.as("POST", "repos/"+repo+"/"+of+"/reactions", `{"content":"heart"}`).id()
}

func (w *world) tourOfPulls() {
	w.t.Helper()
	place := fmt.Sprintf(`{"body":"b","path":"a.txt","commit_id":%q,"line":20,"side":"RIGHT"}`, w.head())
	note := w.walk(w.token, 0, step{"POST", "pulls/1/comments", place}, step{"GET", "pulls/comments/%d", ""},
		step{"PATCH", "pulls/comments/%d", `{"body":"c"}`},
		step{"GET", "pulls/1/comments", ""}, step{"GET", "pulls/comments/%d/reactions", ""})
	w.walk(w.token, note, step{"POST", "pulls/1/comments/%d/replies", `{"body":"b"}`},
		step{"POST", "pulls/comments/%d/reactions", `{"content":"eyes"}`})
	w.walk(w.token, w.reaction(fmt.Sprintf("pulls/comments/%d", note)),
		step{"DELETE", fmt.Sprintf("pulls/comments/%d/reactions/%%d", note), ""})
	w.walk(w.token, note, step{"DELETE", "pulls/comments/%d", ""})
	w.walk(w.token, 0, step{"POST", "pulls/1/reviews", `{"body":"b","event":"COMMENT"}`},
		step{"GET", "pulls/1/reviews/%d", ""},
		step{"PUT", "pulls/1/reviews/%d", `{"body":"c"}`}, step{"GET", "pulls/1/reviews/%d/comments", ""},
		step{"GET", "pulls/1/reviews", ""},
		step{"POST", "pulls/1/reviews", `{"body":"pending"}`},
		step{"POST", "pulls/1/reviews/%d/events", `{"event":"COMMENT"}`},
		step{"POST", "pulls/1/reviews", `{"comments":[{"path":"a.txt","body":"b","line":20}]}`},
		step{"DELETE", "pulls/1/reviews/%d", ""})
	_, err := w.Push(repo, "idea", map[string]string{"x": "x\n"}, "Idea\n")
	require.NoError(w.t, err)
	w.walk(w.token, 0, step{"GET", "pulls", ""},
		step{"POST", "pulls", newPull("idea", "main", `,"draft":true,"body":"b"`)}, step{"GET", "pulls/4", ""},
		step{"PATCH", "pulls/4", `{"title":"t","state":"closed"}`}, step{"GET", "pulls/4/files", ""},
		step{"GET", "pulls/4/commits", ""})
}

func (w *world) tourOfGit() {
	w.t.Helper()
	sha := w.head()
	w.walk(w.token, 0, step{"POST", "check-runs", checkBody(sha, `,"output":{"title":"t","summary":"s"}`)},
		step{"GET", "check-runs/%d", ""},
		step{"PATCH", "check-runs/%d", `{"conclusion":"success"}`}, step{"GET", "check-runs/%d/annotations", ""},
		step{"GET", "commits/feature/check-runs", ""})
	w.walk(w.token, 0, step{"GET", "commits", ""}, step{"GET", "commits/feature", ""}, step{"GET", "branches", ""},
		step{"GET", "compare/main...feature", ""},
		step{"GET", "branches/feature", ""},
		step{"GET", "contents/a.txt", ""}, step{"GET", "contents/", ""}, step{"GET", "git/ref/heads/feature", ""},
		step{"GET", "git/matching-refs/heads", ""},
		step{"POST", "git/refs", fmt.Sprintf(`{"ref":"refs/heads/new/one","sha":%q}`, sha)},
		step{"PATCH", "git/refs/heads/new/one", fmt.Sprintf(`{"sha":%q}`, sha)},
		step{"DELETE", "git/refs/heads/new/one", ""}, step{"GET", "git/trees/feature", ""},
		step{"GET", "git/commits/" + sha, ""})
	base := "repos/" + repo + "/git/"
	blob := w.as("POST", base+"blobs", `{"content":"x"}`)
	tree := w.as("POST", base+"trees", fmt.Sprintf(`{"tree":[{"path":"x","mode":"100644","type":"blob","sha":%q}]}`,
		blob.sha()))
	w.walk(w.token, 0, step{"GET", "git/blobs/" + blob.sha(), ""},
		step{"POST", "git/commits", fmt.Sprintf(`{"message":"m","tree":%q,"parents":[%q]}`, tree.sha(), sha)})
}

func (w *world) tourOfCI() {
	w.t.Helper()
	sha, err := w.Push(repo, "main", map[string]string{".github/workflows/verify.yml": verifyFile}, "Verify\n")
	require.NoError(w.t, err)
	ci := w.CI(repo, sha)
	require.NoError(w.t, ci.Job("test").Fails("broken\n"))
	require.NoError(w.t, ci.Status("deploy/preview", "success", "Ready", "https://preview.example.com"))
	job := w.jobOf(sha, "test")
	w.walk(w.token, job, step{"GET", "check-runs/%d", ""}, step{"GET", "check-runs/%d/annotations", ""},
		step{"GET", "actions/jobs/%d", ""}, step{"GET", "commits/main/check-runs", ""},
		step{"GET", "commits/main/status", ""}, step{"GET", "commits/main/statuses", ""})
	require.Equal(w.t, 302, w.jobLog(w.token, job).status)
	suites := w.as("GET", "repos/"+repo+"/commits/"+sha+"/check-suites", "").object()["check_suites"].([]any)
	suite := reply{json: suites[0]}.id()
	w.walk(w.token, suite, step{"GET", "check-suites/%d", ""}, step{"GET", "check-suites/" + fmt.Sprint(suite) +
		"/check-runs", ""})
	w.walk(w.token, 0, step{"GET", "actions/runs", ""}, step{"GET", "actions/workflows/verify.yml", ""},
		step{"POST", "actions/workflows/verify.yml/dispatches", `{"ref":"main","inputs":{"why":"a tour"}}`},
		step{"POST", "actions/workflows/verify.yml/dispatches", `{"ref":"main","inputs":{"why":"a tour"},` +
			`"return_run_details":true}`}, step{"GET", "actions/workflows/verify.yml/runs?event=workflow_dispatch", ""})
	runs, err := w.WorkflowRuns(repo)
	require.NoError(w.t, err)
	w.walk(w.token, runs[len(runs)-1].ID, step{"GET", "actions/runs/%d", ""}, step{"GET", "actions/runs/%d/jobs", ""},
		step{"POST", "actions/runs/%d/cancel", ""})
}
