// Package gh is the bot's way to GitHub's REST and GraphQL APIs, as a GitHub App.
//
// Every request takes the same way: the call (pulls.go, post.go, upload.go, …) is made by a go-github client of its own, which is
// authorised as the App (key.go) or with an installation token narrowed to one repository and one scope (scope.go, tokens.go,
// auth.go), and passes the gate of its installation (limiter.go), which knows GitHub's rate limits and paces what writes
// (pace.go). GraphQL (graphql.go) is for what REST has no words for: moving a branch under a condition, review threads and
// reactions to reviews. Errors come back as the bot's (errors.go). A client of go-github remembers rate limits too, and would mix
// those of all installations: so none is kept.
package gh
