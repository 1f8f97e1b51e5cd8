package gh_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

var pullStories = []story{
	{"a pull request is read as it is", pullRead},
	{"whether a pull request takes changes is read with the tip of the default branch", pullStateRead},
	{"a pull request from a fork says where its branch is", pullOfFork},
	{"a pull request whose fork is gone says so", pullOfGoneFork},
	{"a pull request that does not exist is not found", pullAbsent},
	{"the files of a pull request are listed with what changed", changedFiles},
	{"the newest pull request of a branch is found", pullFound},
	{"a pull request is opened, as a draft where there are drafts", pullCreated},
	{"a pull request that GitHub does not open is refused for good", pullRefused},
	{"a description is replaced, and the title stays", pullDescribed},
	{"a draft is marked as ready for review, again if need be", pullMarkedReady},
}

func pullStateRead(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	s.Push(lathe, "speed2", files(map[string]string{"speed.txt": "faster\n"}), "Faster\n")
	closed := s.OpenPull("maria", lathe, "Be faster", "speed2")
	now := func(number int) port.PullState {
		got, err := s.App().PullState(t.Context(), ref, number)
		require.NoError(t, err)
		return got
	}
	want := port.PullState{State: "open", Base: "main", DefaultBranch: "main", Default: s.BranchAt(lathe, "main")}
	require.Equal(t, want, now(number))
	want.Default = s.Push(lathe, "main", files(map[string]string{"more.txt": "more\n"}), "More\n")
	require.Equal(t, want, now(number))
	s.Lock(lathe, number)
	want.Locked = true
	require.Equal(t, want, now(number))
	s.Merge(lathe, number)
	want.State, want.Merged, want.Default = "closed", true, s.BranchAt(lathe, "main")
	require.Equal(t, want, now(number))
	s.DeleteBranch(lathe, "speed2")
	want.Merged, want.Locked = false, false
	require.Equal(t, want, now(closed))
	s.Archive(lathe)
	require.True(t, now(closed).Archived)
}

func pullRead(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	want := port.PullRequest{Number: number, Title: "Be fast", State: "open", Base: "main", DefaultBranch: "main",
		Head: port.Head{Repo: ref, Branch: "speed", SHA: s.BranchAt(lathe, "speed")}}
	got, err := s.App().PullRequest(t.Context(), ref, number)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(got.NodeID, "PR_"), got.NodeID)
	require.Equal(t, "maria", got.Author.Login)
	require.False(t, got.Author.Bot)
	want.NodeID, want.Author = got.NodeID, got.Author
	require.True(t, strings.HasSuffix(got.URL, "/acme/lathe/pull/1"), got.URL)
	want.URL = got.URL
	require.Equal(t, want, got)

	want.Head.SHA = s.Push(lathe, "speed", files(map[string]string{"more.txt": "more\n"}), "More\n")
	s.Lock(lathe, number)
	want.Locked = true
	got, err = s.App().PullRequest(t.Context(), ref, number)
	require.NoError(t, err)
	require.Equal(t, want, got)

	s.Merge(lathe, number)
	want.State, want.Merged, want.MergeCommit = "closed", true, s.BranchAt(lathe, "main")
	got, err = s.App().PullRequest(t.Context(), ref, number)
	require.NoError(t, err)
	require.Equal(t, want, got)
	merged, _ := s.File(lathe, "main", "speed.txt")
	require.Equal(t, "one\ntwo\nthree\n", merged)

	s.Push(lathe, "other", files(map[string]string{"other.txt": "other\n"}), "Other\n")
	other := s.OpenPull("maria", lathe, "Another", "other")
	s.DeleteBranch(lathe, "other")
	got, err = s.App().PullRequest(t.Context(), ref, other)
	require.NoError(t, err)
	require.Equal(t, "closed", got.State, "GitHub closes what has no branch any more")
	require.False(t, got.Merged)
}

// forked opens a pull request from theirs of the stranger's fork.
func forked(s *stage) (number int) {
	s.Fork(lathe, "stranger")
	s.Push("stranger/lathe", "theirs", files(map[string]string{"theirs.txt": "one\n"}), "Theirs\n")
	return s.OpenPull("stranger", lathe, "Mine", "stranger:theirs")
}

func pullOfFork(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := forked(s)
	got, err := s.App().PullRequest(t.Context(), ref, number)
	require.NoError(t, err)
	require.Equal(t, "stranger/lathe", got.Head.Repo.String())
	require.NotEqual(t, ref.ID, got.Head.Repo.ID)
	require.True(t, got.Head.User)
	require.True(t, got.Maintainable)
	require.Equal(t, s.BranchAt("stranger/lathe", "theirs"), got.Head.SHA)
	s.RefuseEdits(lathe, number)
	got, err = s.App().PullRequest(t.Context(), ref, number)
	require.NoError(t, err)
	require.False(t, got.Maintainable)
	sha, ok, err := s.App().FindCommit(t.Context(), ref, got.Head.SHA, "Theirs")
	require.NoError(t, err)
	require.True(t, ok, "the base has the commits of its pull requests")
	require.Equal(t, got.Head.SHA, sha)
	_, ok, err = s.App().FindPull(t.Context(), ref, "theirs")
	require.NoError(t, err)
	require.False(t, ok, "it is no branch of this repository")
}

func pullOfGoneFork(t *testing.T, s *stage) {
	number := forked(s)
	s.DeleteRepo("stranger/lathe")
	got, err := s.App().PullRequest(t.Context(), s.Ref(lathe), number)
	require.NoError(t, err)
	require.Zero(t, got.Head.Repo)
	require.Equal(t, "theirs", got.Head.Branch)
}

func pullAbsent(t *testing.T, s *stage) {
	issue := s.OpenIssue("maria", lathe, "It greets", "")
	for _, number := range []int{issue, 99} {
		_, read := s.App().PullRequest(t.Context(), s.Ref(lathe), number)
		_, listed := s.App().ChangedFiles(t.Context(), s.Ref(lathe), number)
		_, threads := s.App().UnresolvedThreads(t.Context(), s.Ref(lathe), number)
		_, state := s.App().PullState(t.Context(), s.Ref(lathe), number)
		for _, err := range []error{read, listed, threads, state} {
			require.ErrorIs(t, err, port.ErrNotFound)
		}
	}
	_, err := s.App().PullRequest(t.Context(), s.Ref(lathe), 0)
	requirePermanent(t, err)
}

func changedFiles(t *testing.T, s *stage) {
	long := strings.Repeat("line\n", 20)
	s.Push(lathe, "main", files(map[string]string{"long.txt": long, "moved.txt": "a\nb\nc\nd\n"}), "Base\n")
	s.Push(lathe, "changes", map[string]sim.File{
		"README.md": {Content: "hello\nworld\n"}, "old.txt": {Deleted: true}, "new.txt": {Content: "no newline"},
		"image.png": {Content: "\x89PNG\x00"},
		"long.txt":  {Content: "first\n" + long + "last\n"}, "moved.txt": {Deleted: true},
		"there.txt": {Content: "a\nb\nc\nd\n"},
	}, "Changes\n")
	number := s.OpenPull("maria", lathe, "Changes", "changes")
	s.Push(lathe, "main", files(map[string]string{"README.md": "hi\n"}), "Meanwhile\n")
	list, err := s.App().ChangedFiles(t.Context(), s.Ref(lathe), number)
	require.NoError(t, err)
	require.Equal(t, []port.ChangedFile{
		{Path: "README.md", Patch: "@@ -1 +1,2 @@\n hello\n+world"},
		{Path: "image.png"},
		{Path: "long.txt", Patch: "@@ -1,3 +1,4 @@\n+first\n line\n line\n line\n@@ -18,3 +19,4 @@ line\n line\n line\n " +
			"line\n+last"},
		{Path: "new.txt", Patch: "@@ -0,0 +1 @@\n+no newline\n\\ No newline at end of file"},
		{Path: "there.txt"},
	}, list)

	many := map[string]string{}
	for i := range 310 {
		many[fmt.Sprintf("many/%03d", i)] = "x\n"
	}
	s.Push(lathe, "many", files(many), "Many\n")
	list, err = s.App().ChangedFiles(t.Context(), s.Ref(lathe), s.OpenPull("maria", lathe, "Many", "many"))
	require.NoError(t, err)
	require.Len(t, list, 300)
}

func pullFound(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	_, ok, err := s.App().FindPull(t.Context(), ref, "speed")
	require.NoError(t, err)
	require.False(t, ok)
	first := s.OpenPull("maria", lathe, "Be fast", "speed")
	s.SetOpen(lathe, first, false)
	got, ok, err := s.App().FindPull(t.Context(), ref, "speed")
	require.NoError(t, err)
	require.True(t, ok, "of any state")
	require.Equal(t, first, got.Number)
	require.Equal(t, "closed", got.State)
	require.Equal(t, ref, got.Head.Repo)
	s.Pass(0)
	second := s.OpenPull("maria", lathe, "Be faster", "speed")
	got, ok, err = s.App().FindPull(t.Context(), ref, "speed")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, second, got.Number)
	s.Merge(lathe, second)
	got, _, err = s.App().FindPull(t.Context(), ref, "speed")
	require.NoError(t, err)
	require.True(t, got.Merged)
	_, _, err = s.App().FindPull(t.Context(), ref, "")
	requirePermanent(t, err)
}

func pullCreated(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	made, err := s.App().CreatePull(t.Context(), ref, port.NewPull{Title: "Be fast", Body: "Fixes #7.", Head: "speed",
		Base: "main", Draft: true})
	require.NoError(t, err)
	require.True(t, made.Draft)
	require.Equal(t, "open", made.State)
	require.Equal(t, s.BranchAt(lathe, "speed"), made.Head.SHA)
	got, err := s.App().PullRequest(t.Context(), ref, made.Number)
	require.NoError(t, err)
	require.Equal(t, made, got)
	is, err := s.App().Issue(t.Context(), ref, made.Number)
	require.NoError(t, err)
	require.Equal(t, "Fixes #7.", is.Body)
	require.True(t, is.Author.Bot)

	s.AddPrivateRepo("acme/plain", map[string]string{"a": "a\n"})
	s.Push("acme/plain", "speed", files(map[string]string{"b": "b\n"}), "Be fast\n")
	made, err = s.App().CreatePull(t.Context(), s.Ref("acme/plain"), port.NewPull{Title: "Be fast", Head: "speed",
		Base: "main", Draft: true})
	require.NoError(t, err)
	require.False(t, made.Draft)
}

func pullDescribed(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	made, err := s.App().CreatePull(t.Context(), ref, port.NewPull{Title: "Be fast", Body: "Fixes #7.", Head: "speed",
		Base: "main", Draft: true})
	require.NoError(t, err)
	require.True(t, made.Author.Bot)
	const body = "Part of #7.\r\n\n- [ ] ä\n"
	require.NoError(t, s.App().Describe(t.Context(), ref, made.Number, body))
	got, err := s.App().PullRequest(t.Context(), ref, made.Number)
	require.NoError(t, err)
	made.Body = body
	require.Equal(t, made, got)
	requirePermanent(t, s.App().Describe(t.Context(), ref, made.Number, strings.Repeat("x", 65537)))
	require.ErrorIs(t, s.App().Describe(t.Context(), ref, 99, body), port.ErrNotFound)
	require.ErrorIs(t, s.App().Describe(t.Context(), ref, s.OpenIssue("maria", lathe, "It greets", ""), body),
		port.ErrNotFound)
}

func pullMarkedReady(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	made, err := s.App().CreatePull(t.Context(), ref, port.NewPull{Title: "Be fast", Head: "speed", Base: "main",
		Draft: true})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, s.App().MarkReady(t.Context(), ref, made))
		got, err := s.App().PullRequest(t.Context(), ref, made.Number)
		require.NoError(t, err)
		require.False(t, got.Draft)
	}
}

func pullRefused(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	s.Push(lathe, "same", nil, "Nothing\n")
	s.Merge(lathe, s.OpenPull("maria", lathe, "Nothing", "same"))
	good := port.NewPull{Title: "Be fast", Head: "speed", Base: "main"}
	for what, spoil := range map[string]func(*port.NewPull){
		"no such head":     func(p *port.NewPull) { p.Head = "nothing" },
		"no such base":     func(p *port.NewPull) { p.Base = "nothing" },
		"nothing in it":    func(p *port.NewPull) { p.Head = "same" },
		"a title too long": func(p *port.NewPull) { p.Title = strings.Repeat("x", 257) },
		"a body too long":  func(p *port.NewPull) { p.Body = strings.Repeat("x", 65537) },
		"no title":         func(p *port.NewPull) { p.Title = "" },
	} {
		p := good
		spoil(&p)
		_, err := s.App().CreatePull(t.Context(), ref, p)
		require.Error(t, err, what)
		requirePermanent(t, err)
	}
	_, err := s.App().CreatePull(t.Context(), ref, good)
	require.NoError(t, err)
	_, err = s.App().CreatePull(t.Context(), ref, good)
	requirePermanent(t, err)
	require.ErrorIs(t, err, port.ErrExists)
	require.ErrorContains(t, err, "already exists")
}

var reviewStories = []story{
	{"the review threads that nobody resolved are listed", unresolvedThreads},
	{"suggestions are a review with comments on lines", suggested},
	{"suggestions on other lines than those of the diff are refused for good", suggestionsRefused},
}

func unresolvedThreads(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	first := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 2, "Why?")
	s.Reply("victor", lathe, number, first, "Who knows.")
	done := s.ReviewComment("maria", lathe, number, "speed.txt", 0, 3, "Resolved.")
	s.Resolve(done)
	changed := s.ReviewComment("victor", lathe, number, "speed.txt", 0, 1, "It changes.")
	s.Push(lathe, "speed", files(map[string]string{"speed.txt": "first\ntwo\nthree\nfour\n"}), "Change\n")
	post(t, s, below(number, first), "Because.")

	list, err := s.App().UnresolvedThreads(t.Context(), ref, number)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "speed.txt", list[0].Path)
	require.Equal(t, 2, list[0].Line)
	require.False(t, list[0].Outdated)
	require.NotEmpty(t, list[0].NodeID)
	require.Len(t, list[0].Comments, 3)
	for i, want := range []port.Comment{{Body: "Why?", Author: port.User{Login: "maria"}},
		{Body: "Who knows.", Author: port.User{Login: "victor"}},
		{Body: "Because.", Author: port.User{Login: s.Login(), Bot: true}}} {
		got := list[0].Comments[i]
		require.Equal(t, port.ReviewComment, got.Kind)
		require.Equal(t, want.Body, got.Body)
		require.Equal(t, want.Author, got.Author, "GraphQL tells no ids of accounts")
		require.NotZero(t, got.ID)
		require.Contains(t, got.URL, "#discussion_r")
		require.Equal(t, "speed.txt", got.Path)
		require.Equal(t, 2, got.Line)
		require.Equal(t, "@@ -0,0 +1,3 @@\n+one\n+two", got.Hunk)
		require.False(t, got.Updated.IsZero())
		require.Equal(t, i > 0, got.InReplyTo == first.ID)
	}
	require.Equal(t, changed.ID, list[1].Comments[0].ID)
	require.True(t, list[1].Outdated)
	require.Zero(t, list[1].Line)
}

func suggested(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	made, err := s.App().Suggest(t.Context(), ref, number, s.BranchAt(lathe, "speed"), "Take these. "+mark,
		[]port.Suggestion{
			{Path: "speed.txt", Line: 1, Body: "```suggestion\n1\n```"},
			{Path: "speed.txt", StartLine: 2, Line: 3, Body: "```suggestion\n2\n```"},
		})
	require.NoError(t, err)
	require.Equal(t, port.Review, made.Kind)
	found, ok, err := s.App().FindComment(t.Context(), ref, port.Place{Number: number, Kind: port.Review}, mark, s.Now())
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, made, found)
	list, err := s.App().UnresolvedThreads(t.Context(), ref, number)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, 1, list[0].Line)
	require.Equal(t, 3, list[1].Line)
	require.Contains(t, list[1].Comments[0].Body, "suggestion\n2")
	lines, err := s.App().Comments(t.Context(), ref, number, &list[1].Comments[0])
	require.NoError(t, err)
	require.Equal(t, 2, lines[0].StartLine)
}

func suggestionsRefused(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenPull("maria", lathe, "Be fast", "speed")
	head, note := s.BranchAt(lathe, "speed"), port.Suggestion{Path: "speed.txt", Line: 1, Body: "x"}
	elsewhere := s.Push(lathe, "elsewhere", files(map[string]string{"x": "x\n"}), "Elsewhere\n")
	for what, c := range map[string]struct {
		sha   string
		notes []port.Suggestion
	}{
		"no note": {head, nil}, "too many": {head, make([]port.Suggestion, 101)},
		"another line":   {head, []port.Suggestion{note, {Path: "speed.txt", Line: 4, Body: "x"}}},
		"another file":   {head, []port.Suggestion{note, {Path: "README.md", Line: 1, Body: "x"}}},
		"another commit": {elsewhere, []port.Suggestion{note}},
		"backwards":      {head, []port.Suggestion{{Path: "speed.txt", StartLine: 3, Line: 2, Body: "x"}}},
	} {
		_, err := s.App().Suggest(t.Context(), ref, number, c.sha, "Take these.", c.notes)
		require.Error(t, err, what)
		requirePermanent(t, err)
	}
	list, err := s.App().UnresolvedThreads(t.Context(), ref, number)
	require.NoError(t, err)
	require.Empty(t, list, "all or nothing")
}
