package simhttp_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

func (r reply) sha() string { s, _ := r.object()["sha"].(string); return s }

// A commit by the API alone: blob, tree on a base, commit without author (GitHub signs it), ref.
func TestACommitByTheAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t, overGit)
	base := "repos/" + repo + "/git/"
	tip := w.head()
	blob := w.as("POST", base+"blobs", `{"content":"/wA=","encoding":"base64"}`)
	require.Equal(t, 201, blob.status, blob.text)
	baseTree := w.as("GET", base+"commits/"+tip, "").object()["tree"].(map[string]any)["sha"]
	tree := w.as("POST", base+"trees", fmt.Sprintf(`{"base_tree":%q,"tree":[
		{"path":"bin","mode":"100644","type":"blob","sha":%q},
		{"path":"dir/c.txt","mode":"100755","type":"blob","content":"c\n"},
		{"path":"dir/b.txt","mode":"100644","type":"blob","sha":null}]}`, baseTree, blob.sha()))
	require.Equal(t, 201, tree.status, tree.text)
	commit := w.as("POST", base+"commits", fmt.Sprintf(`{"message":"By the API","tree":%q,"parents":[%q]}`, tree.sha(),
		tip))
	require.Equal(t, 201, commit.status, commit.text)
	require.Equal(t, true, commit.object()["verification"].(map[string]any)["verified"])
	own := w.as("POST", base+"commits", fmt.Sprintf(`{"message":"Signed by nobody","tree":%q,"parents":[%q],"author":`+
		`{"name":"A","email":"a@example.com"}}`, tree.sha(), tip))
	require.Equal(t, false, own.object()["verification"].(map[string]any)["verified"])

	w.refused(w.as("PATCH", base+"refs/heads/main", `{"sha":"`+strings.Repeat("0", 40)+`"}`), 422, "Object does not exist")
	require.Equal(t, 200, w.as("PATCH", base+"refs/heads/feature", fmt.Sprintf(`{"sha":%q}`, commit.sha())).status)
	require.Equal(t, commit.sha(), w.as("GET", fmt.Sprintf("repos/%s/pulls/%d", repo, w.pull),
		"").object()["head"].(map[string]any)["sha"])
	w.refused(w.as("PATCH", base+"refs/heads/feature", fmt.Sprintf(`{"sha":%q}`, own.sha())), 422,
		"Update is not a fast forward")
	require.Equal(t, 200,
		w.as("PATCH", base+"refs/heads/feature", fmt.Sprintf(`{"sha":%q,"force":true}`, own.sha())).status)

	data, err := w.File(repo, "feature", "bin")
	require.NoError(t, err)
	require.Equal(t, []byte{0xff, 0}, data)
	_, err = w.File(repo, "feature", "dir/b.txt")
	require.Error(t, err)
	full := w.as("GET", "repos/"+repo+"/commits/feature", "").object()
	require.Len(t, full["files"], 3)
	all := w.as("GET", base+"trees/feature?recursive=1", "").object()["tree"].([]any)
	require.Len(t, all, 4)
	swap := w.as("POST", base+"trees", fmt.Sprintf(`{"base_tree":%q,"tree":[
		{"path":"dir","mode":"040000","type":"tree","sha":%q},
		{"path":"bin","mode":"100644","type":"blob","sha":null}]}`, tree.sha(), tree.sha()))
	require.Equal(t, 201, swap.status, swap.text)
	require.Len(t, w.as("GET", base+"trees/"+swap.sha()+"?recursive=1", "").object()["tree"], 6,
		"a folder is replaced as a whole")
	dir, err := w.RepoDir(repo)
	require.NoError(t, err)
	out, err := git(t, dir, "fsck", "--strict")
	require.NoError(t, err, out)
}

// The refusals of "Git database".
func TestWhatGitDataRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	base, tip, none := "repos/"+repo+"/git/", w.head(), strings.Repeat("0", 40)
	entry := func(e string) string { return `{"tree":[` + e + `]}` }
	for _, c := range []struct{ method, path, body, message string }{
		{"POST", "trees", `{}`, "tree"},
		{"POST", "trees", `{"tree":[]}`, "Invalid tree info"},
		{"POST", "trees", entry(`{"path":"../x","mode":"100644","content":""}`), "malformed path component"},
		{"POST", "trees", entry(`{"path":"/x","mode":"100644","content":""}`), "malformed path component"},
		{"POST", "trees", entry(`{"path":"a/.git/x","mode":"100644","content":""}`), "malformed path component"},
		{"POST", "trees", entry(`{"path":"x","mode":"100664","content":""}`), "tree.mode"},
		{"POST", "trees", entry(`{"path":"x","mode":"100644"}`), "either tree.sha or tree.content"},
		{"POST", "trees", entry(`{"path":"x","mode":"100644","sha":"` + none + `"}`), "is not a valid blob"},
		{"POST", "trees", entry(`{"path":"x","mode":"100644","sha":null}`), "BadObjectState"},
		{"POST", "trees", `{"base_tree":"` + none + `",` + entry(`{"path":"x","mode":"100644","content":""}`)[1:],
			"base_tree"},
		{"POST", "blobs", `{}`, "content"},
		{"POST", "blobs", `{"content":"%","encoding":"base64"}`, "Base64"},
		{"POST", "commits", `{"message":"m","tree":"` + none + `"}`, "Tree SHA does not exist"},
		{"POST", "commits", `{"tree":"` + none + `"}`, "message"},
		{"POST", "refs", `{"ref":"refs/heads/feature","sha":"` + tip + `"}`, "Reference already exists"},
		{"POST", "refs", `{"ref":"refs/heads/new","sha":"` + none + `"}`, "Object does not exist"},
		{"POST", "refs", `{"ref":"new","sha":"` + tip + `"}`, "refs/"},
		{"POST", "refs", `{"ref":"refs/heads/a..b","sha":"` + tip + `"}`, "not a valid ref name"},
		{"PATCH", "refs/heads/nothing", `{"sha":"` + tip + `"}`, "Reference does not exist"},
		{"DELETE", "refs/heads/nothing", ``, "Reference does not exist"},
		{"PATCH", "refs/pull/1/head", `{"sha":"` + tip + `"}`, "cannot be updated"},
	} {
		w.refused(w.as(c.method, base+c.path, c.body), 422, c.message)
	}
	w.refused(w.as("POST", base+"trees", entry(`{"path":".github/workflows/x.yml","mode":"100644","content":"x"}`)), 403,
		"not accessible by integration")
	for _, path := range []string{"ref/heads/feat", "commits/" + none, "blobs/" + none, "trees/" + none} {
		w.refused(w.as("GET", base+path, ""), 404, "Not Found")
	}
	require.Len(t, w.as("GET", base+"matching-refs/heads/feat", "").list(), 1)
	require.NoError(t, w.Protect(repo, "main", "Changes must be made through a pull request."))
	w.refused(w.as("PATCH", base+"refs/heads/main", `{"sha":"`+tip+`"}`), 422, "through a pull request")
	w.refused(w.as("DELETE", base+"refs/heads/main", ``), 422, "protected")
	require.Equal(t, 201, w.as("POST", base+"refs", `{"ref":"refs/heads/a/b","sha":"`+tip+`"}`).status)
	require.Equal(t, 204, w.as("DELETE", base+"refs/heads/a/b", "").status)
	require.NoError(t, w.AddRepo(sim.Repo{Name: "acme/empty"}))
	for _, path := range []string{"git/ref/heads/main", "commits", "git/trees/main"} {
		w.refused(w.as("GET", "repos/acme/empty/"+path, ""), 409, "Git Repository is empty.")
	}
}

// "Get repository content" and branches.
func TestContentsAndBranches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.PushFiles(repo, "feature", map[string]sim.File{"link": {Content: "dir/b.txt", Mode: "120000"},
		"dangling": {Content: "../out", Mode: "120000"}, "dir/[x] é.txt": {Content: "x\n"},
		"big": {Content: strings.Repeat("x", 1<<20+1)}}, "More\n")
	require.NoError(t, err)
	get := func(path string) map[string]any {
		r := w.as("GET", "repos/"+repo+"/contents/"+path+"?ref=feature", "")
		require.Equal(t, 200, r.status, r.text)
		return r.object()
	}
	text := func(o map[string]any) string {
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(o["content"].(string), "\n", ""))
		require.NoError(t, err)
		return string(data)
	}
	require.Equal(t, fileA("changed"), text(get("a.txt")))
	require.Equal(t, "b\n", text(get("link")), "a link to a file is the file")
	require.Equal(t, "symlink", get("dangling")["type"])
	require.Equal(t, "x\n", text(get("dir/%5Bx%5D%20%C3%A9.txt")))
	require.Equal(t, "none", get("big")["encoding"])
	require.Len(t, w.as("GET", "repos/"+repo+"/contents/dir?ref=feature", "").list(), 2)
	require.Len(t, w.as("GET", "repos/"+repo+"/contents/", "").list(), 2)
	w.refused(w.as("GET", "repos/"+repo+"/contents/link", ""), 404, "Not Found")
	w.refused(w.as("GET", "repos/"+repo+"/contents/a.txt?ref=nothing", ""), 404, "No commit found for the ref")

	require.NoError(t, w.Branch(repo, "a/b", ""))
	require.Len(t, w.as("GET", "repos/"+repo+"/branches", "").list(), 3)
	require.Equal(t, "a/b", w.as("GET", "repos/"+repo+"/branches/a%2Fb", "").object()["name"])
	w.refused(w.as("GET", "repos/"+repo+"/branches/nothing", ""), 404, "Branch not found")
	require.Len(t, w.as("GET", "repos/"+repo+"/commits?sha=feature&per_page=2", "").list(), 2)
	w.refused(w.as("GET", "repos/"+repo+"/commits?sha=nothing", ""), 404, "Not Found")
}
