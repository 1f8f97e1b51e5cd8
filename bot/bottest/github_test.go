package bottest_test

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestGitHubContract(t *testing.T) {
	t.Parallel()
	var calls callLog
	t.Run("stories", func(t *testing.T) {
		bottest.GitHubContract(t, func(t *testing.T) bottest.GitHubStage {
			s := newStage(t)
			t.Cleanup(func() { calls.add(s.w.Calls("")) })
			return s
		})
		bottest.CIContract(t, func(t *testing.T) bottest.CIStage {
			s := newStage(t)
			s.Grant(bottest.Permissions("actions:write"))
			t.Cleanup(func() { calls.add(s.w.Calls("")) })
			return s
		})
	})
	calls.requireMethods(t, reflect.TypeFor[port.GitHub]())
}

// callLog collects the methods that a contract calls.
type callLog struct {
	mu  sync.Mutex
	ops map[string]bool
}

func (l *callLog) add(calls []bottest.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ops == nil {
		l.ops = map[string]bool{}
	}
	for _, c := range calls {
		l.ops[c.Op] = true
	}
}

// requireMethods requires that all methods of a port were called.
func (l *callLog) requireMethods(t *testing.T, port reflect.Type) {
	t.Helper()
	for i := range port.NumMethod() {
		require.True(t, l.ops[port.Method(i).Name], "the contract says nothing about %s.%s", port, port.Method(i).Name)
	}
}

// stage is a bottest.GitHubStage of the fake.
type stage struct {
	t *testing.T
	w *bottest.World
	// repos are the repositories by their first names.
	repos    map[string]*bottest.Repo
	comments map[port.EventKind]map[int64]*bottest.Comment
}

func newStage(t *testing.T) *stage {
	t.Helper()
	w := bottest.New(t)
	s := &stage{t: t, w: w, repos: map[string]*bottest.Repo{}, comments: map[port.EventKind]map[int64]*bottest.Comment{}}
	w.Repo.Delete()
	w.GitHub.AddUser("other[bot]")
	s.AddRepo("acme/lathe", map[string]string{"README.md": "hello\n", "old.txt": "old\n"})
	s.SetRole("acme/lathe", "victor", port.PermissionWrite)
	s.Push("acme/lathe", "speed", bottest.Files(map[string]string{"speed.txt": "one\ntwo\nthree\n"}),
		"Be fast\n\nTenon-Run: abc\n")
	return s
}

func (s *stage) repo(name string) *bottest.Repo {
	s.t.Helper()
	require.Contains(s.t, s.repos, name)
	return s.repos[name]
}

func (s *stage) thread(repo string, number int) *bottest.Thread {
	s.t.Helper()
	t := s.repo(repo).Thread(number)
	require.NotNil(s.t, t)
	return t
}

func (s *stage) App() port.GitHub { return s.w.GitHub }

func (s *stage) Login() string { return bottest.Slug + "[bot]" }

func (s *stage) Ref(repo string) port.RepoRef { return s.repo(repo).Ref() }

func (s *stage) Now() time.Time { return s.w.Clock.Now() }

func (s *stage) Pass(d time.Duration) { s.w.Clock.Advance(d) }

func (s *stage) AddRepo(repo string, files map[string]string) {
	s.repos[repo] = s.w.GitHub.AddRepo(repo, files)
}

func (s *stage) AddPrivateRepo(repo string, files map[string]string) {
	s.AddRepo(repo, files)
	s.repo(repo).Private()
	s.repo(repo).NoDrafts()
}

func (s *stage) Archive(repo string) { s.repo(repo).Archive(true) }

func (s *stage) Rename(repo, name string) { s.repo(repo).Rename(name) }

func (s *stage) DeleteRepo(repo string) { s.repo(repo).Delete() }

func (s *stage) SetRole(repo, login string, role port.Permission) { s.repo(repo).SetRole(login, role) }

func (s *stage) InstallOn(repos ...string) {
	var only []*bottest.Repo
	for _, name := range repos {
		only = append(only, s.repo(name))
	}
	s.w.GitHub.Install("acme", only...)
}

func (s *stage) Grant(permissions map[string]string) { s.w.GitHub.Grant("acme", permissions) }

func (s *stage) Suspend() { s.w.GitHub.Suspend("acme", true) }

func (s *stage) Uninstall() { s.w.GitHub.Uninstall("acme") }

func (s *stage) Push(repo, branch string, files map[string]bottest.File, message string) string {
	return s.repo(repo).PushFiles(branch, files, message)
}

func (s *stage) DeleteBranch(repo, branch string) { s.repo(repo).SetBranch(branch, "") }

func (s *stage) BranchAt(repo, branch string) string { return s.repo(repo).Branch(branch) }

func (s *stage) TreeID(repo, sha string) string { return s.repo(repo).TreeID(sha) }

func (s *stage) BlobID(repo, sha, path string) string { return s.repo(repo).BlobID(sha, path) }

func (s *stage) File(repo, branch, path string) (string, bool) {
	return s.repo(repo).File(branch, path)
}

func (s *stage) Mode(repo, branch, path string) string { return s.repo(repo).Mode(branch, path) }

func (s *stage) Commits(repo, branch string) []bottest.Commit { return s.repo(repo).Commits(branch) }

func (s *stage) Protect(repo, branch, reason string) { s.repo(repo).Protect(branch, reason) }

// LoseMove does nothing: a port has answers only that its adapter got.
func (s *stage) LoseMove() {}

func (s *stage) OpenIssue(as, repo, title, body string) int {
	return s.repo(repo).OpenIssue(as, title, body).Number()
}

func (s *stage) OpenPull(as, repo, title, head string) int {
	return s.repo(repo).OpenPull(as, title, head, "main").Number()
}

func (s *stage) Fork(repo, owner string) { s.repos[owner+"/lathe"] = s.repo(repo).Fork(owner) }

func (s *stage) RefuseEdits(repo string, number int) { s.thread(repo, number).RefuseEdits() }

func (s *stage) SetOpen(repo string, number int, open bool) { s.thread(repo, number).SetOpen(open) }

func (s *stage) Merge(repo string, number int) { s.thread(repo, number).Merge() }

func (s *stage) Lock(repo string, number int) { s.thread(repo, number).Lock(true) }

func (s *stage) DeleteIssue(repo string, number int) { s.thread(repo, number).Delete() }

func (s *stage) Transfer(repo string, number int, to string) int {
	return s.thread(repo, number).Transfer(s.repo(to)).Number()
}

func (s *stage) note(c *bottest.Comment) port.Comment {
	if s.comments[c.Kind()] == nil {
		s.comments[c.Kind()] = map[int64]*bottest.Comment{}
	}
	out := c.Port()
	s.comments[c.Kind()][out.ID] = c
	return out
}

// comment finds a comment, also one that the app made.
func (s *stage) comment(c port.Comment) *bottest.Comment {
	s.t.Helper()
	if known := s.comments[c.Kind][c.ID]; known != nil {
		return known
	}
	for _, r := range s.repos {
		for number := 1; r.Thread(number) != nil; number++ {
			for _, one := range r.Thread(number).Comments(c.Kind) {
				if one.Port().ID == c.ID {
					return one
				}
			}
		}
	}
	require.FailNow(s.t, "there is no such comment")
	return nil
}

func (s *stage) Comment(as, repo string, number int, body string) port.Comment {
	return s.note(s.thread(repo, number).Comment(as, body))
}

func (s *stage) Review(as, repo string, number int, body string) port.Comment {
	return s.note(s.thread(repo, number).Review(as, body))
}

func (s *stage) ReviewComment(as, repo string, number int, path string, start, line int, body string) port.Comment {
	return s.note(s.thread(repo, number).ReviewLines(as, path, start, line, body))
}

func (s *stage) Reply(as, _ string, _ int, first port.Comment, body string) port.Comment {
	return s.note(s.comment(first).Reply(as, body))
}

func (s *stage) EditComment(as string, c port.Comment, body string) { s.comment(c).Edit(as, body) }

func (s *stage) DeleteComment(c port.Comment) { s.comment(c).Delete() }

func (s *stage) Resolve(c port.Comment) { s.comment(c).Resolve() }

func (s *stage) Reactions(repo string, c port.Comment) []string {
	if c.Kind == port.IssueBody {
		return s.thread(repo, int(c.ID)).Reactions()
	}
	return s.comment(c).Reactions()
}

func (s *stage) CheckRuns(repo string) []bottest.CheckRun { return s.repo(repo).CheckRuns() }
