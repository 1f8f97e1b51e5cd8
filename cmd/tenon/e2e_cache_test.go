package main

import (
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// fetches returns how often git asked for refs or objects since the last call.
func (s *stage) fetches() (n int) {
	for _, r := range s.github.Requests() {
		if strings.HasSuffix(r.Path, "/git-upload-pack") {
			n++
		}
	}
	s.github.ForgetRequests()
	return n
}

// What does not fit into the memory of the cache is fetched by each run.
func TestTheCacheHasTheMemoryThatItIsGiven(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 6000 { // whose trees and names take more than half a MiB
		files[fmt.Sprintf("lib/%d/%s%d.txt", i%100, strings.Repeat("long", 20), i)] = "x"
	}
	again := map[string]int{}
	for _, mb := range []string{"1", "32"} {
		s := newStage(t, "It greets.", "It still does.")
		_, err := s.github.Push(s.repo, "speed", files, "Add the library\n")
		require.NoError(t, err)
		s.env = []string{"TENON_CACHE_MB=" + mb}
		s.start()
		asked := func(question, answer string) {
			s.comment("maria", "/tenon ask "+question)
			s.until("an answer", func() bool { return strings.Contains(strings.Join(s.answers(), "\n"), answer) })
		}
		asked("what does `main.go` do?", "It greets.")
		s.fetches()
		asked("what does `main.go` do now?", "It still does.")
		again[mb] = s.fetches()
	}
	require.Less(t, again["32"], again["1"])
}

func TestTheCacheIsDividedWithinItsMemory(t *testing.T) {
	t.Parallel()
	for _, mb := range []int{1, 160, 1 << 20} {
		parts := cacheOf(config.Server{CacheMB: mb})
		require.Equal(t, int64(mb)<<20, parts.git+parts.documents)
		require.Greater(t, parts.git, parts.documents)
	}
}

// The cache on the disk has what a run opened, until the App is uninstalled or gets other repositories.
func TestTheCacheOnTheDiskForgetsInstallations(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *stage) error{
		"uninstalled": func(s *stage) error { return s.github.Uninstall("acme") },
		"other repositories": func(s *stage) error {
			require.NoError(s.t, s.github.AddRepo(sim.Repo{Name: "acme/other"}))
			_, err := s.github.Install(sim.Installation{Owner: "acme", Repos: []string{s.repo}})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			folder := filepath.Join(t.TempDir(), "cache")
			s.env = []string{"TENON_CACHE_DIR=" + folder}
			s.start()
			s.done("maria", fixMain)
			require.NotEmpty(t, filesIn(t, folder))
			require.NoError(t, change(s))
			s.until("the cache is empty", func() bool { return len(filesIn(t, folder)) == 0 })
		})
	}
}

// A server whose cache cannot be written says so when it starts, and goes on without.
func TestAFolderForTheCacheThatCannotBeWrittenIsReported(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	folder := filepath.Join(file, "cache")
	s.env = []string{"TENON_CACHE_DIR=" + folder}
	s.start()
	s.done("maria", fixMain)
	log := s.log.all()
	require.Equal(t, 1, strings.Count(log, folder), log)
	for _, part := range []string{"TENON_CACHE_DIR", "not a directory", "name another folder"} {
		require.Contains(t, log, part)
	}
	require.NotContains(t, log, "cache of trees", "it is not tried again")
}

// As for the data folder, a relative path is one below the folder in which the server starts.
func TestTheFolderForTheCacheIsAbsolute(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	require.NoError(t, err)
	want := filepath.Join(t.TempDir(), "cache")
	relative, err := filepath.Rel(here, want)
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	require.Equal(t, want, cacheFolder(t.Context(), config.Server{CacheDir: relative}, log))
	require.Empty(t, cacheFolder(t.Context(), config.Server{}, log))
}

func filesIn(t *testing.T, folder string) (files []string) {
	t.Helper()
	_ = filepath.WalkDir(folder, func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, name)
		}
		return nil
	})
	return files
}
