package simhttp

import (
	"slices"
	"strings"
)

// Kind is the interface of a request.
type Kind string

// The kinds of requests.
const (
	KindREST    Kind = "REST"
	KindGraphQL Kind = "GraphQL"
	KindGit     Kind = "git"
	KindLog     Kind = "log" // a download from the host of the logs
)

// Kind returns the interface of the request.
func (r Request) Kind() Kind {
	switch {
	case r.Route == logRoute:
		return KindLog
	case !strings.HasPrefix(r.Path, "/api/"):
		return KindGit
	case r.Route == graphQLPath:
		return KindGraphQL
	}
	return KindREST
}

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
