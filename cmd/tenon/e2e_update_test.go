package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// A merge is made in the memory of the server, and reaches GitHub by its API or by git.
func TestAnUpdateReachesTheBranchAsAMerge(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"TENON_COMMITS=verified", "TENON_COMMITS=push"} {
		s := newStage(t)
		s.env = append(s.env, env)
		s.push(map[string]string{"main.go": "package main\n\nfunc main() {}\n\n// ours\n"})
		main := s.pushTo("main", map[string]string{"later/file.txt": "later\n", "greet.go": "package main // theirs\n"})
		s.start()
		require.Equal(t, "rocket", s.say("/tenon update").verdict)
		require.Equal(t, "package main // theirs\n", s.file("greet.go"))
		require.Equal(t, "later\n", s.file("later/file.txt"))
		require.Contains(t, s.file("main.go"), "// ours")
		list, err := s.github.Commits(s.repo, "speed")
		require.NoError(t, err)
		require.Equal(t, main, list[0].Parents[1])
		require.Equal(t, env == "TENON_COMMITS=verified", list[0].Verified)
		require.Equal(t, "confused", s.say("/tenon update").verdict, "it is up to date")
		require.Equal(t, "rocket", s.say("/tenon undo").verdict)
		require.Equal(t, "confused", s.say("/tenon update").verdict, "git takes it for merged")
	}
}

// What a merge asks for is: where the branches parted; and it makes a tree, a commit and the move of the branch.
func TestAnUpdateAsksGitHubLittleMoreThanAFix(t *testing.T) {
	t.Parallel()
	s := newStage(t, someReplies()...)
	s.withoutLogs()
	s.start()
	count := func(say string) (api, git int) {
		s.github.ForgetRequests()
		require.Contains(t, s.settled(s.comment("maria", say)), "rocket", say)
		requests := s.github.Requests()
		git = len(simhttp.OfKind(requests, simhttp.KindGit))
		return len(requests) - git, git
	}
	count("/tenon fix `main.go`")
	fix, _ := count("/tenon fix `main.go`")
	s.pushTo("main", map[string]string{"later.txt": "later\n"})
	update, git := count("/tenon update")
	for _, r := range s.github.Requests() {
		t.Log(r.Method, r.Path)
	}
	t.Logf("fix=%d update=%d git=%d", fix, update, git)
	require.LessOrEqual(t, update, fix+2)
	require.LessOrEqual(t, git, 4, "the tips, what the branches have, and the files that both changed")
}
