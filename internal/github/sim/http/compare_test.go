package simhttp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Two commits are compared from the newest that both have in their history.
func TestCommitsAreComparedFromWhereTheyParted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.as("GET", "repos/"+repo+"/compare/main...feature", "").object()
	parted := before["merge_base_commit"].(map[string]any)["sha"]
	main, err := w.Push(repo, "main", map[string]string{"later.txt": "later\n"}, "Later\n")
	require.NoError(t, err)
	feature := w.head()
	first := w.as("GET", "repos/"+repo+"/compare/"+main+"..."+feature+"?per_page=1", "")
	require.Equal(t, 200, first.status, first.text)
	o := first.object()
	require.Equal(t, "diverged", o["status"])
	require.Equal(t, parted, o["merge_base_commit"].(map[string]any)["sha"])
	require.Equal(t, main, o["base_commit"].(map[string]any)["sha"])
	require.Equal(t, "1", fmt.Sprint(o["behind_by"]))
	require.Len(t, o["commits"], 1)
	require.NotEmpty(t, o["files"])

	second := w.as("GET", "repos/"+repo+"/compare/"+main+"..."+feature+"?per_page=1&page=2", "").object()
	require.Equal(t, parted, second["merge_base_commit"].(map[string]any)["sha"])
	require.NotContains(t, second, "files", "they are on the first page alone")
	require.LessOrEqual(t, len(second["commits"].([]any)), 1)

	for names, want := range map[string]string{
		"main...main": "identical", main + "..." + parted.(string): "behind", parted.(string) + "...main": "ahead",
	} {
		require.Equal(t, want, w.as("GET", "repos/"+repo+"/compare/"+names, "").object()["status"], names)
	}
	for _, names := range []string{"main", "main...nothing", "main..." + strings.Repeat("1", 40), "main..feature"} {
		w.refused(w.as("GET", "repos/"+repo+"/compare/"+names, ""), 404, "Not Found")
	}
}
