package gh_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

var mergeStories = []story{
	{"the newest common commit of two is found", mergeBaseFound},
	{"the history of two commits is told", logsOfTwo},
	{"of several newest common commits none is taken", severalMergeBases},
	{"an upload of a merge has two parents", mergeUploaded},
	{"an upload of a merge has the branch's tip as its condition", mergeMoved},
	{"an upload of a merge whose answer is lost is made", mergeLost},
	{"a merge of a tree that is there already needs no changes", mergeWithoutChanges},
	{"an upload keeps links and submodules", uploadedLinks},
	{"an upload puts a file where a folder was", uploadedSwap},
}

func logsOfTwo(t *testing.T, s *stage) {
	main := s.BranchAt(lathe, "main")
	speed := s.BranchAt(lathe, "speed")
	a, b, err := s.App().Logs(t.Context(), s.Ref(lathe), speed, main)
	require.NoError(t, err)
	require.Equal(t, speed, a[0].SHA)
	require.Equal(t, main, b[0].SHA)
	require.NotEmpty(t, a[0].Message)
	require.NotContains(t, a[0].Message, "\n")
	require.Equal(t, a[1].SHA, a[0].Parents[0])
	require.Empty(t, b[len(b)-1].Parents, "the first one")
	_, _, err = s.App().Logs(t.Context(), s.Ref(lathe), main, strings.Repeat("1", 40))
	require.ErrorIs(t, err, port.ErrNotFound)
	_, _, err = s.App().Logs(t.Context(), s.Ref(lathe), main, "main")
	require.Error(t, err)
}

func mergeBaseFound(t *testing.T, s *stage) {
	base, speed := s.BranchAt(lathe, "main"), s.BranchAt(lathe, "speed")
	main := s.Push(lathe, "main", files(map[string]string{"later.txt": "later\n"}), "Later\n")
	between := func(a, b string) string {
		sha, err := s.App().MergeBase(t.Context(), s.Ref(lathe), a, b)
		require.NoError(t, err)
		return sha
	}
	require.Equal(t, base, between(main, speed))
	require.Equal(t, base, between(speed, main))
	require.Equal(t, base, between(base, speed), "one of them")
	require.Equal(t, speed, between(speed, speed))
	lonely, err := s.objects(lathe).WriteCommit(git.Commit{Tree: s.TreeID(lathe, main), Message: "Lonely\n"})
	require.NoError(t, err)
	require.Empty(t, between(main, lonely), "they have nothing in common")
	_, err = s.App().MergeBase(t.Context(), s.Ref(lathe), main, strings.Repeat("1", 40))
	require.ErrorIs(t, err, port.ErrNotFound, "it is not there yet, or not any more")
	for _, bad := range []string{"", "main", "refs/heads/main", main[:10]} {
		_, err = s.App().MergeBase(t.Context(), s.Ref(lathe), main, bad)
		requirePermanent(t, err)
		_, err = s.App().MergeBase(t.Context(), s.Ref(lathe), bad, main)
		requirePermanent(t, err)
	}
}

// Both branches merged the other one as it was before.
func severalMergeBases(t *testing.T, s *stage) {
	speed := s.BranchAt(lathe, "speed")
	main := s.Push(lathe, "main", files(map[string]string{"later.txt": "later\n"}), "Later\n")
	merged := func(parents ...string) string {
		sha, err := s.objects(lathe).WriteCommit(git.Commit{Tree: s.TreeID(lathe, main), Parents: parents,
			Message: "Merge\n"})
		require.NoError(t, err)
		return sha
	}
	one, other := merged(main, speed), merged(speed, main)
	_, err := s.App().MergeBase(t.Context(), s.Ref(lathe), one, other)
	require.ErrorIs(t, err, port.ErrSeveralBases)
	again := merged(one, other)
	sha, err := s.App().MergeBase(t.Context(), s.Ref(lathe), again, merged(one))
	require.NoError(t, err)
	require.Equal(t, one, sha, "it is behind neither")
}

// merge is an upload of main, with a later commit, into speed. Its changes are to the tree of main.
func merge(s *stage) port.Upload {
	main := s.Push(lathe, "main", files(map[string]string{"later.txt": "later\n", "old.txt": "new\n"}), "Later\n")
	up := upload(s, "speed", port.Change{Path: "speed.txt", Mode: port.ModeFile,
		Blob: s.BlobID(lathe, s.BranchAt(lathe, "speed"), "speed.txt")})
	up.Merge, up.Tree = main, s.TreeID(lathe, main)
	return up
}

func mergeUploaded(t *testing.T, s *stage) {
	up := merge(s)
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, sha, s.BranchAt(lathe, "speed"))
	got := s.Commits(lathe, "speed")[0]
	require.Equal(t, []string{up.Parent, up.Merge}, got.Parents)
	require.True(t, got.Verified)
	require.Equal(t, "fix: say hello\n\nTenon-Run: def", got.Message)
	for name, want := range map[string]string{
		"README.md": "hello\n", "later.txt": "later\n", "old.txt": "new\n", "speed.txt": "one\ntwo\nthree\n",
	} {
		data, ok := s.File(lathe, "speed", name)
		require.True(t, ok, name)
		require.Equal(t, want, data)
	}
}

func mergeMoved(t *testing.T, s *stage) {
	up := merge(s)
	tip := s.Push(lathe, "speed", files(map[string]string{"more.txt": "more\n"}), "More\n")
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, tip, s.BranchAt(lathe, "speed"))
}

func mergeLost(t *testing.T, s *stage) {
	up := merge(s)
	s.LoseMove()
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, sha, s.BranchAt(lathe, "speed"))
}

func mergeWithoutChanges(t *testing.T, s *stage) {
	up := merge(s)
	up.Changes = nil
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, up.Tree, s.TreeID(lathe, sha))
	require.Equal(t, []string{up.Parent, up.Merge}, s.Commits(lathe, "speed")[0].Parents)
}

func uploadedLinks(t *testing.T, s *stage) {
	const pinned = "1234567890123456789012345678901234567890"
	s.Push(lathe, "links", map[string]sim.File{
		"link": {Mode: git.ModeLink, Content: "README.md"}, "vendored": {Mode: git.ModeSubmodule, Content: pinned},
	}, "Links\n")
	up := upload(s, "speed",
		port.Change{Path: "link", Mode: port.ModeLink, Blob: s.BlobID(lathe, s.BranchAt(lathe, "links"), "link")},
		port.Change{Path: "vendored", Mode: port.ModeSubmodule, Blob: pinned})
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, port.ModeLink, s.Mode(lathe, "speed", "link"))
	require.Equal(t, port.ModeSubmodule, s.Mode(lathe, "speed", "vendored"))
	up = upload(s, "speed", port.Change{Path: "link"}, port.Change{Path: "vendored"})
	_, err = s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Empty(t, s.Mode(lathe, "speed", "link")+s.Mode(lathe, "speed", "vendored"), "they are removed like files")
}

func uploadedSwap(t *testing.T, s *stage) {
	s.Push(lathe, "speed", files(map[string]string{"a/x": "x\n"}), "Folder\n")
	up := upload(s, "speed", port.Change{Path: "a", Mode: port.ModeExecutable, Data: []byte("a\n")},
		port.Change{Path: "a/x"})
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	data, ok := s.File(lathe, "speed", "a")
	require.True(t, ok)
	require.Equal(t, "a\n", data)
}
