package simhttp_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simgit "github.com/tenon-bot/tenon/internal/github/sim/git"
)

// "ref: The commit reference. Can be a commit SHA, branch name (heads/BRANCH_NAME), or tag name (tags/TAG_NAME)": other
// revisions of git are not found.
func TestARevisionIsANameAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sha := w.head()
	r, err := w.Git(repo)
	require.NoError(t, err)
	require.NoError(t, r.SetRef("refs/tags/v1", sha))
	for _, rev := range []string{sha, sha[:10], "feature", "heads/feature", "refs/heads/feature", "v1", "tags/v1",
		"pull/1/head"} {
		require.Equal(t, sha, w.as("GET", "repos/"+repo+"/commits/"+rev, "").sha(), rev)
	}
	for _, rev := range []string{"feature~0", "feature^", "feature^{}", ":/Change", "HEAD@{0}", "main..feature", sha[:6],
		"feat*", "FETCH_HEAD"} {
		w.refused(w.as("GET", "repos/"+repo+"/commits/"+url.PathEscape(rev), ""), 422, "No commit found for SHA: ")
		w.refused(w.as("GET", "repos/"+repo+"/contents/a.txt?ref="+url.QueryEscape(rev), ""), 404,
			"No commit found for the ref")
		w.refused(w.as("GET", "repos/"+repo+"/commits?sha="+url.QueryEscape(rev), ""), 404, "Not Found")
	}
}

// "List commits": by path, author and time.
func TestCommitsAreNarrowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clock.forward(time.Minute)
	_, err := w.Push(repo, "feature", map[string]string{"dir/b.txt": "b2\n"}, "Change b\n")
	require.NoError(t, err)
	count := func(query string) int {
		r := w.as("GET", "repos/"+repo+"/commits?sha=feature"+query, "")
		require.Equal(t, 200, r.status, r.text)
		return len(r.list())
	}
	now := url.QueryEscape(w.clock.now().UTC().Format(time.RFC3339))
	require.Equal(t, 3, count(""))
	require.Equal(t, 2, count("&path=dir/b.txt"))
	require.Equal(t, 2, count("&path=dir"))
	require.Zero(t, count("&path=*.txt"), "a path is no pattern")
	require.Equal(t, 1, count("&since="+now))
	require.Equal(t, 3, count("&until="+now))
	require.Equal(t, 3, count("&author=acme"))
	require.Zero(t, count("&author=alice"))
	require.Zero(t, count("&author=.*"))
	w.refused(w.as("GET", "repos/"+repo+"/commits?since=yesterday", ""), 422, "date-time")
}

// "If truncated is true in the response then the number of items in the tree array exceeded our maximum limit": 100,000
// entries or 7 MB, when recursive.
func TestATreeThatIsTooLargeIsTruncated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	objects, err := w.Git(repo)
	require.NoError(t, err)
	file, err := objects.At(w.head(), "a.txt")
	require.NoError(t, err)
	level := func(n int, mode, sha string) string { // a tree of n times the same
		var same []simgit.Entry
		for i := range n {
			path := fmt.Sprintf("%s%04d", strings.Repeat("x", 200), i)
			same = append(same, simgit.Entry{Path: path, Mode: mode, SHA: sha})
		}
		tree, err := objects.WriteTree("", same)
		require.NoError(t, err)
		return tree
	}
	tree := level(60, simgit.ModeTree, level(400, simgit.ModeFile, file.SHA))
	r := w.as("GET", "repos/"+repo+"/git/trees/"+tree+"?recursive=1", "")
	require.Equal(t, true, r.object()["truncated"])
	n := len(r.object()["tree"].([]any))
	require.InDelta(t, 7<<20, n*(len("100644 ")+409+21), 20_000)
	r = w.as("GET", "repos/"+repo+"/git/trees/"+tree, "")
	require.Equal(t, false, r.object()["truncated"])
	require.Len(t, r.object()["tree"], 60)
}

// Names that are .git to some file system, invalid SHAs and signatures without a name are refused, and not passed to
// git.
func TestWhatGitCannotHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	base, tip := "repos/"+repo+"/git/", w.head()
	entry := func(e string) string { return `{"tree":[` + e + `]}` }
	for _, e := range []string{
		`{"path":"git~1/x","mode":"100644","content":""}`,
		`{"path":"a\u0000b","mode":"100644","content":""}`,
		`{"path":".GIT/x","mode":"100644","content":""}`,
		`{"path":"a/.git. /x","mode":"100644","content":""}`,
		`{"path":".g\u200dit/x","mode":"100644","content":""}`,
		`{"path":".git:x","mode":"100644","content":""}`,
	} {
		w.refused(w.as("POST", base+"trees", entry(e)), 422, "malformed path component")
	}
	w.refused(w.as("POST", base+"trees", entry(`{"path":"sub","mode":"160000","sha":"x\ty"}`)), 422,
		"is not a valid commit")
	w.refused(w.as("POST", base+"trees", entry(`{"path":"x","mode":"100644","sha":7}`)), 422, "is not a valid blob")
	tree := w.as("GET", base+"commits/"+tip, "").object()["tree"].(map[string]any)["sha"]
	for _, name := range []string{"", " ", ",", "a<b", "a\nb"} {
		body := fmt.Sprintf(`{"message":"m","tree":%q,"parents":[%q],"author":{"name":%q,"email":"a@example.com"}}`, tree,
			tip, name)
		w.refused(w.as("POST", base+"commits", body), 422, "author is invalid")
	}
	w.refused(w.as("POST", base+"commits", fmt.Sprintf(`{"message":"m","tree":%q,"parents":["main"]}`, tree)), 422,
		"Parent SHA does not exist")
	w.refused(w.as("POST", base+"refs", fmt.Sprintf(`{"ref":"refs/heads/%s","sha":%q}`, strings.Repeat("a1", 20), tip)),
		422, "40 hex characters")
	w.refused(w.as("DELETE", base+"refs/heads/main", ""), 422, "default branch")
	out, err := git(t, w.clone("feature"), "push", "origin", ":main")
	require.Error(t, err)
	require.Contains(t, out, "deletion of the current branch prohibited")
}

// "application/vnd.github.raw+json: Returns the raw file contents", for files up to 100 MB whose content JSON leaves
// out.
func TestRawContents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	big := strings.Repeat("0123456789\n", 100_000)
	_, err := w.PushFiles(repo, "feature", map[string]sim.File{"big": {Content: big}}, "Big\n")
	require.NoError(t, err)
	sha := w.as("GET", "repos/"+repo+"/contents/big?ref=feature", "").sha()
	for _, path := range []string{"contents/big?ref=feature", "git/blobs/" + sha} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", w.APIURL()+"repos/"+repo+"/"+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+w.token)
		req.Header.Set("Accept", "application/vnd.github.raw+json")
		r := w.send(req)
		require.Equal(t, 200, r.status)
		require.True(t, big == r.text, "the bytes as they are")
	}
}
