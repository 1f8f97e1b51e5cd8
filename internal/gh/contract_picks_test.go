package gh_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

var pickStories = []story{
	{"the commits before another are listed, newest first", logged},
	{"the commits of a pull request are listed, oldest first, before and after it was merged", pullCommits},
	{"a pull request of many commits lists 250", manyPullCommits},
	{"commits that are made are on no branch before one is made", picksMade},
	{"a commit of a workflow is not made without the permission", pickOfWorkflow},
	{"what cannot be a commit is not made", picksRefused},
}

func logged(t *testing.T, s *stage) {
	first := s.BranchAt(lathe, "main")
	later := s.Push(lathe, "main", files(map[string]string{"later.txt": "later\n"}), "Later\n\nWhy.\n")
	list, err := s.App().Log(t.Context(), s.Ref(lathe), later)
	require.NoError(t, err)
	require.Equal(t, later, list[0].SHA)
	require.Equal(t, []string{first}, list[0].Parents)
	require.Equal(t, "Later\n\nWhy.", list[0].Message)
	author := list[0].Author
	require.Equal(t, author.Name, author.User.Login)
	require.NotZero(t, author.User.ID)
	require.NotEmpty(t, author.Email)
	require.False(t, author.When.IsZero())
	require.False(t, list[0].Committed.IsZero())
	require.Equal(t, first, list[1].SHA)
	for i := range 120 {
		later = s.Push(lathe, "main", files(map[string]string{"later.txt": fmt.Sprint(i)}), "More\n")
	}
	list, err = s.App().Log(t.Context(), s.Ref(lathe), later)
	require.NoError(t, err)
	require.Len(t, list, 100)
	_, err = s.App().Log(t.Context(), s.Ref(lathe), strings.Repeat("1", 40))
	require.ErrorIs(t, err, port.ErrNotFound)
	for _, bad := range []string{"", "main", later[:7]} {
		_, err = s.App().Log(t.Context(), s.Ref(lathe), bad)
		requirePermanent(t, err)
	}
}

func pullCommits(t *testing.T, s *stage) {
	first := s.BranchAt(lathe, "speed")
	second := s.Push(lathe, "speed", files(map[string]string{"more.txt": "more\n"}), "More\n")
	for _, method := range []sim.MergeMethod{"", sim.ByMerge, sim.BySquash, sim.ByRebase} {
		base := fmt.Sprint("base-", method)
		s.Push(lathe, base, files(map[string]string{"base.txt": "base\n"}), "Base\n")
		number, err := s.server.OpenPull(sim.Pull{As: "maria", Repo: lathe, Title: "Be fast", Head: "speed", Base: base})
		s.act(err)
		if method != "" {
			s.act(s.server.MergeBy(lathe, number, method))
		}
		list, err := s.App().PullCommits(t.Context(), s.Ref(lathe), number)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, []string{first, second}, []string{list[0].SHA, list[1].SHA}, method)
		require.Equal(t, []string{first}, list[1].Parents)
		if method == "" {
			continue
		}
		pull, err := s.App().PullRequest(t.Context(), s.Ref(lathe), number)
		require.NoError(t, err)
		require.True(t, pull.Merged)
		require.Equal(t, s.BranchAt(lathe, base), pull.MergeCommit)
		log, err := s.App().Log(t.Context(), s.Ref(lathe), pull.MergeCommit)
		require.NoError(t, err)
		switch method {
		case sim.ByMerge:
			require.Equal(t, second, log[0].Parents[1])
		case sim.BySquash:
			require.Len(t, log[0].Parents, 1)
			require.Equal(t, fmt.Sprintf("Be fast (#%d)", number), log[0].Message)
			require.Equal(t, "maria", log[0].Author.User.Login)
		case sim.ByRebase:
			require.Equal(t, "More", log[0].Message)
			require.Equal(t, list[1].Author, log[0].Author, "the author and the time are kept")
			require.NotEqual(t, second, log[0].SHA)
			require.Equal(t, list[0].Message, log[1].Message)
		}
	}
	_, err := s.App().PullCommits(t.Context(), s.Ref(lathe), 99)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func manyPullCommits(t *testing.T, s *stage) {
	for i := range 260 {
		s.Push(lathe, "speed", files(map[string]string{"more.txt": fmt.Sprint(i)}), "More\n")
	}
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	list, err := s.App().PullCommits(t.Context(), s.Ref(lathe), number)
	require.NoError(t, err)
	require.Len(t, list, 250)
}

func picksMade(t *testing.T, s *stage) {
	main := s.BranchAt(lathe, "main")
	up := upload(s, "main", writtenFile("README.md", "hi\n"), writtenFile("new.txt", "new\n"))
	up.Branch = ""
	one, err := s.App().MakeCommit(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, main, s.BranchAt(lathe, "main"))
	// The next is of what has changed since main in all: nothing.
	up.Parent, up.Changes = one, nil
	two, err := s.App().MakeCommit(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, s.TreeID(lathe, main), s.TreeID(lathe, two))
	require.NoError(t, s.App().MoveBranch(t.Context(), s.Ref(lathe), "tenon/backport-1-to-main", "", two))
	commits := s.Commits(lathe, "tenon/backport-1-to-main")
	require.Equal(t, []string{two, one, main}, []string{commits[0].SHA, commits[1].SHA, commits[2].SHA})
	require.True(t, commits[0].Verified && commits[1].Verified)
	require.Equal(t, []string{one}, commits[0].Parents)
	require.Equal(t, "fix: say hello\n\nTenon-Run: def", commits[1].Message)
}

func pickOfWorkflow(t *testing.T, s *stage) {
	_, err := s.App().MakeCommit(t.Context(), s.Ref(lathe),
		upload(s, "main", writtenFile(".github/workflows/ci.yml", "on: push\n")))
	require.ErrorIs(t, err, port.ErrDenied)
	requirePermanent(t, err)
}

func picksRefused(t *testing.T, s *stage) {
	for what, spoil := range map[string]func(*port.Upload){
		"no parent": func(u *port.Upload) { u.Parent = "" }, "no tree": func(u *port.Upload) { u.Tree = "" },
		"no message": func(u *port.Upload) { u.Message = " \n" },
		"no such blob": func(u *port.Upload) {
			u.Changes = []port.Change{{Path: "x", Mode: "100644", Blob: strings.Repeat("1", 40)}}
		},
	} {
		up := upload(s, "main", writtenFile("README.md", "hi\n"))
		spoil(&up)
		_, err := s.App().MakeCommit(t.Context(), s.Ref(lathe), up)
		require.Error(t, err, what)
	}
}
