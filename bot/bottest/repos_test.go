package bottest_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

func TestReposContract(t *testing.T) {
	t.Parallel()
	var calls callLog
	t.Run("stories", func(t *testing.T) {
		bottest.ReposContract(t, func(t *testing.T) bottest.ReposStage {
			s := newReposStage(t)
			t.Cleanup(func() { calls.add(s.w.Calls("")) })
			return s
		})
	})
	calls.requireMethods(t, reflect.TypeFor[repo.Repos]())
}

// reposStage is a bottest.ReposStage of the fake.
type reposStage struct {
	*stage
	number int
}

func newReposStage(t *testing.T) *reposStage {
	t.Helper()
	w := bottest.New(t)
	s := &reposStage{stage: &stage{t: t, w: w, repos: map[string]*bottest.Repo{}}}
	s.AddRepo("acme/anvil", map[string]string{"README.md": "# anvil\n"})
	s.AddRepo("acme/empty", nil)
	s.Commit("acme/anvil", "main", bottest.AnvilFiles)
	for s.number < 6 {
		s.number = s.repo("acme/anvil").OpenIssue("maria", "Before", "").Number()
	}
	s.repos["ada/anvil"] = s.repo("acme/anvil").Fork("ada")
	s.Commit("ada/anvil", "theirs", bottest.Files(map[string]string{"fork.txt": "from a fork\n"}))
	require.Equal(t, 7, s.OpenPull("ada", "acme/anvil", "Mine", "ada:theirs"))
	return s
}

func (s *reposStage) Repos() repo.Repos { return s.w.Repos }

func (s *reposStage) Commit(repo, branch string, files map[string]bottest.File) string {
	return s.Push(repo, branch, files, "change\n")
}

func (s *reposStage) Branch(repo, branch string) string { return s.BranchAt(repo, branch) }

func (s *reposStage) SetBranch(repo, branch, sha string) { s.repo(repo).SetBranch(branch, sha) }

func (s *reposStage) Protect(words string) { s.repo("acme/anvil").Protect("main", words) }

func (s *reposStage) DenyPushes() { s.Grant(map[string]string{"contents": "read"}) }

// LosePush does nothing: a port has answers only that its adapter got.
func (s *reposStage) LosePush() {}
