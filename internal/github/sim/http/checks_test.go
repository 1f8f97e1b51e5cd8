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
	all := "repos/" + repo + "/check-runs"
	w.refused(w.as("POST", all, checkBody(strings.Repeat("0", 40), "")), 422, "No commit found for SHA")
	w.refused(w.as("POST", all, checkBody(w.head(), `,"conclusion":"stale"`)), 422, "conclusion")
	w.refused(w.as("POST", all, `{"head_sha":"x"}`), 422, "name")
	w.refused(w.as("POST", all, `{"name":"x"}`), 422, "head_sha")
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
	require.Len(t, runs, 1, "what was refused made none")
	require.Equal(t, "neutral", runs[0].Conclusion)
}
