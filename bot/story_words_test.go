package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A squash merge makes a commit of the title and description of a pull request.
func TestNoProgramFindsOrdersInAPullRequestAndItsCommits(t *testing.T) {
	t.Parallel()
	orders := "[skip  ci] fixes LIN-1 closes acme/other#3 BREAKING CHANGE: x @acme/all www.evil.example"
	reply := "It greets, " + orders + ".\n\n" + edit("main.go", helloLine, byeLine+" // [ci skip] fixes #9")
	s := newStory(t, "COMMIT: feat!: greet [skip netlify]\n\n"+reply)
	issue := s.Repo.OpenIssue("maria", "Greet later "+orders, "")
	require.Equal(t, "rocket", s.sayIn(issue, "/tenon fix the greeting in `main.go` "+orders).verdict)
	pull := s.Repo.PullOf(issueBranch(issue))
	require.True(t, strings.HasPrefix(pull.Title(), "Greet later …"), pull.Title())
	commit := s.Commits(issueBranch(issue))[0]
	require.True(t, strings.HasPrefix(commit, "chore: apply edits from #"), commit)
	for _, order := range []string{
		"skip  ci", "ci skip", "netlify", "LIN-1", "other#3", "BREAKING", "@acme", "www.", "#9", "!:",
	} {
		require.NotContains(t, pull.Title(), order)
		require.NotContains(t, pull.Text(), order)
		require.NotContains(t, commit, order)
	}
	require.Contains(t, pull.Text(), "\n\nIt greets, … ")
}
