package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

// "Create an issue": a title of at most 256 characters, a body of at most 65,536; 410 where issues are disabled.
func TestAnIssueNeedsATitle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	path := "repos/" + repo + "/issues"
	w.refused(w.as("POST", path, `{"body":"x"}`), 422, `title\" wasn't supplied`)
	w.refused(w.as("POST", path, `{"title":" "}`), 422, "missing_field")
	w.refused(w.as("POST", path, `{"title":"`+strings.Repeat("é", 257)+`"}`), 422, "maximum is 256 characters")
	w.refused(w.as("POST", path, `{"title":"x","body":"`+strings.Repeat("x", 65537)+`"}`), 422,
		"maximum is 65536 characters")
	w.refused(w.as("POST", path, `{"title":"x","labels":["`+strings.Repeat("x", 51)+`"]}`), 422, "Validation Failed")
	onPulls := w.newToken(permissions(map[string]string{"pull_requests": "write"}))
	w.refused(w.call("POST", path, onPulls, `{"title":"x"}`), 403, "not accessible by integration")
	r := w.as("POST", path, `{"title":"`+strings.Repeat("é", 256)+`","body":"b","labels":["bug",{"name":"new"}]}`)
	require.Equal(t, 201, r.status, r.text)
	require.Len(t, r.object()["labels"], 2)
	w.WaitDeliveries()
	actions := map[string]int{}
	for _, d := range w.Deliveries() {
		actions[d.Event+" "+d.Action]++
	}
	require.Equal(t, map[string]int{"issues opened": 1, "issues labeled": 2}, actions)
	require.Len(t, in.bodies, 3)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/quiet", NoIssues: true}))
	w.refused(w.as("POST", "repos/acme/quiet/issues", `{"title":"x"}`), 410, "disabled")
}

// "Update an issue": an invalid field changes nothing; null empties the body; a delivery contains the old text.
func TestAnIssueIsEditedAndClosed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := w.subscribe()
	path := fmt.Sprintf("repos/%s/issues/%d", repo, w.issue)
	w.refused(w.as("PATCH", path, `{"title":"new","state":"ajar"}`), 422, "Validation Failed")
	w.refused(w.as("PATCH", path, `{"title":"new","state_reason":"bored"}`), 422, "Validation Failed")
	w.refused(w.as("PATCH", path, `{"title":"","body":"new"}`), 422, "missing_field")
	w.refused(w.as("PATCH", path, `{"body":"`+strings.Repeat("x", 65537)+`"}`), 422, "maximum is 65536 characters")
	require.Equal(t, "A bug", w.as("GET", path, "").object()["title"], "nothing changed")
	require.Equal(t, "new", w.as("PATCH", path, `{"title":"new"}`).object()["title"])
	w.WaitDeliveries()
	_, o := in.last(t)
	require.Equal(t, "edited", o["action"])
	require.Equal(t, map[string]any{"title": map[string]any{"from": "A bug"}}, o["changes"])
	require.Equal(t, "It breaks.", w.as("GET", path, "").object()["body"], "what is not given stays")
	require.Nil(t, w.as("PATCH", path, `{"body":null}`).object()["body"])
	closed := w.as("PATCH", path, `{"state":"closed","state_reason":"not_planned","labels":["wontfix"]}`).object()
	require.Equal(t, "not_planned", closed["state_reason"])
	require.NotNil(t, closed["closed_at"])
	require.Equal(t, "tenon[bot]", closed["closed_by"].(map[string]any)["login"])
	require.Len(t, closed["labels"], 1)
	require.Nil(t, w.as("PATCH", path, `{"state":"open"}`).object()["closed_at"])
}

// "List repository issues": pull requests are among them; open ones by default, newest first.
func TestIssuesAreListed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	require.NoError(t, w.Label("alice", repo, w.issue, "bug"))
	require.NoError(t, w.SetOpen(repo, w.issue, false))
	list := func(query string) (numbers []string) {
		r := w.as("GET", "repos/"+repo+"/issues"+query, "")
		require.Equal(t, 200, r.status, r.text)
		for _, is := range r.list() {
			numbers = append(numbers, fmt.Sprint(is.(map[string]any)["number"]))
		}
		return numbers
	}
	require.Equal(t, []string{"1"}, list(""))
	require.Equal(t, []string{"2", "1"}, list("?state=all"))
	require.Equal(t, []string{"1", "2"}, list("?state=all&direction=asc"))
	require.Equal(t, []string{"2"}, list("?state=closed&labels=Bug"))
	require.Empty(t, list("?state=all&labels=bug,other"))
	require.Empty(t, list("?creator=owner"))
	w.refused(w.as("GET", "repos/"+repo+"/issues?state=ajar", ""), 422, "Validation Failed")
	require.Len(t, list("?state=all&per_page=1&sort=updated"), 1)
}

// "Set labels for an issue" removes the others; "Create a label" requires a new name and a color without #.
func TestLabelsAreSetAndMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := fmt.Sprintf("repos/%s/issues/%d/labels", repo, w.issue)
	require.Len(t, w.as("POST", path, `["one","two"]`).list(), 2)
	set := w.as("PUT", path, `{"labels":["two","three"]}`).list()
	require.Len(t, set, 2)
	require.Equal(t, "two", set[0].(map[string]any)["name"])
	require.Empty(t, w.as("PUT", path, `{"labels":[]}`).list())
	w.refused(w.as("PUT", path, `{}`), 422, "wasn't supplied")
	w.refused(w.as("POST", path, `{"labels":[" "]}`), 422, "Validation Failed")

	labels := "repos/" + repo + "/labels"
	w.refused(w.as("POST", labels, `{}`), 422, "wasn't supplied")
	w.refused(w.as("POST", labels, `{"name":"x","color":"#ff0000"}`), 422, "Validation Failed")
	w.refused(w.as("POST", labels, `{"name":"ONE"}`), 422, "already_exists")
	w.refused(w.as("POST", labels, `{"name":"x","description":"`+strings.Repeat("x", 101)+`"}`), 422,
		"maximum is 100 characters")
	r := w.as("POST", labels, `{"name":"x","color":"ff0000","description":"d"}`)
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, "ff0000", r.object()["color"])
}
