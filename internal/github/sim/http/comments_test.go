package simhttp_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func body(text string) string {
	data, _ := json.Marshal(map[string]string{"body": text})
	return string(data)
}

// "Create an issue comment": 422 without a body, with a blank one and with more than 65,536 characters.
func TestACommentNeedsABodyOfAtMost65536Characters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull)
	w.refused(w.as("POST", path, `{}`), 422, `"body\" wasn't supplied`)
	w.refused(w.as("POST", path, ``), 422, "wasn't supplied")
	w.refused(w.as("POST", path, `{"body":7}`), 422, "is not a string")
	w.refused(w.as("POST", path, `{"body":`), 400, "Problems parsing JSON")
	w.refused(w.as("POST", path, `["body"]`), 400, "Body should be a JSON object")
	w.refused(w.as("POST", path, `{"Body":"x"}`), 422, "wasn't supplied")
	w.refused(w.as("POST", path, "{\"body\":\"\xff\"}"), 400, "Problems parsing JSON")
	w.refused(w.as("POST", path, body(" \n")), 422, "Body cannot be blank")
	w.refused(w.as("POST", path, body(strings.Repeat("é", 65537))), 422, "Body is too long (maximum is 65536 characters)")
	r := w.as("POST", path, body(strings.Repeat("é", 65536)))
	require.Equal(t, 201, r.status, "characters count, not bytes")
	require.Equal(t, "tenon[bot]", r.object()["user"].(map[string]any)["login"])
	require.Equal(t, r.object()["url"], r.header.Get("Location"))

	one := fmt.Sprintf("repos/%s/issues/comments/%d", repo, r.id())
	w.refused(w.as("PATCH", one, body(strings.Repeat("x", 65537))), 422, "body is too long (maximum is 65536 characters)")
	w.refused(w.as("PATCH", one, body("")), 422, "blank")
	require.Equal(t, "new", w.as("PATCH", one, body("new")).object()["body"])
	require.Equal(t, 204, w.as("DELETE", one, "").status)
	w.refused(w.as("GET", one, ""), 404, "Not Found")
	w.refused(w.as("PATCH", one, body("x")), 404, "Not Found")
	w.refused(w.as("DELETE", one, ""), 404, "Not Found")
}

// 404 for no issue, 410 for a deleted one and where issues are off, 403 for a locked conversation and an archived
// repository.
func TestWhereNobodyCanComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := func(n int) string { return fmt.Sprintf("repos/%s/issues/%d/comments", repo, n) }
	w.refused(w.as("POST", path(99), body("x")), 404, "Not Found")
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/issues/none", repo), ""), 404, "Not Found")

	require.NoError(t, w.Lock(repo, w.pull, true))
	w.refused(w.as("POST", path(w.pull), body("x")), 403, "issue is locked")
	w.refused(w.as("POST", fmt.Sprintf("repos/%s/issues/%d/reactions", repo, w.pull), `{"content":"eyes"}`), 403, "locked")
	_, err := w.Comment("owner", repo, w.pull, "who has write access may")
	require.NoError(t, err)
	require.NoError(t, w.SetRole(repo, "stranger", entity.RoleRead))
	_, err = w.Comment("stranger", repo, w.pull, "others may not")
	require.ErrorContains(t, err, "locked")
	require.NoError(t, w.Lock(repo, w.pull, false))
	require.Equal(t, 201, w.as("POST", path(w.pull), body("x")).status)

	last, err := w.Comment("alice", repo, w.issue, "gone soon")
	require.NoError(t, err)
	require.NoError(t, w.DeleteIssue(repo, w.issue))
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/issues/comments/%d", repo, last), ""), 404, "Not Found")
	w.refused(w.as("POST", path(w.issue), body("x")), 410, "This issue was deleted")
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/issues/%d", repo, w.issue), ""), 410, "This issue was deleted")

	require.NoError(t, w.Archive(repo, true))
	w.refused(w.as("POST", path(w.pull), body("x")), 403, "archived so is read-only")
	require.Equal(t, 200, w.as("GET", path(w.pull), "").status)
	_, err = w.Comment("alice", repo, w.pull, "x")
	require.ErrorContains(t, err, "read-only")
}

// "Issue comments are ordered by ascending ID"; 30 a page and 100 at most; since is compared with the last update.
func TestCommentsComeInPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *simhttp.Options) { o.ContentPerMinute, o.ContentPerHour = -1, -1 })
	path := fmt.Sprintf("repos/%s/issues/%d/comments", repo, w.pull)
	var last reply
	for i := range 130 {
		last = w.as("POST", path, body(fmt.Sprint(i)))
		require.Equal(t, 201, last.status)
	}
	texts := func(r reply) (all []string) {
		require.Equal(t, 200, r.status)
		for _, c := range r.list() {
			all = append(all, c.(map[string]any)["body"].(string))
		}
		return all
	}
	require.Len(t, texts(w.as("GET", path, "")), 30)
	r := w.as("GET", path+"?per_page=500", "")
	require.Len(t, texts(r), 100, "100 at most")
	require.Equal(t, "0", texts(r)[0])
	require.Contains(t, r.header.Get("Link"), `page=2&per_page=500>; rel="next"`)
	require.Contains(t, r.header.Get("Link"), `rel="last"`)
	r = w.as("GET", path+"?per_page=100&page=2", "")
	require.Len(t, texts(r), 30)
	require.NotContains(t, r.header.Get("Link"), `rel="next"`)
	require.Contains(t, r.header.Get("Link"), `rel="prev"`)
	require.Empty(t, texts(w.as("GET", path+"?page=9", "")))

	w.clock.forward(time.Minute)
	since := "?since=" + url.QueryEscape(w.clock.now().UTC().Format(time.RFC3339))
	require.Empty(t, texts(w.as("GET", path+since, "")))
	require.Equal(t, 200, w.as("PATCH", fmt.Sprintf("repos/%s/issues/comments/%d", repo, last.id()),
		body("edited")).status)
	require.Equal(t, []string{"edited"}, texts(w.as("GET", path+since, "")))
	w.refused(w.as("GET", path+"?since=yesterday", ""), 422, "date-time")
}

// "Create reaction": 200 when it was there already, 422 for what is no reaction.
func TestTheSameReactionTwiceIsOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	comment, err := w.Comment("alice", repo, w.pull, "hello")
	require.NoError(t, err)
	note, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20}, "hm")
	require.NoError(t, err)
	require.Equal(t, comment, note, "ids of the two kinds are from two sequences")
	for kind, path := range map[string]string{
		sim.IssueComment:  fmt.Sprintf("repos/%s/issues/comments/%d/reactions", repo, comment),
		sim.ReviewComment: fmt.Sprintf("repos/%s/pulls/comments/%d/reactions", repo, note),
	} {
		w.refused(w.as("POST", path, `{"content":"thumbsup"}`), 422, "Validation Failed")
		w.refused(w.as("POST", path, `{}`), 422, "wasn't supplied")
		first := w.as("POST", path, `{"content":"eyes"}`)
		require.Equal(t, 201, first.status)
		again := w.as("POST", path, `{"content":"eyes"}`)
		require.Equal(t, 200, again.status)
		require.Equal(t, first.id(), again.id())
		require.Len(t, w.as("GET", path+"?content=eyes", "").list(), 1)
		require.Empty(t, w.as("GET", path+"?content=heart", "").list())
		seen, err := w.Reactions(kind, comment)
		require.NoError(t, err)
		require.Equal(t, []sim.Reaction{{User: "tenon[bot]", Content: "eyes"}}, seen)
		require.Equal(t, 204, w.as("DELETE", fmt.Sprintf("%s/%d", path, first.id()), "").status)
		w.refused(w.as("DELETE", fmt.Sprintf("%s/%d", path, first.id()), ""), 404, "Not Found")
	}
	w.refused(w.as("POST", "repos/"+repo+"/issues/comments/1/reactions", `{"content":"eyes"}`), 404, "Not Found")
}

// "Create a review comment": only on lines that the diff shows (422).
func TestAReviewCommentStandsOnTheDiff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull)
	pull := w.as("GET", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull), "").object()
	head := pull["head"].(map[string]any)["sha"].(string)
	note := func(more string) string {
		return fmt.Sprintf(`{"body":"x","commit_id":%q,"path":"a.txt"%s}`, head, more)
	}
	for _, c := range []struct{ body, message string }{
		{`{"commit_id":"x","path":"a.txt","line":20}`, "wasn't supplied"},
		{`{"body":"x","path":"a.txt","line":20}`, "wasn't supplied"},
		{note(``), "wasn't supplied"},
		{note(`,"line":2`), "line must be part of the diff"},
		{note(`,"line":41`), "line must be part of the diff"},
		{note(`,"line":20,"start_line":2`), "start_line must be part of the same hunk"},
		{note(`,"line":20,"start_line":20`), "start_line must precede"},
		{note(`,"line":20,"side":"UP"`), "Validation Failed"},
		{note(`,"position":0`), "position is invalid"},
		{strings.Replace(note(`,"line":20`), "a.txt", "dir/b.txt", 1), "pull_request_review_thread.path"},
		{strings.Replace(note(`,"line":20`), head, strings.Repeat("0", 40), 1), "not part of the pull request"},
		{strings.Replace(note(`,"line":20`), `"x"`, `""`, 1), "missing_field"},
	} {
		w.refused(w.as("POST", path, c.body), 422, c.message)
	}
	r := w.as("POST", path, note(`,"line":20,"start_line":19`))
	require.Equal(t, 201, r.status, r.text)
	require.Contains(t, r.object()["diff_hunk"], "+changed")
	require.True(t, strings.HasPrefix(r.object()["diff_hunk"].(string), "@@ -17,7 +17,7 @@"))
	require.Equal(t, 201, w.as("POST", path, note(`,"line":20,"side":"LEFT"`)).status)
	require.Equal(t, "17", fmt.Sprint(w.as("POST", path, note(`,"position":1`)).object()["line"]))
	w.refused(w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.issue), note(`,"line":20`)), 404, "Not Found")
	require.NoError(t, w.Lock(repo, w.pull, true))
	w.refused(w.as("POST", path, note(`,"line":20`)), 403, "locked")
}

// "This must be the ID of a top-level review comment, not a reply to that comment. Replies to replies are not
// supported."
func TestRepliesGoToTheThreadsFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, err := w.ReviewComment("alice", repo, w.pull, sim.Place{Path: "a.txt", Line: 20}, "why?")
	require.NoError(t, err)
	replies := func(id int64) string { return fmt.Sprintf("repos/%s/pulls/%d/comments/%d/replies", repo, w.pull, id) }
	r := w.as("POST", replies(first), body("because"))
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, fmt.Sprint(first), fmt.Sprint(r.object()["in_reply_to_id"]))
	w.refused(w.as("POST", replies(r.id()), body("x")), 404, "Not Found")
	w.refused(w.as("POST", replies(1), body("x")), 404, "Not Found")
	w.refused(w.as("POST", replies(first), body("")), 422, "missing_field")
	w.refused(w.as("POST", replies(first), body(strings.Repeat("x", 65537))), 422, "body is too long")
	r = w.as("POST", fmt.Sprintf("repos/%s/pulls/%d/comments", repo, w.pull),
		fmt.Sprintf(`{"body":"also","in_reply_to":%d}`, first))
	require.Equal(t, 201, r.status, r.text)
	all := w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/comments?sort=created&direction=desc", repo, w.pull), "").list()
	require.Len(t, all, 3)
	require.Equal(t, "also", all[0].(map[string]any)["body"])
}

// "Lists the files in a specified pull request": against the merge base, in pages.
func TestTheFilesOfAPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.PushFiles(repo, "feature", map[string]sim.File{"dir/b.txt": {Deleted: true},
		"new \"q\" é.txt": {Content: "n\n"},
		"run.sh":          {Content: "#!/bin/sh\n", Mode: "100755"}}, "More\n")
	require.NoError(t, err)
	_, err = w.Push(repo, "main", map[string]string{"elsewhere": "x\n"}, "On the base\n")
	require.NoError(t, err)
	path := fmt.Sprintf("repos/%s/pulls/%d/files", repo, w.pull)
	got := map[string]string{}
	for _, f := range w.as("GET", path, "").list() {
		o := f.(map[string]any)
		got[o["filename"].(string)] = o["status"].(string)
	}
	require.Equal(t, map[string]string{"a.txt": "modified", "dir/b.txt": "removed", "new \"q\" é.txt": "added",
		"run.sh": "added"}, got)
	r := w.as("GET", path+"?per_page=3", "")
	require.Len(t, r.list(), 3)
	require.Contains(t, r.header.Get("Link"), `rel="next"`)
	w.refused(w.as("GET", fmt.Sprintf("repos/%s/pulls/%d/files", repo, w.issue), ""), 404, "Not Found")
}

// A new label is created; a bare array is accepted too.
func TestLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := fmt.Sprintf("repos/%s/issues/%d/labels", repo, w.issue)
	require.Len(t, w.as("POST", path, `{"labels":["tenon"]}`).list(), 1)
	require.Len(t, w.as("POST", path, `["bug","Tenon"]`).list(), 2)
	w.refused(w.as("POST", path, `{}`), 422, "wasn't supplied")
	require.Len(t, w.as("GET", "repos/"+repo+"/labels", "").list(), 2)
	require.Len(t, w.as("DELETE", path+"/bug", "").list(), 1)
	w.refused(w.as("DELETE", path+"/bug", ""), 404, "Label does not exist")
	require.Len(t, w.as("GET", path, "").list(), 1)
}
