package simhttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/http/signin"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// routes returns the table of all operations, with the permission that GitHub's documentation ("Permissions required
// for GitHub Apps") names for each. More specific paths are before those that match them too.
func routes() []route {
	return slices.Concat(appRoutes(), threadRoutes(), pullRoutes(), checkRoutes(), actionsRoutes(), codeRoutes())
}

// appRoutes returns the routes of the App, its tokens, accounts and repositories.
func appRoutes() []route {
	return []route{
		{"GET", "/meta", asAnybody, nil, getMeta},
		{"GET", "/app", asApp, nil, getApp},
		{"GET", "/app/installations", asApp, nil, listInstallations},
		{"GET", "/app/installations/{installation_id}", asApp, nil, getInstallation},
		{"POST", "/app/installations/{installation_id}/access_tokens", asApp, nil, createToken},
		{"GET", "/repos/{owner}/{repo}/installation", asApp, nil, getRepoInstallation},
		{"POST", "/app-manifests/{code}/conversions", asAnybody, nil, convertManifest},
		{"DELETE", "/applications/{client_id}/token", asAnybody, nil, deleteUserToken},
		{"GET", "/user", asUser, nil, getViewer},
		{"GET", "/app/hook/config", asApp, nil, getHookConfig},
		{"GET", "/app/hook/deliveries", asApp, nil, listDeliveries},
		{"GET", "/app/hook/deliveries/{delivery_id}", asApp, nil, getDelivery},
		{"POST", "/app/hook/deliveries/{delivery_id}/attempts", asApp, nil, redeliver},

		{"GET", "/installation/repositories", asInstallation, needs("metadata:read"), listInstallationRepos},
		{"DELETE", "/installation/token", asInstallation, nil, revokeToken},
		{"GET", "/rate_limit", asInstallation, nil, getRateLimit},
		{"GET", "/users/{username}", asInstallation, nil, getUser},

		{"GET", "/repos/{owner}/{repo}", asInstallation, needs("metadata:read"), getRepo},
		{"GET", "/repos/{owner}/{repo}/collaborators/{username}/permission", asInstallation, needs("metadata:read"),
			getPermission},
		{"GET", "/repos/{owner}/{repo}/collaborators/{username}", asInstallation, needs("metadata:read"), checkCollaborator},
	}
}

// threadRoutes returns the routes of issues and of the conversations of issues and pull requests.
func threadRoutes() []route {
	return []route{
		{"GET", "/repos/{owner}/{repo}/issues/comments/{comment_id}", asInstallation, threadRead, getComment},
		{"PATCH", "/repos/{owner}/{repo}/issues/comments/{comment_id}", asInstallation, threadWrite, updateComment},
		{"DELETE", "/repos/{owner}/{repo}/issues/comments/{comment_id}", asInstallation, threadWrite, deleteComment},
		{"GET", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", asInstallation, threadRead, listReactions},
		{"POST", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", asInstallation, threadWrite, createReaction},
		{"DELETE", "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}", asInstallation, threadWrite,
			deleteReaction},
		{"GET", "/repos/{owner}/{repo}/issues", asInstallation, threadRead, listIssues},
		{"POST", "/repos/{owner}/{repo}/issues", asInstallation, needs("issues:write"), createIssue},
		{"PATCH", "/repos/{owner}/{repo}/issues/{issue_number}", asInstallation, threadWrite, updateIssue},
		{"GET", "/repos/{owner}/{repo}/issues/{issue_number}", asInstallation, threadRead, getIssue},
		{"GET", "/repos/{owner}/{repo}/issues/{issue_number}/comments", asInstallation, threadRead, listComments},
		{"POST", "/repos/{owner}/{repo}/issues/{issue_number}/comments", asInstallation, threadWrite, createComment},
		{"GET", "/repos/{owner}/{repo}/issues/{issue_number}/reactions", asInstallation, threadRead, listReactions},
		{"POST", "/repos/{owner}/{repo}/issues/{issue_number}/reactions", asInstallation, threadWrite, createReaction},
		{"DELETE", "/repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}", asInstallation, threadWrite,
			deleteReaction},

		{"GET", "/repos/{owner}/{repo}/issues/{issue_number}/labels", asInstallation, threadRead, listIssueLabels},
		{"POST", "/repos/{owner}/{repo}/issues/{issue_number}/labels", asInstallation, threadWrite, addLabels},
		{"DELETE", "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", asInstallation, threadWrite, removeLabel},
		{"PUT", "/repos/{owner}/{repo}/issues/{issue_number}/labels", asInstallation, threadWrite, replaceLabels},
		{"GET", "/repos/{owner}/{repo}/labels", asInstallation, threadRead, listLabels},
		{"POST", "/repos/{owner}/{repo}/labels", asInstallation, threadWrite, createLabel},
	}
}

// pullRoutes returns the routes of pull requests, their diffs and reviews.
func pullRoutes() []route {
	return []route{
		{"GET", "/repos/{owner}/{repo}/pulls/comments/{comment_id}", asInstallation, needs("pull_requests:read"),
			getReviewComment},
		{"PATCH", "/repos/{owner}/{repo}/pulls/comments/{comment_id}", asInstallation, needs("pull_requests:write"),
			updateReviewComment},
		{"DELETE", "/repos/{owner}/{repo}/pulls/comments/{comment_id}", asInstallation, needs("pull_requests:write"),
			deleteReviewComment},
		{"GET", "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions", asInstallation, needs("pull_requests:read"),
			listReactions},
		{"POST", "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions", asInstallation, needs("pull_requests:write"),
			createReaction},
		{"DELETE", "/repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions/{reaction_id}", asInstallation,
			needs("pull_requests:write"), deleteReaction},
		{"GET", "/repos/{owner}/{repo}/pulls", asInstallation, needs("pull_requests:read"), listPulls},
		{"POST", "/repos/{owner}/{repo}/pulls", asInstallation, needs("pull_requests:write"), createPull},
		{"PATCH", "/repos/{owner}/{repo}/pulls/{pull_number}", asInstallation, needs("pull_requests:write"), updatePull},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/commits", asInstallation, needs("pull_requests:read"),
			listPullCommits},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}", asInstallation, needs("pull_requests:read"), getPull},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/files", asInstallation, needs("pull_requests:read"),
			listPullFiles},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/comments", asInstallation, needs("pull_requests:read"),
			listReviewComments},
		{"POST", "/repos/{owner}/{repo}/pulls/{pull_number}/comments", asInstallation, needs("pull_requests:write"),
			createReviewComment},
		{"POST", "/repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies", asInstallation,
			needs("pull_requests:write"), createReply},

		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", asInstallation, needs("pull_requests:read"),
			listReviews},
		{"POST", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", asInstallation, needs("pull_requests:write"),
			createReview},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", asInstallation, needs("pull_requests:read"),
			getReview},
		{"PUT", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", asInstallation, needs("pull_requests:write"),
			updateReview},
		{"DELETE", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", asInstallation,
			needs("pull_requests:write"), deleteReview},
		{"GET", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/comments", asInstallation,
			needs("pull_requests:read"), listCommentsOfReview},
		{"POST", "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/events", asInstallation,
			needs("pull_requests:write"), submitReview},
	}
}

// checkRoutes returns the routes of check runs, check suites and statuses.
func checkRoutes() []route {
	return []route{
		{"POST", "/repos/{owner}/{repo}/check-runs", asInstallation, needs("checks:write"), createCheck},
		{"GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}", asInstallation, needs("checks:read"), getCheck},
		{"PATCH", "/repos/{owner}/{repo}/check-runs/{check_run_id}", asInstallation, needs("checks:write"), updateCheck},
		{"GET", "/repos/{owner}/{repo}/check-runs/{check_run_id}/annotations", asInstallation, needs("checks:read"),
			listAnnotations},
		{"GET", "/repos/{owner}/{repo}/commits/{ref:.+}/check-runs", asInstallation, needs("checks:read"), listChecks},
		{"GET", "/repos/{owner}/{repo}/commits/{ref:.+}/check-suites", asInstallation, needs("checks:read"), listSuites},
		{"GET", "/repos/{owner}/{repo}/check-suites/{check_suite_id}", asInstallation, needs("checks:read"), getSuite},
		{"GET", "/repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs", asInstallation, needs("checks:read"),
			listChecksOfSuite},
		{"GET", "/repos/{owner}/{repo}/commits/{ref:.+}/status", asInstallation, needs("statuses:read"), combinedStatus},
		{"GET", "/repos/{owner}/{repo}/commits/{ref:.+}/statuses", asInstallation, needs("statuses:read"), listStatuses},
	}
}

// actionsRoutes returns the routes of GitHub Actions.
func actionsRoutes() []route {
	return []route{
		{"GET", "/repos/{owner}/{repo}/actions/runs", asInstallation, needs("actions:read"), listWorkflowRuns},
		{"GET", "/repos/{owner}/{repo}/actions/runs/{run_id}", asInstallation, needs("actions:read"), getWorkflowRun},
		{"GET", "/repos/{owner}/{repo}/actions/runs/{run_id}/jobs", asInstallation, needs("actions:read"), listJobs},
		{"POST", "/repos/{owner}/{repo}/actions/runs/{run_id}/cancel", asInstallation, needs("actions:write"),
			cancelWorkflowRun},
		{"GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}", asInstallation, needs("actions:read"), getJob},
		{"GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}/logs", asInstallation, needs("actions:read"), getJobLog},
		{"GET", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}", asInstallation, needs("actions:read"), getWorkflow},
		{"GET", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs", asInstallation, needs("actions:read"),
			listWorkflowRuns},
		{"POST", "/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches", asInstallation, needs("actions:write"),
			dispatchWorkflow},
	}
}

// codeRoutes returns the routes of commits and git data.
func codeRoutes() []route {
	return []route{
		{"GET", "/repos/{owner}/{repo}/commits", asInstallation, needs("contents:read"), listCommits},
		{"GET", "/repos/{owner}/{repo}/commits/{ref:.+}", asInstallation, needs("contents:read"), getCommit},
		{"GET", "/repos/{owner}/{repo}/compare/{basehead:.+}", asInstallation, needs("contents:read"), compareCommits},
		{"GET", "/repos/{owner}/{repo}/branches", asInstallation, needs("contents:read"), listBranches},
		{"GET", "/repos/{owner}/{repo}/branches/{branch:.+}", asInstallation, needs("contents:read"), getBranch},
		{"GET", "/repos/{owner}/{repo}/contents/{path:.*}", asInstallation, needs("contents:read"), getContents},
		{"GET", "/repos/{owner}/{repo}/git/ref/{ref:.+}", asInstallation, needs("contents:read"), getRef},
		{"GET", "/repos/{owner}/{repo}/git/matching-refs/{ref:.+}", asInstallation, needs("contents:read"), matchingRefs},
		{"POST", "/repos/{owner}/{repo}/git/refs", asInstallation, needs("contents:write"), createRef},
		{"PATCH", "/repos/{owner}/{repo}/git/refs/{ref:.+}", asInstallation, needs("contents:write"), updateRef},
		{"DELETE", "/repos/{owner}/{repo}/git/refs/{ref:.+}", asInstallation, needs("contents:write"), deleteRef},
		{"POST", "/repos/{owner}/{repo}/git/blobs", asInstallation, needs("contents:write"), createBlob},
		{"GET", "/repos/{owner}/{repo}/git/blobs/{sha}", asInstallation, needs("contents:read"), getBlob},
		{"POST", "/repos/{owner}/{repo}/git/trees", asInstallation, needs("contents:write"), createTree},
		{"GET", "/repos/{owner}/{repo}/git/trees/{sha:.+}", asInstallation, needs("contents:read"), getTree},
		{"POST", "/repos/{owner}/{repo}/git/commits", asInstallation, needs("contents:write"), createCommit},
		{"GET", "/repos/{owner}/{repo}/git/commits/{sha}", asInstallation, needs("contents:read"), getGitCommit},
	}
}

// newRouter returns the routes of the API, and of git for everything else. The operations are divided by what resource
// returns of them, because to try the patterns of all takes longer than most operations do.
func newRouter() http.Handler {
	others := otherRoutes()
	routers := map[string]*mux.Router{}
	add := func(rt route, path string) {
		key := resource(rt.method, path)
		if routers[key] == nil {
			routers[key] = mux.NewRouter().SkipClean(true)
			routers[key].NotFoundHandler = others
		}
		routers[key].Path(path).Handler(operation(rt))
	}
	for _, rt := range routes() {
		add(rt, "/api/v3"+rt.path)
		if below, is := strings.CutPrefix(rt.path, "/repos/{owner}/{repo}"); is { // where redirects lead; not documented
			add(rt, "/api/v3/repositories/{repository_id:[0-9]+}"+below)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if router := routers[resource(r.Method, r.URL.Path)]; router != nil {
			router.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// resource returns the method and the constant words at the start of the path of an operation, as "GET repos issues".
func resource(method, path string) string {
	words := strings.SplitN(path, "/", 8) // "", "api", "v3", "repos", owner, repo, "issues"
	word := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch kind := word(3); kind {
	case "repos":
		return method + " " + kind + " " + word(6)
	case "repositories": // and an id
		return method + " " + kind + " " + word(5)
	default:
		return method + " " + kind
	}
}

// otherRoutes returns the routes of GraphQL, of pages and of git. Other paths of the API are not found.
func otherRoutes() http.Handler {
	r := mux.NewRouter().SkipClean(true)
	r.Methods(http.MethodPost).Path("/api" + traffic.GraphQLPath).Handler(operation(graphQLRoute()))
	r.PathPrefix("/api/").Handler(operation(route{do: func(*call) (*answer, error) { return nil, notFound() }}))
	signin.Routes(r, func(r *http.Request) *signin.Flows { return siteOf(r).flows })
	r.Methods(http.MethodPost).Path("/login/oauth/access_token").HandlerFunc(on((*site).accessToken))
	r.Path("/{owner}/{repo}/{service:info/refs|git-upload-pack|git-receive-pack}").HandlerFunc(
		on(func(s *site, w http.ResponseWriter, r *http.Request) { s.git.ServeGit(w, r) }))
	r.MethodNotAllowedHandler = operation(route{do: func(*call) (*answer, error) { return nil, notFound() }})
	return r
}
