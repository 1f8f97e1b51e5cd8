package simhttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gorilla/mux"
)

// who is the kind of credentials that a route requires.
type who int

const (
	_              who = iota
	asApp              // a JSON web token of the App
	asInstallation     // an installation token
	asAnybody          // none
	asUser             // the token of a person
)

// route is one operation of the REST API.
type route struct {
	method, path string
	as           who
	// needs are alternatives, "permission:level": the token must have one of them. None means any token.
	needs []string
	do    func(*call) (*answer, error)
}

func needs(alternatives ...string) []string { return alternatives }

// The permissions of conversations: "At least one of" in GitHub's documentation, of which answer selects by the kind of
// thread.
var (
	threadRead  = needs("issues:read", "pull_requests:read")
	threadWrite = needs("issues:write", "pull_requests:write")
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

// newRouter returns the routes of the API, and of git for everything else.
func newRouter() http.Handler {
	r := mux.NewRouter().SkipClean(true)
	for _, rt := range routes() {
		r.Methods(rt.method).Path("/api/v3" + rt.path).Handler(operation(rt))
		if below, is := strings.CutPrefix(rt.path, "/repos/{owner}/{repo}"); is { // where redirects lead; not documented
			r.Methods(rt.method).Path("/api/v3/repositories/{repository_id:[0-9]+}" + below).Handler(operation(rt))
		}
	}
	r.Methods(http.MethodPost).Path("/api" + graphQLPath).Handler(operation(graphQLRoute()))
	r.PathPrefix("/api/").Handler(operation(route{do: func(*call) (*answer, error) { return nil, notFound() }}))
	pageRoutes(r)
	r.Path("/{owner}/{repo}/{service:info/refs|git-upload-pack|git-receive-pack}").HandlerFunc(on((*Server).serveGit))
	r.MethodNotAllowedHandler = operation(route{do: func(*call) (*answer, error) { return nil, notFound() }})
	return r
}
