package gh_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// The contract of port.GitHub is a list of stories, which are played on a simulated GitHub.

// story is a story of the contract.
type story struct {
	name string
	play func(t *testing.T, s *stage)
}

func play(t *testing.T, open func(t *testing.T) *stage, stories []story) {
	t.Helper()
	for _, one := range stories {
		t.Run(one.name, func(t *testing.T) {
			t.Parallel()
			one.play(t, open(t))
		})
	}
}

// requirePermanent requires an error that no further attempt heals.
func requirePermanent(t *testing.T, err error) {
	t.Helper()
	require.Error(t, err)
	require.True(t, asPermanent(err), err.Error())
}

// requireLater requires an error that asks for another attempt.
func requireLater(t *testing.T, err error) {
	t.Helper()
	var later timed
	require.ErrorAs(t, err, &later)
	require.Positive(t, later.RetryAfter())
}

func TestGitHubContract(t *testing.T) {
	t.Parallel()
	open := newStage
	play(t, open, accessStories)
	play(t, open, threadStories)
	play(t, open, findStories)
	play(t, open, pullStories)
	play(t, open, reviewStories)
	play(t, open, checkStories)
	play(t, open, branchStories)
	play(t, open, mergeStories)
	play(t, open, pickStories)
}

// Those stories of the contract that need no installation of an App are played with the token of a job of GitHub
// Actions in acme/lathe, with all permissions of the App.
func TestTheTokenOfAJobContract(t *testing.T) {
	t.Parallel()
	open := func(t *testing.T) *stage {
		t.Helper()
		return openStage(t, true)
	}
	play(t, open, tokenStories)
	play(t, open, checkStories)
	play(t, open, branchStories)
	play(t, open, mergeStories)
	play(t, open, pickStories)
}

var tokenStories = []story{
	{"a permission of nobody is not found, or refused", permissionOfNobody},
	{"a repository is found by its id under its new name", repositoryRenamed},
	{"a comment is posted, read and edited", commentPosted},
	{"a review is posted, read and edited", reviewPosted},
	{"a reply is posted to the discussion of any of its comments", replyPosted},
	{"the comment of somebody else is not edited", editOfOthers},
	{"a reaction that is there already is one", reactions},
	{"a comment of the app is found by its marker, where it is", markFound},
	{"a marker that somebody copied does not count", markCopied},
	{"a draft is marked as ready for review, again if need be", pullMarkedReady},
	{"the review threads that nobody resolved are listed", unresolvedThreads},
	{"suggestions are a review with comments on lines", suggested},
}

// lathe is the repository of most stories.
const lathe = "acme/lathe"

var accessStories = []story{
	{"a permission is that of the person", permissions},
	{"a permission of nobody is not found, or refused", permissionOfNobody},
	{"a repository is found by its id under its new name", repositoryRenamed},
	{"a repository that is archived says so", repositoryArchived},
	{"a repository beyond the installation is not found", repositoryOutOfReach},
	{"a sibling is found by its name", siblings},
	{"an installation that is suspended or gone has no access", noInstallation},
	{"what the installation does not grant is denied", notGranted},
	{"what is only prepared changes nothing", onlyPrepared},
	{"GitHub has all features, and its pages are those of its site", features},
}

func features(t *testing.T, s *stage) {
	for _, f := range []port.Feature{port.FeatureChecks, port.FeatureReactions, port.FeatureSuggestions,
		port.FeatureVerifiedCommits} {
		require.True(t, s.App().Has(f), f)
	}
	issue, err := s.App().Issue(t.Context(), s.Ref(lathe), s.OpenIssue("maria", lathe, "It greets", ""))
	require.NoError(t, err)
	pages := s.App().Links(port.Thread{Number: issue.Number, URL: issue.URL})
	require.Equal(t, issue.URL, pages.Thread(issue.Number, false))
}

func onlyPrepared(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	for _, repo := range []port.RepoRef{s.Ref(lathe), {Owner: "nobody", Name: "nothing"}} {
		s.App().Prepare(repo, port.Answering)
		s.App().Prepare(repo, port.Committing)
	}
	list, err := s.App().Comments(t.Context(), s.Ref(lathe), number, nil)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, s.CheckRuns(lathe))
	post(t, s, conversation(number), "Done.")
}

func permissions(t *testing.T, s *stage) {
	for login, want := range map[string]port.Permission{
		"maria": port.PermissionAdmin, "victor": port.PermissionWrite, "VICTOR": port.PermissionWrite,
		"stranger": port.PermissionRead,
	} {
		got, err := s.App().Permission(t.Context(), s.Ref(lathe), login)
		require.NoError(t, err)
		require.Equal(t, want, got, login)
	}
	for _, role := range []port.Permission{
		port.PermissionAdmin, port.PermissionMaintain, port.PermissionTriage, port.PermissionRead, port.PermissionWrite,
	} {
		s.SetRole(lathe, "victor", role)
		got, err := s.App().Permission(t.Context(), s.Ref(lathe), "victor")
		require.NoError(t, err)
		require.Equal(t, role, got)
	}
	s.AddPrivateRepo("acme/hidden", map[string]string{"a": "a\n"})
	got, err := s.App().Permission(t.Context(), s.Ref("acme/hidden"), "stranger")
	require.NoError(t, err)
	require.Equal(t, port.PermissionNone, got)
}

func permissionOfNobody(t *testing.T, s *stage) {
	got, err := s.App().Permission(t.Context(), s.Ref(lathe), "nobody-of-this-name")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.Equal(t, port.PermissionNone, got)
	for _, login := range []string{"", ".", ".."} {
		got, err := s.App().Permission(t.Context(), s.Ref(lathe), login)
		requirePermanent(t, err)
		require.Equal(t, port.PermissionNone, got)
	}
}

func repositoryRenamed(t *testing.T, s *stage) {
	before := s.Ref(lathe)
	got, err := s.App().Repository(t.Context(), before)
	require.NoError(t, err)
	require.Equal(t, before, got)
	s.Rename(lathe, "spindle")
	got, err = s.App().Repository(t.Context(), before)
	require.NoError(t, err)
	require.Equal(t, "acme/spindle", got.String())
	require.Equal(t, before.ID, got.ID)
	require.Equal(t, "main", got.DefaultBranch)
	may, err := s.App().Permission(t.Context(), before, "victor")
	require.NoError(t, err, "the old name leads there")
	require.Equal(t, port.PermissionWrite, may)
}

func repositoryArchived(t *testing.T, s *stage) {
	number := s.OpenIssue("maria", lathe, "It greets", "")
	check, err := s.App().CreateCheck(t.Context(), s.Ref(lathe), port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "main")})
	require.NoError(t, err)
	own := post(t, s, conversation(number), "mine")
	theirs := forked(s)
	pull, err := s.App().PullRequest(t.Context(), s.Ref(lathe), theirs)
	require.NoError(t, err)
	require.False(t, pull.Archived)
	s.Archive(lathe)
	got, err := s.App().Repository(t.Context(), s.Ref(lathe))
	require.NoError(t, err)
	require.True(t, got.Archived)
	pull, err = s.App().PullRequest(t.Context(), s.Ref(lathe), theirs)
	require.NoError(t, err)
	require.True(t, pull.Archived)
	ref := s.Ref(lathe)
	_, posted := s.App().Post(t.Context(), ref, conversation(number), "more")
	_, opened := s.App().CreatePull(t.Context(), ref, port.NewPull{Title: "Be fast", Head: "speed", Base: "main"})
	_, checked := s.App().CreateCheck(t.Context(), ref, port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "main")})
	_, uploaded := s.App().Upload(t.Context(), ref, upload(s, "speed", writtenFile("README.md", "hi\n")))
	for what, err := range map[string]error{
		"post": posted, "pull": opened, "check": checked, "upload": uploaded,
		"edit":         s.App().Edit(t.Context(), ref, number, own, "more"),
		"react":        s.App().React(t.Context(), ref, own, port.ReactionEyes),
		"update check": s.App().UpdateCheck(t.Context(), ref, check, port.Check{Status: "in_progress"}),
	} {
		require.ErrorIs(t, err, port.ErrDenied, what)
		requirePermanent(t, err)
	}
}

func repositoryOutOfReach(t *testing.T, s *stage) {
	s.AddRepo("acme/other", map[string]string{"a": "a\n"})
	ref := s.Ref(lathe)
	s.InstallOn("acme/other")
	_, err := s.App().Repository(t.Context(), ref)
	require.ErrorIs(t, err, port.ErrNotFound)
	s.InstallOn(lathe, "acme/other")
	s.DeleteRepo(lathe)
	_, err = s.App().Repository(t.Context(), ref)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func siblings(t *testing.T, s *stage) {
	s.AddRepo("acme/.github", map[string]string{"a": "a\n"})
	s.AddPrivateRepo("acme/hidden", map[string]string{"a": "a\n"})
	want := s.Ref("acme/.github")
	got, err := s.App().Sibling(t.Context(), s.Ref(lathe), ".github")
	require.NoError(t, err)
	require.Equal(t, want, got)
	_, err = s.App().Sibling(t.Context(), s.Ref(lathe), "nothing")
	require.ErrorIs(t, err, port.ErrNotFound)
	_, err = s.App().Sibling(t.Context(), s.Ref(lathe), "a/b")
	requirePermanent(t, err)

	s.InstallOn(lathe)
	_, err = s.App().Sibling(t.Context(), s.Ref(lathe), ".github")
	require.ErrorIs(t, err, port.ErrDenied, "everybody sees it")
	_, err = s.App().Sibling(t.Context(), s.Ref(lathe), "hidden")
	require.ErrorIs(t, err, port.ErrNotFound, "nobody sees it")
}

func noInstallation(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenIssue("maria", lathe, "It greets", "")
	_, err := s.App().Issue(t.Context(), ref, number)
	require.NoError(t, err)
	s.Suspend()
	_, err = s.App().Issue(t.Context(), ref, number)
	require.ErrorIs(t, err, port.ErrDenied)
	requirePermanent(t, err)
	s.Uninstall()
	_, err = s.App().Issue(t.Context(), ref, number)
	require.ErrorIs(t, err, port.ErrNotFound)
}

func notGranted(t *testing.T, s *stage) {
	ref := s.Ref(lathe)
	number := s.OpenIssue("maria", lathe, "It greets", "")
	s.Grant(map[string]string{"metadata": "read", "contents": "read", "issues": "read", "pull_requests": "read"})
	_, err := s.App().Issue(t.Context(), ref, number)
	require.NoError(t, err)
	_, posted := s.App().Post(t.Context(), ref, conversation(number), "more")
	_, checked := s.App().CreateCheck(t.Context(), ref, port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "main")})
	_, uploaded := s.App().Upload(t.Context(), ref, upload(s, "speed", writtenFile("README.md", "hi\n")))
	for what, err := range map[string]error{"post": posted, "check": checked, "upload": uploaded} {
		require.ErrorIs(t, err, port.ErrDenied, what)
		requirePermanent(t, err)
	}
}

// below is the place of the discussion that a comment is in.
func below(number int, c port.Comment) port.Place { return inThreadOf(number, &c) }

func post(t *testing.T, s *stage, at port.Place, body string) port.Comment {
	t.Helper()
	c, err := s.App().Post(t.Context(), s.Ref(lathe), at, body)
	require.NoError(t, err)
	return c
}

// upload is a commit on top of a branch of acme/lathe.
func upload(s *stage, branch string, changes ...port.Change) port.Upload {
	at := s.BranchAt(lathe, branch)
	return port.Upload{Branch: branch, Parent: at, Tree: s.TreeID(lathe, at), Changes: changes,
		Message: "fix: say hello\n\nTenon-Run: def\n"}
}

func writtenFile(path, text string) port.Change {
	return port.Change{Path: path, Mode: "100644", Data: []byte(text)}
}

// The contract says something about every method of the port.
func TestTheContractCallsAllMethods(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("contract_*_test.go")
	require.NoError(t, err)
	var all strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		all.Write(data)
	}
	methods := reflect.TypeFor[port.GitHub]()
	for i := range methods.NumMethod() {
		require.Contains(t, all.String(), ".App()."+methods.Method(i).Name+"(")
	}
}
