package gitrepo_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// editAndPush opens the tip of main, edits two files and pushes them as a branch.
func editAndPush(ctx context.Context, repos *gitrepo.Repos, at port.RepoRef, tip, branch string) (repo.Commit, error) {
	c, err := repos.Open(ctx, at, "refs/heads/main", tip)
	if err != nil {
		return repo.Commit{}, err
	}
	if err := c.Load(ctx, "README.md", "cmd/main.go"); err != nil {
		return repo.Commit{}, err
	}
	for _, name := range []string{"README.md", "cmd/main.go"} {
		data, err := c.ReadFile(name)
		if err != nil {
			return repo.Commit{}, err
		}
		if err := c.WriteFile(name, append(data[:len(data):len(data)], "edited for "+branch+"\n"...)); err != nil {
			return repo.Commit{}, err
		}
	}
	return c.Commit(ctx, request(branch))
}

func (w *world) editAndPush(t *testing.T) string {
	t.Helper()
	made, err := editAndPush(t.Context(), w.repos, acme, w.tip, "main")
	require.NoError(t, err)
	require.Equal(t, made.SHA, w.repo.Ref("refs/heads/main"))
	require.Equal(t, "README.md\ncmd/main.go", w.repo.Git("diff", "--name-only", "main^", "main"))
	w.repo.Fsck()
	return made.SHA
}

// dropV2 makes a server that does not know protocol v2.
func dropV2(git http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		r.Header.Del("Git-Protocol")
		git.ServeHTTP(rw, r)
	})
}

func TestAServerWithoutProtocolV2GetsAPlainClone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Wrap(dropV2)
	w.tip = w.editAndPush(t)
	w.editAndPush(t)
}

// A server that does not know protocol v2 sends one commit, also if another one was told with it.
func TestAPlainCloneIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Wrap(dropV2)
	w.repo.Commit("work", gittest.Files(map[string]string{"work.txt": "one\n"}))
	_, err := w.repos.Tips(t.Context(), acme, "refs/heads/main", "refs/heads/work")
	require.NoError(t, err)
	w.server.Requests()
	w.open(t)
	fetched := 0
	for _, request := range w.server.Requests() {
		if request == fetch {
			fetched++
		}
	}
	require.Equal(t, 1, fetched)
}

func TestAPlainCloneLoadsAgainWhatTheCacheLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{Limits: gitrepo.Limits{ObjectBytes: 1000}})
	w.server.Wrap(dropV2)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"large": strings.Repeat("x", 2000)}))
	c := w.open(t)
	require.NoError(t, c.Load(t.Context(), "large", "README.md"))
	_, err := c.ReadFile("large")
	require.ErrorIs(t, err, engine.ErrTooLarge)
	require.ErrorContains(t, err, "`\"large\"` is larger than 1000 bytes")
	_, err = c.ReadFile("README.md")
	require.NoError(t, err)
}

func TestAPlainServerWhoseBranchMovedSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.repo.Git("config", "uploadpack.allowAnySHA1InWant", "false")
	w.server.Wrap(dropV2)
	w.repo.Commit("main", gittest.Files(map[string]string{"y": "y"}))
	_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.ErrorIs(t, err, port.ErrMoved)
}

func TestAServerWithoutFiltersSendsTheBlobsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.repo.Git("config", "uploadpack.allowFilter", "false")
	w.tip = w.editAndPush(t)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"y": "y"}))
	w.editAndPush(t)
}

func TestARepositoryThatDiffersFromItsHostIsAskedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.tip = w.editAndPush(t)
	w.repo.Git("config", "uploadpack.allowFilter", "false")
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"y": "y"}))
	w.server.Requests()
	w.tip = w.editAndPush(t)
	require.Contains(t, w.server.Requests(), "GET /acme/anvil.git/info/refs?service=git-upload-pack")
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"y": "z"}))
	w.server.Requests()
	w.editAndPush(t)
	require.NotContains(t, w.server.Requests(), "GET /acme/anvil.git/info/refs?service=git-upload-pack")
}

func TestARepositoryWithSHA256IsRefusedClearly(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*testing.T, *world){
		"asked first":                  func(*testing.T, *world) {},
		"its host is known for SHA-1":  func(t *testing.T, w *world) { w.open(t) },
		"its server knows no v2":       func(_ *testing.T, w *world) { w.server.Wrap(dropV2) },
		"its host is known without v2": func(t *testing.T, w *world) { w.server.Wrap(dropV2); w.open(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, gitrepo.Options{})
			long := w.server.Create(t, "acme/long", gittest.SHA256)
			long.Commit("main", gittest.Files(map[string]string{"a": "a"}))
			prepare(t, w)
			ref := port.RepoRef{Owner: "acme", Name: "long"}
			for _, sha := range []string{"", w.tip, long.Ref("refs/heads/main")} {
				_, err := w.repos.Open(t.Context(), ref, "refs/heads/main", sha)
				var user *port.UserError
				require.ErrorAs(t, err, &user, sha)
				require.Contains(t, user.Text, "SHA-256")
			}
		})
	}
}

func TestOneOddRepositoryDoesNotSpeakForItsHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Create(t, "acme/long", gittest.SHA256).Commit("main", gittest.Files(map[string]string{"a": "a"}))
	_, err := w.repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "long"}, "refs/heads/main", "")
	require.ErrorContains(t, err, "SHA-256")
	w.tip = w.editAndPush(t)
	w.server.Requests()
	w.editAndPush(t)
	require.Equal(t, []string{pushIt}, w.server.Requests())
}

func TestAnEmptyRepositoryIsRefusedClearly(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.server.Create(t, "acme/empty")
	for _, wrap := range []func(http.Handler) http.Handler{nil, dropV2} {
		w.server.Wrap(wrap)
		_, err := w.repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "empty"}, "refs/heads/main", "")
		var user *port.UserError
		require.ErrorAs(t, err, &user)
		require.Contains(t, user.Text, "is empty")
		_, err = w.repos.Open(t.Context(), acme, "refs/heads/nothing", "")
		require.ErrorIs(t, err, port.ErrNotFound)
	}
}

func TestAnEmptyTreeIsATree(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	tree := w.repo.Git("mktree")
	w.tip = w.repo.Git("commit-tree", "-m", "nothing", tree)
	w.repo.Git("update-ref", "refs/heads/main", w.tip)
	c := w.open(t)
	files, err := c.Files()
	require.NoError(t, err)
	require.Empty(t, files)
	require.NoError(t, c.WriteFile("first", []byte("1")))
	_, err = c.Commit(t.Context(), request("main"))
	require.NoError(t, err)
	w.repo.Fsck()
}

func TestAHundredThousandRefsAreNotDownloaded(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	var packed strings.Builder
	packed.WriteString("# pack-refs with: peeled fully-peeled sorted\n")
	for i := range 100_000 {
		fmt.Fprintf(&packed, "%s refs/heads/bulk/%06d\n", w.tip, i)
	}
	require.NoError(t, os.WriteFile(filepath.Join(w.repo.Dir, "packed-refs"), []byte(packed.String()), 0o600))
	var received int
	w.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			git.ServeHTTP(answer, r)
			received += answer.Body.Len()
			for name, values := range answer.Header() {
				rw.Header()[name] = values
			}
			rw.WriteHeader(answer.Code)
			_, _ = rw.Write(answer.Body.Bytes())
		})
	})
	c, err := w.repos.Open(t.Context(), acme, "refs/heads/main", "")
	require.NoError(t, err)
	require.Equal(t, w.tip, c.SHA())
	w.editAndPush(t)
	require.Less(t, received, 10_000)

	w.server.Wrap(dropV2)
	plain := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Limits: gitrepo.Limits{RefBytes: 1 << 20}})
	_, err = plain.Open(t.Context(), acme, "refs/heads/main", "")
	require.ErrorContains(t, err, "than the operator's limit", "a bound holds where there is no other way")
}

func TestTheHeadOfAForksPullRequestIsOpenedHere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	head := w.repo.Commit("elsewhere", gittest.Files(map[string]string{"fork.txt": "from a fork\n"}))
	w.repo.Git("update-ref", "refs/pull/7/head", head)
	w.repo.Git("update-ref", "-d", "refs/heads/elsewhere")
	for _, sha := range []string{head, ""} {
		c, err := w.repos.Open(t.Context(), acme, "refs/pull/7/head", sha)
		require.NoError(t, err)
		require.Equal(t, head, c.SHA())
		require.NoError(t, c.Load(t.Context(), "fork.txt"))
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	_, err := w.repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "nothing"}, "refs/heads/main", "")
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = w.repos.Open(t.Context(), acme, "refs/heads/main", strings.Repeat("12", 20))
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = w.repos.Open(t.Context(), port.RepoRef{Owner: "..", Name: "x"}, "refs/heads/main", "")
	require.ErrorContains(t, err, "not the name of a repository")
	blob := w.repo.Git("rev-parse", "main:README.md")
	_, err = w.repos.Open(t.Context(), acme, "refs/heads/main", blob)
	require.Error(t, err)
}
