package traffic

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// Request is an entry of the log of all API and git requests.
type Request struct {
	Method, Path string
	// Query is the raw query string.
	Query string
	// Route is the pattern of the path, as in GitHub's documentation; empty if no operation matched. For git it is
	// "git-upload-pack" or "git-receive-pack".
	Route string
	// Installation is the one of the token; 0 for the App itself and without credentials.
	Installation int64
	// Status is 0 until the response.
	Status     int
	Start, End time.Time
}

// Kind returns the interface of the request.
func (r Request) Kind() Kind {
	switch {
	case r.Route == LogRoute:
		return KindLog
	case !strings.HasPrefix(r.Path, "/api/"):
		return KindGit
	case r.Route == GraphQLPath:
		return KindGraphQL
	}
	return KindREST
}

// Kind is the interface of a request.
type Kind string

// The kinds of requests.
const (
	KindREST    Kind = "REST"
	KindGraphQL Kind = "GraphQL"
	KindGit     Kind = "git"
	KindLog     Kind = "log" // a download from the host of the logs
)

// LogRoute is the route of the downloads of logs in the list of requests.
const LogRoute = "job-log"

// GraphQLPath is beside the REST API on a GitHub Enterprise Server, not below it.
const GraphQLPath = "/graphql"

// OfKind returns the requests of some kinds, in the order of their arrival.
func OfKind(list []Request, kinds ...Kind) []Request {
	return slices.DeleteFunc(slices.Clone(list), func(r Request) bool { return !slices.Contains(kinds, r.Kind()) })
}

// InTurn returns the length of the longest sequence of requests in which each began after the response to the previous
// one. Requests without a response do not count.
func InTurn(list []Request) int {
	done := slices.DeleteFunc(slices.Clone(list), func(r Request) bool { return r.End.IsZero() })
	slices.SortFunc(done, func(a, b Request) int { return a.End.Compare(b.End) })
	n := 0
	var last Request
	for _, r := range done { // of all that could come next, the one that ends first leaves the most room
		if n == 0 || !r.Start.Before(last.End) {
			n, last = n+1, r
		}
	}
	return n
}

// Credentials returns x for "Bearer x", "token x" and basic authentication with the password x.
func Credentials(r *http.Request) string {
	if _, password, ok := r.BasicAuth(); ok {
		return password
	}
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "token") {
		return strings.TrimSpace(value)
	}
	return ""
}
