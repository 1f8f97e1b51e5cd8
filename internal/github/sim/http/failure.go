package simhttp

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Failure is a response that a request gets instead of having an effect.
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

// FailNext makes the next n matching requests fail with this response, without an effect. A nil match means all
// requests, those of git included.
func (s traffic) FailNext(match func(*http.Request) bool, n int, f Failure) {
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
	h.Set("X-RateLimit-Limit", strconv.Itoa(requestsPerHour))
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Used", strconv.Itoa(requestsPerHour))
	h.Set("X-RateLimit-Reset", fmt.Sprint(reset.Unix()))
	h.Set("X-RateLimit-Resource", "core")
	return Failure{Status: status, Header: h, Message: "API rate limit exceeded for installation."}
}

func (s traffic) nextFailure(r *http.Request) *Failure {
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
	e := model.Refuse(f.Status, "%s", f.Message)
	return &answer{status: f.Status, body: e.Body(), header: f.Header.Clone()}
}
