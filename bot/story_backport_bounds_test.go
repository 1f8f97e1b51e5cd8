package bot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// GitHub's limit is reached at each kind of request in turn. A commit that no branch has yet may be made again.
func TestABackportWaitsForGitHubsLimitsAndGoesOn(t *testing.T) {
	t.Parallel()
	for _, at := range []struct {
		op    string
		nth   int
		makes int // commits in all, of which four are on branches
	}{
		{"Log", 1, 4}, {"Open", 3, 4}, {"MakeCommit", 1, 5}, {"MakeCommit", 2, 6}, {"MoveBranch", 1, 4}, {"CreatePull", 1, 4},
		{"Tips", 2, 4}, {"FindPull", 2, 4}, {"MakeCommit", 4, 6}, {"MoveBranch", 2, 4}, {"CreatePull", 2, 4}, {"Post", 1, 4},
	} {
		name := fmt.Sprint(at.op, " ", at.nth)
		s := backportable(t, bottest.ByRebase)
		s.Repo.SetBranch("old", s.Repo.Branch("release"))
		s.Before(at.op).Nth(at.nth).Fail(&port.WaitError{For: port.GitHubLimit, After: 20 * time.Minute,
			Err: errors.New("slow down")})
		s.pull.Comment("maria", "/tenon backport release old")
		s.RunFor(10 * time.Minute)
		require.NotContains(t, fmt.Sprint(s.pull.Answers()), "Backported", name)
		s.RunFor(time.Hour)
		require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 2 branches**\n\n✅ **`release`**: [#2](", name)
		require.Len(t, s.pull.Answers(), 1, name)
		require.Len(t, s.Calls("MakeCommit"), at.makes, name)
		require.Nil(t, s.Repo.Thread(4), name)
		for _, to := range []string{"release", "old"} {
			require.Len(t, s.picks(s.backportOf(to), to), 2, name)
		}
		require.Len(t, s.Repo.Branches("tenon/"), 2, name)
	}
}

// More files than GitHub lists of a pull request.
func TestABackportOfThreeThousandFilesIsMade(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	files := map[string]string{}
	for i := range 3_001 {
		files[fmt.Sprintf("many/%d/%04d.txt", i%7, i)] = fmt.Sprint(i, "\n")
	}
	s.push(files)
	s.pull.MergeBy(bottest.BySquash)
	s.Repo.Push("release", map[string]string{"release.txt": "1.2\n"})
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**")
	head := s.backportOf("release")
	for name, want := range files {
		require.Equal(t, want, s.File(head, name))
	}
	require.Equal(t, "1.2\n", s.File(head, "release.txt"))
}
