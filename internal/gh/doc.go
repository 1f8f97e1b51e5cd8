// Package gh is a client of GitHub's REST and GraphQL APIs, as a GitHub App or with a token (plain.go). It implements
// port.GitHub.
//
// All requests are made in the same way. Each call (comments.go, pulls.go, upload.go, …) uses a new go-github client,
// which is authorised as the App (key.go), or with an installation token for one repository and one scope (scope.go,
// tokens.go, auth.go). Its requests keep to the pace of their installation (limiter.go), which follows GitHub's rate
// limits (limitheaders.go) and shares out writes by what they are worth (contentlimit.go); what was written is logged
// by a port.Pace, which all processes share, or else in memory (pace.go). GraphQL (graphql.go) is used for what REST
// cannot do: making a commit on a branch under a condition (onbranch.go), moving a branch under one (steps.go), review
// threads and reactions to reviews. Errors are turned into those of package bot (errors.go).
//
// A go-github client is not kept, because it remembers rate limits too, and would mix those of all installations.
package gh
