package bottest_test

import (
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/bottest/contract"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

func TestReposContract(t *testing.T) {
	t.Parallel()
	var calls callLog
	t.Run("stories", func(t *testing.T) {
		contract.Repos(t, func(t *testing.T) contract.ReposStage {
			s := newReposStage(t)
			t.Cleanup(func() { calls.add(s.w.Calls("")) })
			return s
		})
	})
	calls.requireMethods(t, reflect.TypeFor[repo.Repos]())
}

// callLog collects the methods that a contract calls.
type callLog struct {
	mu  sync.Mutex
	ops map[string]bool
}

func (l *callLog) add(calls []bottest.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ops == nil {
		l.ops = map[string]bool{}
	}
	for _, c := range calls {
		l.ops[c.Op] = true
	}
}

// requireMethods requires that all methods of a port were called.
func (l *callLog) requireMethods(t *testing.T, port reflect.Type) {
	t.Helper()
	for i := range port.NumMethod() {
		require.True(t, l.ops[port.Method(i).Name], "the contract says nothing about %s.%s", port, port.Method(i).Name)
	}
}

// reposStage is a contract.ReposStage of the world.
type reposStage struct {
	t     *testing.T
	w     *bottest.World
	repos map[string]*bottest.Repo
}

func newReposStage(t *testing.T) *reposStage {
	t.Helper()
	w := bottest.New(t)
	anvil := w.GitHub.AddRepo("acme/anvil", map[string]string{"README.md": "# anvil\n"})
	s := &reposStage{t: t, w: w, repos: map[string]*bottest.Repo{"acme/anvil": anvil,
		"acme/empty": w.GitHub.AddRepo("acme/empty", nil)}}
	s.Commit("acme/anvil", "main", contract.AnvilFiles)
	for anvil.OpenIssue("maria", "Before", "").Number() < 6 {
	}
	s.repos["ada/anvil"] = anvil.Fork("ada")
	s.Commit("ada/anvil", "theirs", bottest.Files(map[string]string{"fork.txt": "from a fork\n"}))
	require.Equal(t, 7, anvil.OpenPull("ada", "Mine", "ada:theirs", "main").Number())
	return s
}

func (s *reposStage) repo(name string) *bottest.Repo {
	s.t.Helper()
	require.Contains(s.t, s.repos, name)
	return s.repos[name]
}

func (s *reposStage) Repos() repo.Repos { return s.w.Repos }

func (s *reposStage) Ref(repo string) port.RepoRef { return s.repo(repo).Ref() }

func (s *reposStage) Commit(repo, branch string, files map[string]bottest.File) string {
	return s.repo(repo).PushFiles(branch, files, "change\n")
}

func (s *reposStage) Branch(repo, branch string) string { return s.repo(repo).Branch(branch) }

func (s *reposStage) SetBranch(repo, branch, sha string) { s.repo(repo).SetBranch(branch, sha) }

func (s *reposStage) TreeID(repo, sha string) string { return s.repo(repo).TreeID(sha) }

func (s *reposStage) BlobID(repo, sha, path string) string { return s.repo(repo).BlobID(sha, path) }

func (s *reposStage) File(repo, branch, path string) (string, bool) {
	return s.repo(repo).File(branch, path)
}

func (s *reposStage) Mode(repo, branch, path string) string { return s.repo(repo).Mode(branch, path) }

func (s *reposStage) Commits(repo, branch string) []bottest.Commit {
	return s.repo(repo).Commits(branch)
}

func (s *reposStage) Protect(words string) { s.repo("acme/anvil").Protect("main", words) }

func (s *reposStage) DenyPushes() {
	s.w.GitHub.Grant("acme", map[string]string{"contents": "read", "issues": "read", "pull_requests": "read"})
}

// LosePush does nothing: a port has answers only that its adapter got.
func (s *reposStage) LosePush() {}
