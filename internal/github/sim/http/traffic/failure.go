package traffic

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// RequestsPerHour is the primary rate limit of an installation, by GitHub's documentation.
const RequestsPerHour = 5000

// FailNext makes the next n matching requests fail with this response, without an effect. A nil match means all
// requests, those of git included.
func (s Traffic) FailNext(match func(*http.Request) bool, n int, f Failure) {
	s.watch.mu.Lock()
	defer s.watch.mu.Unlock()
	s.watch.failures = append(s.watch.failures, &failure{Failure: f, match: match, left: n})
}

// SecondaryLimit returns GitHub's response to too many requests at once, with status 403 or 429.
func SecondaryLimit(status int, retryAfter time.Duration) Failure {
	h := http.Header{}
	if retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(retryAfter.Seconds())))
	}
	return Failure{Status: status, Header: h,
		Message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}
}

// PrimaryLimit returns GitHub's response to an installation whose requests of the hour are used up, with status 403 or
// 429.
func PrimaryLimit(status int, reset time.Time) Failure {
	h := http.Header{}
	h.Set("X-RateLimit-Limit", strconv.Itoa(RequestsPerHour))
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Used", strconv.Itoa(RequestsPerHour))
	h.Set("X-RateLimit-Reset", fmt.Sprint(reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
	return Failure{Status: status, Header: h, Message: "API rate limit exceeded for installation."}
}

// NextFailure returns the failure that a request gets instead of having an effect, nil for none.
func (w *Watch) NextFailure(r *http.Request) *Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.failures {
		if f.left > 0 && (f.match == nil || f.match(r)) {
			f.left--
			return &f.Failure
		}
	}
	return nil
}
