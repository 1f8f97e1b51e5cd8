package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallDisk mounts a file system of so many bytes for the data folder, and returns how to fill it and to make room.
func smallDisk(t *testing.T, size string) (dir string, fill, free func()) {
	t.Helper()
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk can be mounted by root only: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	ballast := filepath.Join(dir, "ballast")
	fill = func() {
		f, err := os.Create(ballast)
		require.NoError(t, err)
		defer func() { _ = f.Close() }()
		for block := make([]byte, 4096); err == nil; {
			_, err = f.Write(block)
		}
		require.ErrorIs(t, err, syscall.ENOSPC)
	}
	return dir, fill, func() { require.NoError(t, os.Remove(ballast)) }
}

// A delivery that the disk has no room for is refused, which GitHub shows; nothing that was accepted is lost, and all
// goes on when there is room.
func TestAFullDiskLosesNothingThatWasAccepted(t *testing.T) {
	t.Parallel()
	dir, fill, free := smallDisk(t, "3m")
	s := newStage(t, goodReply)
	s.data = dir
	s.model.before = fill // in the middle of the run
	s.start()
	id := s.comment("maria", "/tenon fix `main.go`")
	require.Equal(t, http.StatusAccepted, s.delivery(id).Status)
	s.until("the full disk to be noticed", func() bool {
		return strings.Contains(s.log.all(), "is full: free some space, nothing else is needed")
	})
	refused := s.comment("maria", "/tenon help")
	require.Equal(t, http.StatusServiceUnavailable, s.delivery(refused).Status)
	status, text := s.get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "not ready: the disk of the data folder is full: free some space, nothing else is needed; the error "+
		"is in tenon's log\n", text)
	s.model.before = nil
	free()
	s.until("tenon to be ready again", func() bool { return s.status("/readyz") == http.StatusOK })
	require.Equal(t, []string{"eyes", "rocket"}, s.settled(id))
	require.Len(t, s.commits(), 1)
	s.until("the help, for which tenon asks by itself", func() bool { return len(s.answers()) == 2 })
}

// status is that of a page of the server.
func (s *stage) status(path string) int {
	s.t.Helper()
	res, err := http.Get(strings.TrimSuffix(s.github.HookURL(), "/webhook") + path)
	require.NoError(s.t, err)
	require.NoError(s.t, res.Body.Close())
	return res.StatusCode
}
