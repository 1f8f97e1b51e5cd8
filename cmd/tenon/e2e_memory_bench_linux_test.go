package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
)

var memoryFiles = flag.Int("memory.files", 0, "files of the repository in which TestMemoryOfManyRuns measures")

const (
	// memoryRuns is how many commands are in progress at once.
	memoryRuns = 8
	// memoryReturns is how long after the last of them the memory is measured again.
	memoryReturns = 30 * time.Second
)

// TestMemoryOfManyRuns prints the most memory that a server has while commands are in progress at once on pull requests
// of one large repository, and thirty seconds later; the same with one command, and by which factor it is more.
func TestMemoryOfManyRuns(t *testing.T) {
	if *memoryFiles == 0 {
		t.Skip("it measures for a minute; -memory.files runs this")
	}
	built := filepath.Join(t.TempDir(), "tenon")
	out, err := exec.Command("go", "build", "-o", built, ".").CombinedOutput()
	require.NoError(t, err, string(out))
	one, many := memoryOfRuns(t, built, 1), memoryOfRuns(t, built, memoryRuns)
	fmt.Printf("memory files=%d runs=%d peak_x=%.2f peak_mb=%.0f peak_one_mb=%.0f later_mb=%.0f "+
		"of_the_program_mb=%.0f\n", *memoryFiles, memoryRuns, float64(many.peak)/float64(one.peak), mb(many.peak),
		mb(one.peak), mb(many.later), mb(many.program))
}

// runsMemory is the resident memory of a server, in bytes: the most that it had, that after memoryReturns, and how much
// of the latter is the file of the program, which the system can drop at any time.
type runsMemory struct{ peak, later, program int64 }

func memoryOfRuns(t *testing.T, built string, runs int) (m runsMemory) {
	t.Helper()
	s := newStage(t, goodReply)
	s.env = []string{fmt.Sprintf("TENON_MODEL_CONCURRENCY=%d", runs)}
	files := map[string]string{}
	for i := range *memoryFiles {
		files[viewPath(i)] = fmt.Sprintf("package x\n\n// Value%d is one of many.\nconst Value%d = %d\n", i, i, i)
	}
	_, err := s.github.Push(s.repo, "main", files, "Add the services\n")
	require.NoError(t, err)
	branchOf := func(i int) string { return fmt.Sprintf("change-%d", i) }
	pulls := make([]int, runs)
	for i := range pulls {
		_, err := s.github.Push(s.repo, branchOf(i), map[string]string{viewPath(i): "package x\n"}, "Simplify\n")
		require.NoError(t, err)
		pulls[i], err = s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Simplify", Head: branchOf(i)})
		require.NoError(t, err)
	}
	release := s.hold()
	server := exec.Command(built, "serve") // not the test binary, which is larger
	server.Env = s.variables()
	server.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.startCommand(server)
	for _, pull := range pulls {
		_, err = s.github.Comment("maria", s.repo, pull, "/tenon fix the token of the session in the cache")
		require.NoError(t, err)
	}
	s.questioned(runs)
	release()
	for i := range runs {
		s.until("a commit", func() bool {
			commits, err := s.github.Commits(s.repo, branchOf(i))
			require.NoError(t, err)
			return strings.Contains(commits[0].Message, "Tenon-Run: ")
		})
	}
	time.Sleep(memoryReturns)
	m.peak, m.later, m.program = s.memory("VmHWM"), s.memory("VmRSS"), s.memory("RssFile")
	s.stop()
	return m
}

// memory returns a figure of the server's process from Linux's /proc, in bytes.
func (s *stage) memory(figure string) int64 {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.server.cmd.Process.Pid))
	require.NoError(s.t, err)
	found := regexp.MustCompile(figure + `:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(s.t, found)
	kb, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(s.t, err)
	return kb << 10
}
