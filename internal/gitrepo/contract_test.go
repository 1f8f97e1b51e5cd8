package gitrepo_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/bottest/contract"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

func TestReposContract(t *testing.T) {
	t.Parallel()
	contract.Repos(t, func(t *testing.T) contract.ReposStage { return newStage(t) })
}

// stage is a contract.ReposStage: real git behind HTTP.
type stage struct {
	t      *testing.T
	server *gittest.Server
	repos  *gitrepo.Repos
	named  map[string]*gittest.Repo
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, server: gittest.New(t), named: map[string]*gittest.Repo{}}
	s.repos = gitrepo.New(gitrepo.Options{BaseURL: s.server.URL})
	for _, name := range []string{"acme/anvil", "acme/empty", "ada/anvil"} {
		s.named[name] = s.server.Create(t, name)
	}
	s.Commit("acme/anvil", "main", contract.AnvilFiles)
	upstream, fork := s.named["acme/anvil"], s.named["ada/anvil"]
	fork.Take(upstream, "refs/heads/main", "refs/heads/main")
	fork.Take(upstream, "refs/heads/main", "refs/heads/theirs")
	s.Commit("ada/anvil", "theirs", bottest.Files(map[string]string{"fork.txt": "from a fork\n"}))
	upstream.Take(fork, "refs/heads/theirs", "refs/pull/7/head")
	return s
}

func (s *stage) Repos() repo.Repos { return s.repos }

func (s *stage) Ref(name string) port.RepoRef {
	owner, name, _ := strings.Cut(name, "/")
	return port.RepoRef{Owner: owner, Name: name}
}

func (s *stage) Commit(name, branch string, files map[string]bottest.File) string {
	s.t.Helper()
	changes := map[string]gittest.File{}
	for path, f := range files {
		changes[path] = gittest.File{Mode: f.Mode, Data: f.Data, Gone: f.Gone}
	}
	return s.named[name].Commit(branch, changes)
}

func (s *stage) Branch(name, branch string) string { return s.named[name].Ref("refs/heads/" + branch) }

func (s *stage) SetBranch(name, branch, sha string) {
	s.t.Helper()
	if sha == "" {
		s.named[name].Git("update-ref", "-d", "refs/heads/"+branch)
		return
	}
	s.named[name].Git("update-ref", "refs/heads/"+branch, sha)
}

func (s *stage) TreeID(name, sha string) string { return s.named[name].Git("rev-parse", sha+"^{tree}") }

func (s *stage) BlobID(name, sha, path string) string {
	return s.named[name].Git("rev-parse", sha+":"+path)
}

func (s *stage) File(name, branch, path string) (string, bool) {
	return strings.CutPrefix(s.named[name].Read("refs/heads/"+branch, path), "blob\n")
}

func (s *stage) Mode(name, branch, path string) string {
	return s.named[name].Git("ls-tree", "--format=%(objectmode)", "refs/heads/"+branch, path)
}

func (s *stage) Commits(name, branch string) (list []bottest.Commit) {
	s.t.Helper()
	out := s.named[name].Git("log", "-z", "--format=%H%x1f%P%x1f%an%x1f%B", "refs/heads/"+branch)
	for record := range strings.SplitSeq(out, "\x00") {
		if f := strings.Split(record, "\x1f"); len(f) == 4 {
			list = append(list, bottest.Commit{SHA: f[0], Parents: strings.Fields(f[1]), Author: f[2],
				Message: strings.TrimSuffix(f[3], "\n")})
		}
	}
	return list
}

func (s *stage) Protect(words string) {
	s.t.Helper()
	hook := fmt.Sprintf("#!/bin/sh\necho 'error: %s' >&2\nexit 1\n", words)
	path := filepath.Join(s.named["acme/anvil"].Dir, "hooks", "pre-receive")
	require.NoError(s.t, os.WriteFile(path, []byte(hook), 0o700)) //nolint:gosec // a hook is a program
}

func isPush(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/git-receive-pack")
}

func (s *stage) DenyPushes() {
	s.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isPush(r) {
				http.Error(w, "Write access to repository not granted.", http.StatusForbidden)
				return
			}
			git.ServeHTTP(w, r)
		})
	})
}

// LosePush breaks the connection when git has taken the push.
func (s *stage) LosePush() {
	s.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isPush(r) {
				git.ServeHTTP(w, r)
				return
			}
			git.ServeHTTP(httptest.NewRecorder(), r)
			s.server.Wrap(nil)
			panic(http.ErrAbortHandler)
		})
	})
}
