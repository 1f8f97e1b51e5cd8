// Package ghtest is a fake GitHub: an HTTP server with state that implements the REST API and a small part of GraphQL,
// serves git repositories and sends signed webhook deliveries. End-to-end tests and `tenon demo` use it.
//
// It is written against GitHub's documentation, not against a client, and is as strict as GitHub: it refuses what
// GitHub refuses, with GitHub's status and message. Where GitHub's behaviour is not documented, it implements the
// stricter variant. It behaves like a GitHub Enterprise Server in private mode: the API is below /api/v3/ and requires
// credentials; by git, public repositories can be read by everybody.
//
// A request is handled in these steps (request.go): the route table (routes.go), the credentials (auth.go), the token's
// access and permissions (permission.go), and then the effect. GraphQL (graphql.go) checks a document by a part of
// GitHub's schema and continues with the same steps. One lock guards everything in memory. The git repositories are
// in a folder, where git http-backend serves them, or in memory.
//
// Nothing of a repository is run: CI (act_ci.go) acts as the workflows of GitHub Actions, other Apps and services that
// say something of a commit. Logs of jobs are on a host of their own (joblogs.go), to which GitHub redirects.
package ghtest
