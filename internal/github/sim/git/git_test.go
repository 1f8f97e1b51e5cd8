package git_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// at returns a time, minutes after another one.
func at(minutes int) time.Time {
	return time.Date(2026, 3, 1, 12, minutes, 0, 0, time.UTC)
}

func signature(name string, minutes int) git.Signature {
	return git.Signature{Name: name, Email: name + "@example.com", When: at(minutes)}
}

// story commits files to branches of a repository, each commit a minute after the last one.
type story struct {
	t    *testing.T
	repo *git.Repository
	now  int
}

func newStory(t *testing.T) *story {
	t.Helper()
	return &story{t: t, repo: git.New("main")}
}

// inFolder returns a story in a folder, which real git reads.
func inFolder(t *testing.T) *story {
	t.Helper()
	repo, err := git.Init(filepath.Join(t.TempDir(), "repo.git"), "main")
	require.NoError(t, err)
	return &story{t: t, repo: repo}
}

// commit commits files on top of parents and returns the commit. The content "-" deletes a file.
func (s *story) commit(files map[string]string, parents ...string) string {
	s.t.Helper()
	changes := map[string]git.File{}
	for name, content := range files {
		changes[name] = git.File{Content: content, Deleted: content == "-"}
	}
	return s.commitFiles("maria", changes, parents...)
}

func (s *story) commitFiles(author string, files map[string]git.File, parents ...string) string {
	s.t.Helper()
	base := ""
	if len(parents) > 0 {
		base = parents[0]
	}
	tree, err := s.repo.WriteFiles(base, files)
	require.NoError(s.t, err)
	s.now++
	who := signature(author, s.now)
	id, err := s.repo.WriteCommit(git.Commit{Tree: tree, Parents: parents, Author: who, Committer: who,
		Message: fmt.Sprintf("Commit %d\n", s.now)})
	require.NoError(s.t, err)
	return id
}

// run runs git in the folder and returns its output without the last newline.
func (s *story) run(args ...string) string {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), "git", args...)
	dir, err := s.repo.Dir()
	require.NoError(s.t, err)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=G", "GIT_AUTHOR_EMAIL=g@example.com", "GIT_COMMITTER_NAME=G", "GIT_COMMITTER_EMAIL=g@example.com"}
	out, err := cmd.CombinedOutput()
	require.NoError(s.t, err, "git %v: %s", args, out)
	return strings.TrimSuffix(string(out), "\n")
}

func ids(commits []git.Commit) []string {
	list := []string{}
	for _, c := range commits {
		list = append(list, c.SHA)
	}
	return list
}

// log returns the ids of the selected commits.
func (s *story) log(id string, f git.Filter) []string {
	s.t.Helper()
	list, err := s.repo.Log(id, f)
	require.NoError(s.t, err)
	return ids(list)
}
