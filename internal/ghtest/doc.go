// Package ghtest is a GitHub of one's own: an HTTP server with state that speaks the REST API and a little GraphQL, serves
// real git repositories and sends signed webhook deliveries. End-to-end tests and `tenon demo` run against it.
//
// It is written against GitHub's documentation, not against a client, and is as unforgiving as the real one: what
// GitHub refuses it refuses, with GitHub's status and words. Where GitHub's behaviour is not certain it takes the
// stricter reading. It stands for a GitHub Enterprise Server in private mode: the API is under /api/v3/ and nobody
// reads it without credentials; over git, public repositories are open to everybody.
//
// A request goes through answer (request.go): route table (routes.go), who asks (auth.go), what the token may see and do
// (permission.go), then the effect. GraphQL (graphql.go) holds a document to a part of GitHub's schema and then goes the same way. Everything in memory is guarded by one lock; git objects live in bare repositories on
// disk, changed by the system's git alone.
package ghtest
