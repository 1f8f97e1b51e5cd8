package bottest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// GitHubStage is a GitHub on which the contract of port.GitHub is played. The app, whose slug is Slug, is installed for
// the organisation acme on all its repositories. maria owns acme; victor may write to acme/lathe, which is public and
// has the files README.md ("hello\n") and old.txt ("old\n") on main; there are a stranger and the app other[bot]. The
// branch speed has one commit more, of speed.txt ("one\ntwo\nthree\n"), in which the message says "Tenon-Run: abc".
//
// Repositories are named "owner/name". An act that GitHub does not allow fails the test.
type GitHubStage interface {
	// App is what the contract is about, acting for acme under a login.
	App() port.GitHub
	Login() string
	Ref(repo string) port.RepoRef
	// Now is the time, for both the app and GitHub; Pass lets it pass.
	Now() time.Time
	Pass(d time.Duration)

	// AddRepo makes a public repository, AddPrivateRepo one of a plan without draft pull requests.
	AddRepo(repo string, files map[string]string)
	AddPrivateRepo(repo string, files map[string]string)
	Archive(repo string)
	Rename(repo, name string)
	DeleteRepo(repo string)
	SetRole(repo, login string, role port.Permission)
	// InstallOn restricts the installation to some repositories of acme.
	InstallOn(repos ...string)
	// Grant changes the permissions of the installation, as in {"checks": "write"}.
	Grant(permissions map[string]string)
	Suspend()
	Uninstall()

	Push(repo, branch string, files map[string]File, message string) (sha string)
	DeleteBranch(repo, branch string)
	// BranchAt is where a branch points; empty when there is none.
	BranchAt(repo, branch string) string
	TreeID(repo, sha string) string
	BlobID(repo, sha, path string) string
	File(repo, branch, path string) (data string, ok bool)
	Mode(repo, branch, path string) string
	Commits(repo, branch string) []Commit
	Protect(repo, branch, reason string)
	// LoseMove has the answer to the next move of a branch by the API get lost.
	LoseMove()

	OpenIssue(as, repo, title, body string) (number int)
	// OpenPull opens a pull request to main from a branch, or from "owner:branch" of a fork.
	OpenPull(as, repo, title, head string) (number int)
	Fork(repo, owner string)
	RefuseEdits(repo string, number int)
	SetOpen(repo string, number int, open bool)
	Merge(repo string, number int)
	Lock(repo string, number int)
	DeleteIssue(repo string, number int)
	Transfer(repo string, number int, to string) (moved int)

	// Comment, Review, ReviewComment and Reply return at least the comment's kind and ids.
	Comment(as, repo string, number int, body string) port.Comment
	Review(as, repo string, number int, body string) port.Comment
	ReviewComment(as, repo string, number int, path string, start, line int, body string) port.Comment
	Reply(as, repo string, number int, first port.Comment, body string) port.Comment
	// EditComment edits a comment of the conversation; DeleteComment deletes one of the conversation or on a line.
	EditComment(as string, c port.Comment, body string)
	DeleteComment(c port.Comment)
	Resolve(c port.Comment)
	// Reactions are the app's.
	Reactions(repo string, c port.Comment) []string
	CheckRuns(repo string) []CheckRun
}

// GitHubContract plays the contract of port.GitHub.
func GitHubContract(t *testing.T, open func(t *testing.T) GitHubStage) {
	t.Helper()
	runContract(t, open, accessStories)
	runContract(t, open, threadStories)
	runContract(t, open, findStories)
	runContract(t, open, pullStories)
	runContract(t, open, reviewStories)
	runContract(t, open, checkStories)
	runContract(t, open, branchStories)
}

// TokenContract plays those stories of the contract of port.GitHub that need no installation of an App: the stage has
// the token of a job of GitHub Actions in acme/lathe, with all permissions of the App.
func TokenContract(t *testing.T, open func(t *testing.T) GitHubStage) {
	t.Helper()
	runContract(t, open, tokenStories)
	runContract(t, open, checkStories)
	runContract(t, open, branchStories)
}

var tokenStories = []contractStory[GitHubStage]{
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

var accessStories = []contractStory[GitHubStage]{
	{"a permission is that of the person", permissions},
	{"a permission of nobody is not found, or refused", permissionOfNobody},
	{"a repository is found by its id under its new name", repositoryRenamed},
	{"a repository that is archived says so", repositoryArchived},
	{"a repository beyond the installation is not found", repositoryOutOfReach},
	{"a sibling is found by its name", siblings},
	{"an installation that is suspended or gone has no access", noInstallation},
	{"what the installation does not grant is denied", notGranted},
	{"what is only prepared changes nothing", onlyPrepared},
}

func onlyPrepared(t *testing.T, s GitHubStage) {
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

func permissions(t *testing.T, s GitHubStage) {
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

func permissionOfNobody(t *testing.T, s GitHubStage) {
	got, err := s.App().Permission(t.Context(), s.Ref(lathe), "nobody-of-this-name")
	require.ErrorIs(t, err, port.ErrNotFound)
	require.Equal(t, port.PermissionNone, got)
	for _, login := range []string{"", ".", ".."} {
		got, err := s.App().Permission(t.Context(), s.Ref(lathe), login)
		requirePermanent(t, err)
		require.Equal(t, port.PermissionNone, got)
	}
}

func repositoryRenamed(t *testing.T, s GitHubStage) {
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

func repositoryArchived(t *testing.T, s GitHubStage) {
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
	_, uploaded := s.App().Upload(t.Context(), ref, upload(s, "speed", written("README.md", "hi\n")))
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

func repositoryOutOfReach(t *testing.T, s GitHubStage) {
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

func siblings(t *testing.T, s GitHubStage) {
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

func noInstallation(t *testing.T, s GitHubStage) {
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

func notGranted(t *testing.T, s GitHubStage) {
	ref := s.Ref(lathe)
	number := s.OpenIssue("maria", lathe, "It greets", "")
	s.Grant(map[string]string{"metadata": "read", "contents": "read", "issues": "read", "pull_requests": "read"})
	_, err := s.App().Issue(t.Context(), ref, number)
	require.NoError(t, err)
	_, posted := s.App().Post(t.Context(), ref, conversation(number), "more")
	_, checked := s.App().CreateCheck(t.Context(), ref, port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "main")})
	_, uploaded := s.App().Upload(t.Context(), ref, upload(s, "speed", written("README.md", "hi\n")))
	for what, err := range map[string]error{"post": posted, "check": checked, "upload": uploaded} {
		require.ErrorIs(t, err, port.ErrDenied, what)
		requirePermanent(t, err)
	}
}

// conversation is the place of a thread's conversation.
func conversation(number int) port.Place { return port.Place{Number: number, Kind: port.IssueComment} }

// below is the place of the discussion that a comment is in.
func below(number int, c port.Comment) port.Place {
	return port.Place{Number: number, Kind: port.ReviewComment, To: &c}
}

func post(t *testing.T, s GitHubStage, at port.Place, body string) port.Comment {
	t.Helper()
	c, err := s.App().Post(t.Context(), s.Ref(lathe), at, body)
	require.NoError(t, err)
	return c
}

// upload is a commit on top of a branch of acme/lathe.
func upload(s GitHubStage, branch string, changes ...port.Change) port.Upload {
	at := s.BranchAt(lathe, branch)
	return port.Upload{Branch: branch, Parent: at, Tree: s.TreeID(lathe, at), Changes: changes,
		Message: "fix: say hello\n\nTenon-Run: def\n"}
}

func written(path, text string) port.Change {
	return port.Change{Path: path, Mode: "100644", Data: []byte(text)}
}
