package ghtest

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Failure is an answer that a request gets instead of its effect.
type Failure struct {
	Status  int
	Message string
	Header  http.Header
}

type failure struct {
	Failure
	match func(*http.Request) bool
	left  int
}

// FailNext gives the next n requests that match this answer, and nothing happens. A nil match is all requests. It works for
// git requests too.
func (s *Server) FailNext(match func(*http.Request) bool, n int, f Failure) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.failures = append(s.watch.failures, &failure{Failure: f, match: match, left: n})
}

// SecondaryLimit is GitHub's answer to too many requests at once, with status 403 or 429.
func SecondaryLimit(status int, retryAfter time.Duration) Failure {
	h := http.Header{}
	if retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
	}
	return Failure{Status: status, Header: h,
		Message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
}

// PrimaryLimit is GitHub's answer to an installation whose requests of this hour are spent, with status 403 or 429.
func PrimaryLimit(status int, reset time.Time) Failure {
	h := http.Header{}
	h.Set("X-RateLimit-Limit", strconv.Itoa(requestsPerHour))
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Used", strconv.Itoa(requestsPerHour))
	h.Set("X-RateLimit-Reset", fmt.Sprint(reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
	return Failure{Status: status, Header: h, Message: "API rate limit exceeded for installation."}
}

func (s *Server) nextFailure(r *http.Request) *Failure {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	for _, f := range s.watch.failures {
		if f.left > 0 && (f.match == nil || f.match(r)) {
			f.left--
			return &f.Failure
		}
	}
	return nil
}

func (f *Failure) answer() *answer {
	e := refuse(f.Status, "%s", f.Message)
	return &answer{status: f.Status, body: e.body(), header: f.Header.Clone()}
}
