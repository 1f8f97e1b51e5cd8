package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// branch makes branches at the tip of the default one.
func (s *stage) branch(names ...string) {
	s.t.Helper()
	for _, name := range names {
		require.NoError(s.t, s.github.Branch(s.repo, name, "main"))
	}
}

// openPull opens a pull request of maria from a new branch, with a commit for each text of a file.
func (s *stage) openPull(branch, title string, texts ...string) int {
	s.t.Helper()
	s.branch(branch)
	for _, text := range texts {
		s.pushTo(branch, map[string]string{branch + ".txt": text})
	}
	number, err := s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: title, Head: branch})
	require.NoError(s.t, err)
	return number
}

// does has maria give a command that has a result.
func (s *stage) does(number int, command string) {
	s.t.Helper()
	require.Contains(s.t, s.settled(s.commentIn(number, command)), "rocket")
}

// isNewPull matches the request that opens a pull request.
func isNewPull(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/pulls")
}

func answersOfABackport(s *stage) {
	s.branch("release/1.2", "release/1.1", "release/1.0")
	_, err := s.github.Push(s.repo, "speed", map[string]string{"main.go": "package main // faster\n"}, "Be even faster\n")
	require.NoError(s.t, err)
	s.pushTo("release/1.0", map[string]string{"main.go": "package main // old\n"})
	s.model.script("C1: open Is it to be fast on this branch?\n", "C1: new\n```\npackage main // faster than old\n```\n")
	s.start()
	s.golden("backport-unmerged", s.answerTo(s.pull, "/tenon backport release/1.2"))
	require.NoError(s.t, s.github.MergeBy(s.repo, s.pull, sim.ByRebase))
	s.golden("backport", s.answerTo(s.pull, "/tenon backport release/1.2 release/1.1"))
	s.golden("backport.pull", s.pullOf(fmt.Sprintf("tenon/backport-%d-to-release/1.2", s.pull)).Body)
	s.golden("backport-conflict", s.answerTo(s.pull, "/tenon backport release/1.2 release/1.0"))
	s.golden("backport-settled", s.answerTo(s.pull, "/tenon backport release/1.0"))
	s.golden("backport-settled.pull", s.pullOf(fmt.Sprintf("tenon/backport-%d-to-release/1.0", s.pull)).Body)
}

func recordBackport(s *stage) {
	s.model.script("C1: open Which of both?\n")
	s.settings("main", "backport_labels: allow\n")
	s.branch("release", "old", "guarded", "unopened")
	s.pushTo("old", map[string]string{"main.go": "package main // old\n"})
	s.push(map[string]string{"main.go": "package main // faster\n"})
	s.start()
	require.NoError(s.t, s.github.Label("maria", s.repo, s.pull, "backport release"))
	require.NoError(s.t, s.github.MergeBy(s.repo, s.pull, sim.ByRebase))
	s.until("the backport of the label", func() bool { return len(s.answers()) > 0 })
	head := func(to string) string { return fmt.Sprintf("tenon/backport-%d-to-%s", s.pull, to) }
	s.branch("there")
	require.NoError(s.t, s.github.Protect(s.repo, head("guarded"), "Nobody makes that."))
	s.github.FailNext(isNewPull, 1, simhttp.Failure{Status: http.StatusForbidden,
		Message: "Resource not accessible by integration"})
	got := s.say("/tenon backport unopened old there release nope guarded")
	require.Equal(s.t, "rocket", got.verdict)
	require.Contains(s.t, got.answer, "Nobody makes that.")
	s.does(s.pullOf(head("release")).Number, "/tenon undo")
}

func recordSettledBackport(s *stage) {
	broken := "C1: new\n```\nfunc g()) {\n```\n"
	s.model.script(broken, broken, "C1: open Which name is right?\n")
	s.start()
	brace := func(line string) map[string]string {
		return map[string]string{"brace.go": "package main\n\nfunc " + line + "\n}\n"}
	}
	s.pushTo("main", brace("f() {"))
	s.branch("renamed", "release")
	s.pushTo("release", brace("h() {"))
	require.NoError(s.t, s.github.Branch(s.repo, "old", "release"))
	_, err := s.github.Push(s.repo, "renamed", brace("g() {"), "Rename f\n")
	require.NoError(s.t, err)
	s.pushTo("renamed", map[string]string{"more.txt": "more\n"})
	number, err := s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Rename f", Head: "renamed"})
	require.NoError(s.t, err)
	require.NoError(s.t, s.github.MergeBy(s.repo, number, sim.ByRebase))
	s.does(number, "/tenon backport release old")
	s.pushTo("old", brace("k() {"))
	require.Contains(s.t, s.settled(s.commentIn(number, "/tenon backport old C1 both")), "confused")
	s.does(number, "/tenon backport old C1 both")
}

func recordWholeBackport(s *stage) {
	s.branch("release")
	s.start()
	wide := s.openPull("wide", "Be wide", "1\n")
	s.pushTo("main", map[string]string{"later.txt": "later\n"})
	s.does(wide, "/tenon update")
	require.NoError(s.t, s.github.MergeBy(s.repo, wide, sim.ByMerge))
	s.does(wide, "/tenon backport release")

	long := s.openPull("long", "Be long", strings.Split("1 2 3 4 5 6 7 8 9 10 11", " ")...)
	require.NoError(s.t, s.github.MergeBy(s.repo, long, sim.ByRebase))
	s.does(long, "/tenon backport release")
}

// Git itself agrees: what a backport made is what git cherry-pick makes.
func TestABackportIsWhatGitPicks(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.branch("release")
	s.push(map[string]string{"main.go": "package main // faster\n", "dir/new.txt": "new\n"})
	s.pushTo("release", map[string]string{"release.txt": "1.2\n"})
	s.start()
	require.NoError(t, s.github.MergeBy(s.repo, s.pull, sim.BySquash))
	squash, err := s.github.Commits(s.repo, "main")
	require.NoError(t, err)
	require.Equal(t, "rocket", s.say("/tenon backport release").verdict)
	head := fmt.Sprintf("tenon/backport-%d-to-release", s.pull)
	made, err := s.github.Commits(s.repo, head)
	require.NoError(t, err)
	picked, tip := squash[0].SHA, made[0].SHA
	dir, err := s.github.RepoDir(s.repo)
	require.NoError(t, err)
	work := t.TempDir()
	git := func(args ...string) string {
		config := []string{"-C", work, "-c", "user.name=m", "-c", "user.email=m@x.example"}
		cmd := exec.Command("git", append(config, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+work, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		return strings.TrimSpace(string(out))
	}
	git("clone", "--quiet", dir, ".")
	git("checkout", "--quiet", "--detach", tip+"^")
	git("cherry-pick", "-x", picked)
	require.Equal(t, git("rev-parse", tip+"^{tree}"), git("rev-parse", "HEAD^{tree}"))
	said := strings.TrimSpace(git("log", "-1", "--format=%B", "HEAD"))
	require.True(t, strings.HasPrefix(made[0].Message, said+"\n"), "%q begins with %q", made[0].Message, said)
	require.Equal(t, "release", s.pullOf(head).Base)
}

func backportedByLabel(s *stage, _ *askedModels) {
	s.branch("release", "old")
	require.NoError(s.t, s.github.Label("maria", s.repo, s.pull, "backport release"))
	require.NoError(s.t, s.github.MergeBy(s.repo, s.pull, sim.ByMerge))
	s.until("the answer", func() bool { return len(s.answers()) == 1 })
	require.Len(s.t, s.pullsFromTenon(), 1)
	s.settings("main", "backport_labels: ignore\n")
	require.NoError(s.t, s.github.Label("maria", s.repo, s.pull, "backport old"))
	require.Equal(s.t, "confused", s.say("/tenon backport release").verdict, "it waits for the label")
	require.Len(s.t, s.pullsFromTenon(), 1)
}

// In a job of GitHub Actions, the merge of what has a label is an event like a comment.
func TestAJobBackportsWhatWasMerged(t *testing.T) {
	t.Parallel()
	s := newJobStage(t)
	s.branch("release")
	s.settings("main", "backport_labels: allow\n")
	require.NoError(t, s.github.AllowJobsToOpenPulls(s.repo, true))
	require.NoError(t, s.github.Label("maria", s.repo, s.pull, "backport release"))
	require.NoError(t, s.github.MergeBy(s.repo, s.pull, sim.BySquash))
	end := s.job(s.last("pull_request"))
	require.Zero(t, end.code)
	head := fmt.Sprintf("tenon/backport-%d-to-release", s.pull)
	require.Equal(t, "release", s.pullOf(head).Base)
	require.Contains(t, strings.Join(s.answersIn(s.pull), "\n"), "✅ **Backported to 1 branch**")
}
