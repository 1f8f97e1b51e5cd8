package simhttp_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// A user with write permission ticks a box in the App's comment, and the payload contains the old text.
func TestAPersonTicksABoxOfTheApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.SetRole(repo, "stranger", entity.RoleTriage))
	id := w.as("POST", fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull), body("- [ ] 1")).id()
	in := w.subscribe()
	require.ErrorContains(t, w.EditComment("stranger", id, "- [x] 1"), "may not change the comment")
	require.NoError(t, w.EditComment("alice", id, "- [x] 1"))
	head, o := in.last(t)
	require.Equal(t, "issue_comment", head.Get("X-GitHub-Event"))
	require.Equal(t, "edited", o["action"])
	require.Equal(t, "alice", o["sender"].(map[string]any)["login"])
	comment := o["comment"].(map[string]any)
	require.Equal(t, "tenon[bot]", comment["user"].(map[string]any)["login"])
	require.Equal(t, "- [x] 1", comment["body"])
	require.Equal(t, map[string]any{"body": map[string]any{"from": "- [ ] 1"}}, o["changes"])

	require.NoError(t, w.DeleteComment("alice", id))
	_, o = in.last(t)
	require.Equal(t, "deleted", o["action"])
	w.refused(w.as("PATCH", fmt.Sprintf("repos/%s/issues/comments/%d", repo, id), body("x")), 404, "Not Found")
}

// The App edits and deletes its own comments only.
func TestTheAppLeavesOthersCommentsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, err := w.Comment("alice", repo, w.pull, "mine")
	require.NoError(t, err)
	path := fmt.Sprintf("repos/%s/issues/comments/%d", repo, id)
	w.refused(w.as("PATCH", path, body("x")), 403, "not accessible by integration")
	w.refused(w.as("DELETE", path, ""), 403, "not accessible by integration")
	review, err := w.Review("alice", repo, w.pull, sim.NewReview{Body: "mine"})
	require.NoError(t, err)
	w.refused(w.as("PUT", fmt.Sprintf("%s/%d", w.reviews(), review), body("x")), 403, "not accessible by integration")
}

// The deliveries of changes to a thread contain the thread.
func TestTheEventsOfAThread(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	text := func(o map[string]any, of, field string) any { return o[of].(map[string]any)[field] }

	n, err := w.OpenIssue("alice", repo, "Slow", "/tenon fix it")
	require.NoError(t, err)
	head, o := in.last(t)
	require.Equal(t, "issues", head.Get("X-GitHub-Event"))
	require.Equal(t, "opened", o["action"])
	require.Equal(t, "/tenon fix it", text(o, "issue", "body"))

	require.NoError(t, w.Label("alice", repo, n, "tenon"))
	_, o = in.last(t)
	require.Equal(t, "labeled", o["action"])
	require.Equal(t, "tenon", text(o, "label", "name"))
	require.NoError(t, w.Label("alice", repo, w.pull, "tenon"))
	head, o = in.last(t)
	require.Equal(t, "pull_request", head.Get("X-GitHub-Event"))
	require.Equal(t, "tenon", text(o, "label", "name"))

	_, err = w.Review("alice", repo, w.pull, sim.NewReview{Body: "/tenon address"})
	require.NoError(t, err)
	head, o = in.last(t)
	require.Equal(t, "pull_request_review", head.Get("X-GitHub-Event"))
	require.Equal(t, "submitted", o["action"])
	require.Equal(t, "/tenon address", text(o, "review", "body"))
	require.NoError(t, w.ResolveThread("alice", w.note()))
	head, _ = in.last(t)
	require.NotEqual(t, "pull_request_review_thread", head.Get("X-GitHub-Event"), "the App is not subscribed")
}

// note returns a review comment of alice's.
func (w *world) note() int64 {
	w.t.Helper()
	id, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20}, "hm")
	require.NoError(w.t, err)
	return id
}
