package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func checkBody(sha, more string) string {
	return fmt.Sprintf(`{"name":"tenon","head_sha":%q%s}`, sha, more)
}

func (w *world) head() string {
	w.t.Helper()
	commits, err := w.Commits(repo, "feature")
	require.NoError(w.t, err)
	return commits[0].SHA
}

// The limits of "Create a check run": 65,535 characters, 50 annotations a request, three actions of 20, 40 and 20.
func TestTheLimitsOfACheckRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	output := func(more string) string { return `,"output":{"title":"t","summary":"s"` + more + `}` }
	action := func(label, description, id string) string {
		return fmt.Sprintf(`,"actions":[{"label":%q,"description":%q,"identifier":%q}]`, label, description, id)
	}
	note := `{"path":"a.txt","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}`
	for _, c := range []struct{ more, message string }{
		{`,"output":{"summary":"s"}`, "title"},
		{`,"output":{"title":"t"}`, "summary"},
		{output(`,"text":"` + strings.Repeat("x", 65536) + `"`), "65535"},
		{`,"output":{"title":"t","summary":"` + strings.Repeat("x", 65536) + `"}`, "65535"},
		{output(`,"annotations":[` + strings.Repeat(note+",", 50) + note + `]`), "50"},
		{output(`,"annotations":[{"path":"a"}]`), "start_line"},
		{output(`,"annotations":[` + strings.Replace(note, "notice", "shout", 1) + `]`), "annotation_level"},
		{output(`,"annotations":[` + strings.Replace(note, `"end_line":1`, `"end_line":2,"start_column":1`, 1) + `]`),
			"start_column"},
		{action(strings.Repeat("x", 21), "d", "i"), "label is too long"},
		{action("l", strings.Repeat("x", 41), "i"), "description is too long"},
		{action("l", "d", strings.Repeat("x", 21)), "identifier is too long"},
		{`,"actions":[{"label":"l","description":"d"}]`, "identifier"},
		{`,"actions":[{},{},{},{}]`, "No more than 3"},
		{`,"details_url":"javascript:alert(1)"`, "details_url must use http or https"},
		{`,"status":"done"`, "status"},
		{`,"conclusion":"stale"`, "conclusion"},
		{`,"status":"completed"`, "conclusion"},
	} {
		w.refused(w.as("POST", "repos/"+repo+"/check-runs", checkBody(sha, c.more)), 422, c.message)
	}
	w.refused(w.as("POST", "repos/"+repo+"/check-runs", checkBody(strings.Repeat("0", 40), "")), 422,
		"No commit found for SHA")
	w.refused(w.as("POST", "repos/"+repo+"/check-runs", `{"head_sha":"x"}`), 422, "name")
	w.refused(w.as("POST", "repos/"+repo+"/check-runs", `{"name":"x"}`), 422, "head_sha")
	runs, err := w.CheckRuns(repo)
	require.NoError(t, err)
	require.Empty(t, runs)
}

// Texts exactly at the limits are accepted; they count characters, not bytes.
func TestACheckRunAtItsLimits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	note := `{"path":"a.txt","start_line":1,"end_line":1,"start_column":1,"end_column":2,"annotation_level":"failure",` +
		`"message":"m"}`
	button := fmt.Sprintf(`{"label":%q,"description":%q,"identifier":%q}`, strings.Repeat("é", 20),
		strings.Repeat("é", 40), strings.Repeat("é", 20))
	r := w.as("POST", "repos/"+repo+"/check-runs",
		checkBody(w.head(), fmt.Sprintf(`,"output":{"title":"t","summary":%q,"text":%q,"annotations":[%s]},"actions":[%s]`,
			strings.Repeat("é", 65535), strings.Repeat("é", 65535), strings.Repeat(note+",", 49)+note,
			strings.Repeat(button+",", 2)+button)))
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, "50", fmt.Sprint(r.object()["output"].(map[string]any)["annotations_count"]))
	first := w.as("GET", fmt.Sprintf("repos/%s/check-runs/%d/annotations", repo, r.id()), "")
	require.Len(t, first.list(), 30)
	require.Contains(t, first.header.Get("Link"), `rel="next"`)
	runs, err := w.CheckRuns(repo)
	require.NoError(t, err)
	require.Len(t, runs[0].Actions, 3)
	require.Equal(t, 50, runs[0].Annotations)

	path := "repos/" + repo + "/commits/feature/check-runs"
	require.Equal(t, 201, w.as("POST", "repos/"+repo+"/check-runs", checkBody(w.head(), `,"conclusion":"success"`)).status)
	require.Len(t, w.as("GET", path, "").object()["check_runs"], 1, "the latest of the name")
	require.Len(t, w.as("GET", path+"?filter=all", "").object()["check_runs"], 2)
	require.Empty(t, w.as("GET", path+"?status=queued", "").object()["check_runs"])
	w.refused(w.as("GET", "repos/"+repo+"/commits/nothing/check-runs", ""), 422, "No commit found for SHA")
}

// A run goes from queued to completed; annotations are added, other fields are replaced.
func TestACheckRunFromQueuedToCompleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.as("POST", "repos/"+repo+"/check-runs", checkBody(w.head(), ""))
	require.Equal(t, 201, r.status, r.text)
	require.Equal(t, "queued", r.object()["status"])
	require.Len(t, r.object()["pull_requests"], 1)
	path := fmt.Sprintf("repos/%s/check-runs/%d", repo, r.id())
	require.Equal(t, "in_progress", w.as("PATCH", path, `{"status":"in_progress"}`).object()["status"])
	note := `{"path":"a.txt","start_line":1,"end_line":1,"annotation_level":"notice","message":"m"}`
	for range 2 {
		r = w.as("PATCH", path, `{"conclusion":"neutral","output":{"title":"t","summary":"s","annotations":[`+note+`]}}`)
		require.Equal(t, 200, r.status, r.text)
	}
	require.Equal(t, "completed", r.object()["status"])
	require.NotNil(t, r.object()["completed_at"])
	require.Len(t, w.as("GET", path+"/annotations", "").list(), 2)
	require.Equal(t, "1", fmt.Sprint(w.as("GET", "repos/"+repo+"/commits/feature/check-runs", "").object()["total_count"]))
	w.refused(w.as("PATCH", "repos/"+repo+"/check-runs/1", `{}`), 404, "Not Found")
	runs, err := w.CheckRuns(repo)
	require.NoError(t, err)
	require.Equal(t, "neutral", runs[0].Conclusion)
}
