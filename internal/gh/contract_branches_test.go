package gh_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var branchStories = []story{
	{"a commit is found by a text in its message", commitFound},
	{"an upload is a signed commit on top of the branch", uploaded},
	{"an upload keeps bytes and modes", uploadedBytes},
	{"an upload to a new branch wants it to be new", uploadedNew},
	{"an upload to a branch that moved changes nothing", uploadMoved},
	{"an upload whose answer is lost is made", uploadLost},
	{"an upload that a rule forbids is rejected in GitHub's words", uploadRejected},
	{"an upload of a workflow is denied", uploadOfWorkflow},
	{"an upload that cannot be is refused for good", uploadRefused},
}

func commitFound(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	find := func(commit string) (string, bool) {
		sha, ok, err := s.App().FindCommit(t.Context(), ref, commit, "Tenon-Run: abc")
		require.NoError(t, err)
		return sha, ok
	}
	tip := s.BranchAt(lathe, "speed")
	sha, ok := find(tip)
	require.True(t, ok)
	require.Equal(t, tip, sha)
	above := s.Push(lathe, "speed", files(map[string]string{"more.txt": "more\n"}), "More\n")
	sha, ok = find(above)
	require.True(t, ok, "below others")
	require.Equal(t, tip, sha)
	again := s.Push(lathe, "speed", files(map[string]string{"more.txt": "again\n"}), "Again\n\nTenon-Run: abc\n")
	sha, _ = find(again)
	require.Equal(t, again, sha, "the newest")
	sha, ok = find(above)
	require.True(t, ok)
	require.Equal(t, tip, sha, "before the commit")
	_, ok = find(s.BranchAt(lathe, "main"))
	require.False(t, ok)
	_, _, err := s.App().FindCommit(t.Context(), ref, strings.Repeat("1", 40), "Tenon-Run: abc")
	require.ErrorIs(t, err, port.ErrNotFound, "it is not there yet, or not any more")
	s.AddRepo("acme/empty", nil)
	_, _, err = s.App().FindCommit(t.Context(), s.Ref("acme/empty"), tip, "Tenon-Run: abc")
	require.ErrorIs(t, err, port.ErrNotFound)
	for _, c := range [][2]string{{"", "x"}, {tip, ""}, {"main", "x"}, {"refs/heads/main", "x"}} {
		_, _, err = s.App().FindCommit(t.Context(), ref, c[0], c[1])
		requirePermanent(t, err)
	}
}

func uploaded(t *testing.T, s *stage) {
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	up := upload(s, "speed", writtenFile("README.md", "hi\n"), writtenFile("new/x.txt", "x\n"),
		port.Change{Path: "old.txt"})
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, sha, s.BranchAt(lathe, "speed"))
	got := s.Commits(lathe, "speed")[0]
	require.Equal(t, sha, got.SHA)
	require.Equal(t, []string{up.Parent}, got.Parents)
	require.Equal(t, "fix: say hello\n\nTenon-Run: def", got.Message)
	require.Equal(t, s.Login(), got.Author)
	require.True(t, got.Verified)
	for name, want := range map[string]string{"README.md": "hi\n", "new/x.txt": "x\n", "speed.txt": "one\ntwo\nthree\n"} {
		data, ok := s.File(lathe, "speed", name)
		require.True(t, ok, name)
		require.Equal(t, want, data)
	}
	_, ok := s.File(lathe, "speed", "old.txt")
	require.False(t, ok)
	pr, err := s.App().PullRequest(t.Context(), s.Ref(lathe), number)
	require.NoError(t, err)
	require.Equal(t, sha, pr.Head.SHA, "pull requests follow")
	found, ok, err := s.App().FindCommit(t.Context(), s.Ref(lathe), sha, "Tenon-Run: def")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, sha, found)
}

func uploadedBytes(t *testing.T, s *stage) {
	files := map[string]string{"latin": "caf\xe9\n", "nul": "a\x00b", "empty": "", "bom": "\ufeffx\r\n",
		"large": strings.Repeat("0123456789abcde\n", 1<<16) + "x"}
	up := upload(s, "speed", port.Change{Path: "run.sh", Mode: "100755", Data: []byte("#!/bin/sh\n")},
		port.Change{Path: "moved.txt", Mode: "100644", Blob: s.BlobID(lathe, s.BranchAt(lathe, "speed"), "speed.txt")})
	for name, data := range files {
		up.Changes = append(up.Changes, writtenFile(name, data))
	}
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	files["moved.txt"] = "one\ntwo\nthree\n"
	for name, want := range files {
		data, ok := s.File(lathe, "speed", name)
		require.True(t, ok, name)
		require.Equal(t, want, data, name)
	}
	require.Equal(t, "100755", s.Mode(lathe, "speed", "run.sh"))
	require.Equal(t, "100644", s.Mode(lathe, "speed", "latin"))
}

func uploadedNew(t *testing.T, s *stage) {
	up := upload(s, "main", writtenFile("README.md", "hi\n"))
	up.Branch, up.New = "tenon/issue-1", true
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, sha, s.BranchAt(lathe, "tenon/issue-1"))
	require.Equal(t, up.Parent, s.BranchAt(lathe, "main"))
	up.Changes = []port.Change{writtenFile("README.md", "hi again\n")}
	_, err = s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, sha, s.BranchAt(lathe, "tenon/issue-1"))
}

func uploadMoved(t *testing.T, s *stage) {
	up := upload(s, "speed", writtenFile("README.md", "hi\n"))
	tip := s.Push(lathe, "speed", files(map[string]string{"more.txt": "more\n"}), "More\n")
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.ErrorIs(t, err, port.ErrMoved)
	require.Equal(t, tip, s.BranchAt(lathe, "speed"))
	up = upload(s, "speed", writtenFile("README.md", "hi\n"))
	s.DeleteBranch(lathe, "speed")
	_, err = s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.ErrorIs(t, err, port.ErrMoved, "a branch that is gone is not made again")
	require.Empty(t, s.BranchAt(lathe, "speed"))
}

func uploadLost(t *testing.T, s *stage) {
	up := upload(s, "speed", writtenFile("README.md", "hi\n"))
	s.LoseMove()
	sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.NoError(t, err)
	require.Equal(t, sha, s.BranchAt(lathe, "speed"))
}

func uploadRejected(t *testing.T, s *stage) {
	s.Protect(lathe, "speed", "Changes must be made by two.")
	program := writtenFile("run.sh", "#!/bin/sh\n")
	program.Mode = "100755"
	for _, change := range []port.Change{writtenFile("README.md", "hi\n"), program} {
		up := upload(s, "speed", change)
		sha, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
		var rejected *port.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Empty(t, sha, "whatever GitHub has made by then is on no branch")
		require.Equal(t, "speed", rejected.Branch)
		require.Contains(t, rejected.Text, "Changes must be made by two.")
		require.NotErrorIs(t, err, port.ErrDenied)
		require.Equal(t, up.Parent, s.BranchAt(lathe, "speed"))
	}
}

func uploadOfWorkflow(t *testing.T, s *stage) {
	up := upload(s, "speed", writtenFile(".github/workflows/ci.yml", "on: push\n"))
	_, err := s.App().Upload(t.Context(), s.Ref(lathe), up)
	require.ErrorIs(t, err, port.ErrDenied)
	require.Equal(t, up.Parent, s.BranchAt(lathe, "speed"))
}

func uploadRefused(t *testing.T, s *stage) {
	good := upload(s, "speed", writtenFile("README.md", "hi\n"))
	for what, spoil := range map[string]func(*port.Upload){
		"no branch": func(u *port.Upload) { u.Branch = "" }, "no parent": func(u *port.Upload) { u.Parent = "" },
		"no tree": func(u *port.Upload) { u.Tree = "" }, "no message": func(u *port.Upload) { u.Message = " \n" },
		"no change": func(u *port.Upload) { u.Changes = nil },
		"a change of nothing": func(u *port.Upload) {
			same := writtenFile("README.md", "hello\n")
			same.Blob = s.BlobID(lathe, u.Parent, "README.md")
			same.OldMode, same.OldBlob = same.Mode, same.Blob
			u.Changes = []port.Change{same}
		},
		"a change with nothing": func(u *port.Upload) { u.Changes = []port.Change{{Path: "x", Mode: "100644"}} },
		"no such blob": func(u *port.Upload) {
			u.Changes = []port.Change{{Path: "x", Mode: "100644", Blob: strings.Repeat("1", 40)}}
		},
		"no such file": func(u *port.Upload) { u.Changes = []port.Change{{Path: "nothing"}} },
	} {
		u := good
		spoil(&u)
		_, err := s.App().Upload(t.Context(), s.Ref(lathe), u)
		require.Error(t, err, what)
		requirePermanent(t, err)
	}
	require.Equal(t, good.Parent, s.BranchAt(lathe, "speed"))
}
