package gitrepo_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

const (
	askHost = "GET /acme/anvil.git/info/refs?service=git-upload-pack"
	fetch   = "POST /acme/anvil.git/git-upload-pack"
	pushIt  = "POST /acme/anvil.git/git-receive-pack"
)

func TestTheRequestsOfRuns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.tip = w.editAndPush(t)
	require.Equal(t, []string{askHost, fetch, fetch, pushIt}, w.server.Requests(),
		"cold: the host, the commit, the files, the push")

	w.tip = w.editAndPush(t)
	require.Equal(t, []string{pushIt}, w.server.Requests(), "on a commit of its own, with files that it has: the push")

	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"docs/other.txt": "other\n"}))
	w.editAndPush(t)
	require.Equal(t, []string{fetch, pushIt}, w.server.Requests(), "one commit further: the difference, the push")
}

func TestFilesThatWereCommittedByTheAPIAreNotFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	c := w.open(t)
	require.NoError(t, c.Load(t.Context(), "README.md"))
	require.NoError(t, c.WriteFile("README.md", []byte("committed\n")))
	changes, err := c.Changes()
	require.NoError(t, err)
	c.Committed(changes)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"README.md": "committed\n"}))
	c = w.open(t)
	w.server.Requests()
	require.NoError(t, c.Load(t.Context(), "README.md"))
	require.Empty(t, w.server.Requests())
}

func TestLikelyFilesComeWithTheCommit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.open(t)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"other.txt": "other\n"}))
	c, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip, "README.md", "nothing", "cmd", "other.txt")
	require.NoError(t, err)
	w.server.Requests()
	require.NoError(t, c.Load(t.Context(), "README.md"))
	require.Empty(t, w.server.Requests())
}

// The sources of a large repository do not displace the trees without which its next clone starts from nothing.
func TestTheNextCloneOfALargeRepositoryIsWarm(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{CacheBytes: 1 << 20})
	files, names := map[string]string{}, []string{}
	for i := range 64 { // four times what the cache keeps
		name := fmt.Sprintf("src/d%02d/m.py", i)
		files[name], names = strings.Repeat(fmt.Sprintf("%08d\n", i), 64<<10/9), append(names, name)
	}
	w.tip = w.repo.Commit("main", gittest.Files(files))
	c := w.open(t)
	require.NoError(t, c.LoadSome(t.Context(), 1<<30, names...))
	w.server.Requests()
	c = w.open(t)
	require.Empty(t, w.server.Requests(), "all trees are kept")
	list, err := c.Files()
	require.NoError(t, err)
	require.Len(t, list, 64+6)
	require.NoError(t, c.LoadSome(t.Context(), 1<<30, names...))
	require.Equal(t, []string{fetch}, w.server.Requests(), "what was dropped")
}

func TestACacheThatKeepsNothingIsOnlySlower(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{CacheBytes: 1})
	for range 3 {
		w.tip = w.editAndPush(t)
	}
	require.NotContains(t, w.server.Requests()[4:], askHost)
}

func TestACacheThatLosesSomeObjectsIsOnlySlower(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{CacheBytes: 4000})
	for i := range 8 {
		w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"docs/a/b/" + strings.Repeat("x", i) +
			".txt": "more\n"}))
		w.tip = w.editAndPush(t)
	}
}

func TestARewrittenBranchIsOpenedFromAFormerTip(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	former := w.tip
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"a": "a"}))
	w.open(t)
	w.repo.Git("update-ref", "refs/heads/main", former)
	w.repo.Git("reflog", "expire", "--expire=now", "--all")
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"b": "b"}))
	w.repo.Git("repack", "-adq")
	w.repo.Git("prune", "--expire=now")
	w.editAndPush(t)
}

func TestOpenAtAnIDOfAnotherRepositoryAsksTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	secret := w.server.Create(t, "acme/secret").Commit("main", gittest.Files(map[string]string{"key": "hunter2\n"}))
	ref := acme
	ref.Name = "secret"
	_, err := w.repos.Open(t.Context(), ref, "refs/heads/main", secret)
	require.NoError(t, err)
	_, err = w.repos.Open(t.Context(), acme, "refs/heads/main", secret)
	require.Error(t, err, "what the cache has of one repository is not shown to another")
}

func TestTheSameRequestGivesTheSameCommit(t *testing.T) {
	t.Parallel()
	require.Equal(t, newWorld(t, gitrepo.Options{}).editAndPush(t), newWorld(t, gitrepo.Options{}).editAndPush(t))
}

// A run reads the tips of the default branch and of its own, and opens both.
func TestCommitsThatWereToldTogetherAreFetchedTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	work := w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "one\n"}))
	open := func(ref, sha string) repo.Checkout {
		c, err := w.repos.Open(t.Context(), acme, ref, sha, "README.md", "cmd/main.go")
		require.NoError(t, err)
		return c
	}
	tips, err := w.repos.Tips(t.Context(), acme, "HEAD", "refs/heads/main", "refs/heads/work")
	require.NoError(t, err)
	require.Equal(t, []string{askHost, fetch}, w.server.Requests())
	c := open("HEAD", tips["HEAD"])
	require.Equal(t, []string{fetch}, w.server.Requests())
	require.NoError(t, c.Load(t.Context(), "README.md"))
	require.Equal(t, []string{fetch}, w.server.Requests())
	require.NoError(t, c.Load(t.Context(), "cmd/main.go"))
	require.Equal(t, work, open("refs/heads/work", work).SHA())
	require.Empty(t, w.server.Requests(), "it came with the other, and the likely file with the first that was loaded")

	w.repo.Commit("main", gittest.Files(map[string]string{"README.md": "anvils\n"}))
	w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "two\n"}))
	tips, err = w.repos.Tips(t.Context(), acme, "HEAD", "refs/heads/work")
	require.NoError(t, err)
	open("refs/heads/work", tips["refs/heads/work"])
	w.server.Requests()
	list, err := open("HEAD", tips["HEAD"]).Files()
	require.NoError(t, err)
	require.NotContains(t, list, "work.txt")
	require.Empty(t, w.server.Requests())
}

// What is fetched along with a commit does not keep it from being opened.
func TestACommitIsOpenedThoughAnotherThatWasToldWithItIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "one\n"}))
	_, err := w.repos.Tips(t.Context(), acme, "refs/heads/main", "refs/heads/work")
	require.NoError(t, err)
	w.repo.Git("update-ref", "-d", "refs/heads/work")
	w.repo.Git("reflog", "expire", "--expire=now", "--all")
	w.repo.Git("prune", "--expire=now")
	require.Equal(t, w.tip, w.open(t).SHA())
}

// What takes too long for two commits does not take as long again for one of them.
func TestCommitsThatWereToldAreNotFetchedAgainAfterATimeout(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "one\n"}))
	synctest.Test(t, func(t *testing.T) {
		stalls := false
		repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Limits: gitrepo.Limits{RequestTime: time.Minute},
			HTTP: &http.Client{Transport: direct{w.server, func(r *http.Request, answer io.Reader) io.Reader {
				if stalls {
					return io.MultiReader(io.LimitReader(answer, 50), silence{r.Context()})
				}
				return answer
			}}}})
		_, err := repos.Tips(t.Context(), acme, "refs/heads/main", "refs/heads/work")
		require.NoError(t, err)
		w.server.Requests()
		stalls = true
		_, err = repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
		require.ErrorContains(t, err, "did not finish its answer in time")
		require.Equal(t, []string{fetch}, w.server.Requests())
	})
}

// A commit that was told of is not opened as one that is known: it may never have come.
func TestACommitThatWasToldAndNotFetchedIsFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	_, err := w.repos.Tips(t.Context(), acme, "refs/heads/main", "HEAD")
	require.NoError(t, err)
	other := w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "one\n"}))
	c, err := w.repos.Open(t.Context(), acme, "refs/heads/work", other)
	require.NoError(t, err)
	require.Equal(t, other, c.SHA())
	w.server.Requests()
	w.open(t)
	require.Equal(t, []string{fetch}, w.server.Requests())
}
