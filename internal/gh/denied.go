package gh

import "strings"

// GitHub's messages for what a token may not do. The first is about a permission: "… by integration", or "… by personal
// access token".
const (
	notAccessible = "Resource not accessible by "
	notWorkflows  = "refusing to allow " // "a GitHub App to create or update workflow `…` without `workflows` permission"
	notPulls      = "GitHub Actions is not permitted to create or approve pull requests"
)

// isDenied reports whether a message of GitHub is that a token lacks a permission.
func isDenied(message string) bool { return strings.HasPrefix(message, notAccessible) }

// acceptedPermissions is the header that says which permissions a request needs.
const acceptedPermissions = "X-Accepted-GitHub-Permissions"

// permissionsIn returns the permissions of the header as workflows name them: of "issues=write; pull_requests=write",
// any of which would do, the first, and of "contents=write,workflows=write" both.
func permissionsIn(header string) (list []string) {
	first, _, _ := strings.Cut(header, ";")
	for one := range strings.SplitSeq(first, ",") {
		name, level, ok := strings.Cut(strings.TrimSpace(one), "=")
		if ok && isWord(name) && isWord(level) {
			list = append(list, strings.ReplaceAll(name, "_", "-")+": "+level)
		}
	}
	return list
}

// isWord reports whether a text is the name of a permission or of a level.
func isWord(s string) bool {
	isOther := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') }
	return s != "" && len(s) <= 40 && !strings.ContainsFunc(s, isOther)
}

// graphQLNeeds are the permissions that operations of GraphQL need, of which GitHub's refusal says nothing.
var graphQLNeeds = map[string][]string{
	createCommitOnBranch: {"contents: write"},
	updateRefs:           {"contents: write"},
	addReaction:          {"pull-requests: write"},
	reviewThreads:        {"pull-requests: read"},
	markReady:            {"contents: write", "pull-requests: write"},
	pullState:            {"contents: read", "pull-requests: read"},
}
