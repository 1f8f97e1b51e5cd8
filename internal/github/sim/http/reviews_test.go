package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

func (w *world) reviews() string { return fmt.Sprintf("repos/%s/pulls/%d/reviews", repo, w.pull) }

// "Create a review for a pull request": a body is "required when using REQUEST_CHANGES or COMMENT", comments need a
// place in the diff, and the review is created as a whole or not at all.
func TestAReviewIsRefusedAsAWhole(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct{ body, message string }{
		{`{"event":"COMMENT"}`, "Could not comment pull request review"},
		{`{"event":"REQUEST_CHANGES","body":" "}`, "Could not request changes"},
		{`{"event":"LGTM","body":"x"}`, "invalid value"},
		{`{"event":7}`, "is not a string"},
		{`{"event":"COMMENT","body":"` + strings.Repeat("x", 65537) + `"}`, "maximum is 65536 characters"},
		{`{"event":"COMMENT","body":"x","commit_id":"` + strings.Repeat("0", 40) + `"}`, "commit_id is not part"},
		{`{"event":"COMMENT","body":"x","comments":[{"path":"a.txt","body":"y","line":20},{"path":"a.txt","body":"y",` +
			`"line":2}]}`, "line must be part of the diff"},
		{`{"event":"COMMENT","body":"x","comments":[{"path":"a.txt","line":20}]}`, `body\" wasn't supplied`},
		{`{"event":"COMMENT","body":"x","comments":[{"body":"y","line":20}]}`, `path\" wasn't supplied`},
	} {
		w.refused(w.as("POST", w.reviews(), c.body), 422, c.message)
	}
	w.refused(w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/reviews", repo, w.issue), `{"event":"COMMENT","body":"x"}`), 404,
		"Not Found")
	read := w.newToken(permissions(map[string]string{"pull_requests": "read"}))
	w.refused(w.call("POST", w.reviews(), read, `{"event":"COMMENT","body":"x"}`), 403, "not accessible by integration")
	require.NoError(t, w.Lock(repo, w.pull, true))
	w.refused(w.as("POST", w.reviews(), `{"event":"COMMENT","body":"x"}`), 403, "locked")
	list, err := w.Reviews(repo, w.pull)
	require.NoError(t, err)
	require.Empty(t, list)
	notes, err := w.ReviewComments(repo, w.pull)
	require.NoError(t, err)
	require.Empty(t, notes)
}

// "Updates the contents of a specified review summary comment", with a delivery pull_request_review edited; those of
// others cannot be edited.
func TestAReviewIsEditedInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	r := w.as("POST", w.reviews(),
		`{"event":"COMMENT","body":"working","comments":[{"path":"a.txt","body":"here","line":20}]}`)
	require.Equal(t, 200, r.status, r.text)
	require.Equal(t, "COMMENTED", r.object()["state"])
	require.NotEmpty(t, r.object()["submitted_at"])
	w.WaitDeliveries() // deliveries keep no order
	one := fmt.Sprintf("%s/%d", w.reviews(), r.id())
	require.Equal(t, "done", w.as("PUT", one, body("done")).object()["body"])
	w.WaitDeliveries()
	h, o := in.last(t)
	require.Equal(t, "pull_request_review", h.Get("X-GitHub-Event"))
	require.Equal(t, "edited", o["action"])
	require.Equal(t, "commented", o["review"].(map[string]any)["state"], "in lower case in payloads")
	require.Equal(t, map[string]any{"body": map[string]any{"from": "working"}}, o["changes"])

	w.refused(w.as("PUT", one, body("")), 422, "cannot be blank")
	w.refused(w.as("PUT", one, `{}`), 422, "wasn't supplied")
	w.refused(w.as("PUT", one, body(strings.Repeat("x", 65537))), 422, "maximum is 65536 characters")
	w.refused(w.as("PUT", w.reviews()+"/1", body("x")), 404, "Not Found")
	w.refused(w.as("DELETE", one, ""), 422, "non-pending")
	w.refused(w.as("POST", one+"/events", `{"event":"COMMENT","body":"x"}`), 422, "not pending")
	notes := w.as("GET", one+"/comments", "").list()
	require.Len(t, notes, 1)
	require.Equal(t, fmt.Sprint(r.id()), fmt.Sprint(notes[0].(map[string]any)["pull_request_review_id"]))

	other, err := w.Review("owner", repo, w.pull, sim.NewReview{Event: "APPROVE"})
	require.NoError(t, err)
	w.refused(w.as("PUT", fmt.Sprintf("%s/%d", w.reviews(), other), body("x")), 403, "not accessible by integration")
	require.Len(t, w.as("GET", w.reviews(), "").list(), 2)
	require.Equal(t, "done", w.as("GET", one, "").object()["body"])
	list, err := w.Reviews(repo, w.pull)
	require.NoError(t, err)
	require.Equal(t, "APPROVED", list[1].State)
}

// "To create a pending review for a pull request, leave the event parameter blank": nobody sees it until it is
// submitted, and "user can only have one pending review per pull request".
func TestAPendingReviewIsSubmittedLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	r := w.as("POST", w.reviews(), `{"comments":[{"path":"a.txt","body":"here","line":20}]}`)
	require.Equal(t, 200, r.status, r.text)
	require.Equal(t, "PENDING", r.object()["state"])
	require.NotContains(t, r.object(), "submitted_at")
	one := fmt.Sprintf("%s/%d", w.reviews(), r.id())
	w.WaitDeliveries()
	require.Empty(t, w.Deliveries())
	require.Empty(t, w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull), "").list())
	require.Len(t, w.as("GET", one+"/comments", "").list(), 1)
	w.refused(w.as("POST", w.reviews(), `{"event":"COMMENT","body":"x"}`), 422, "one pending review per pull request")
	note := fmt.Sprintf(`{"body":"x","commit_id":%q,"path":"a.txt","line":20}`, w.head())
	w.refused(w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull), note), 422,
		"one pending review per pull request")

	w.refused(w.as("POST", one+"/events", `{}`), 422, "wasn't supplied")
	w.refused(w.as("POST", one+"/events", `{"event":"COMMENT"}`), 422, "Could not comment")
	require.Equal(t, "COMMENTED", w.as("POST", one+"/events", `{"event":"COMMENT","body":"look"}`).object()["state"])
	w.WaitDeliveries()
	events := map[string]bool{}
	for _, h := range in.heads {
		events[h.Get("X-GitHub-Event")] = true
	}
	require.Equal(t, map[string]bool{"pull_request_review": true, "pull_request_review_comment": true}, events)
	require.Len(t, w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull), "").list(), 1)

	pending := w.as("POST", w.reviews(), `{"body":"again"}`)
	require.Equal(t, 200, w.as("DELETE", fmt.Sprintf("%s/%d", w.reviews(), pending.id()), "").status)
	w.refused(w.as("GET", fmt.Sprintf("%s/%d", w.reviews(), pending.id()), ""), 404, "Not Found")
}

// "Can not approve your own pull request", nor request changes; a comment is fine.
func TestNobodyApprovesTheirOwnPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	for _, event := range []string{"APPROVE", "REQUEST_CHANGES"} {
		_, err := w.Review("alice", repo, w.pull, sim.NewReview{Event: event, Body: "x"})
		require.ErrorContains(t, err, "your own pull request")
	}
	_, err := w.Review("alice", repo, w.pull,
		sim.NewReview{Body: "/tenon fix",
			Notes: []sim.Note{{Place: sim.Place{Path: "a.txt", Line: 20}, Body: "this"}}})
	require.NoError(t, err)
	w.WaitDeliveries()
	require.Len(t, w.Deliveries(), 2)
	first := in.bodies[0]
	require.Contains(t, string(first)+string(in.bodies[1]), `/tenon fix`)
	_, err = w.Review("stranger", repo, w.pull, sim.NewReview{Body: "x"})
	require.ErrorContains(t, err, "no read permission")
	_, err = w.Review("alice", repo, w.issue, sim.NewReview{Body: "x"})
	require.ErrorContains(t, err, "no pull request")
}
