//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// lockFolder locks dir for this process, among the processes of one machine. The system unlocks it when the process
// ends, however it ends.
func lockFolder(dir string) (io.Closer, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockFile), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, folderError(dir, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		writeHolder(f)
		return folderLock{f}, nil
	}
	defer func() { _ = f.Close() }()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder := make([]byte, 20)
		n, _ := f.Read(holder)
		return nil, inUseError(dir, string(holder[:n]))
	}
	return nil, fmt.Errorf("locking the data folder %s: %w", dir, err)
}

// folderLock unlocks before it closes the file: a child process that is being started has the file open too, and would
// keep the lock until it runs its own program.
type folderLock struct{ *os.File }

func (l folderLock) Close() error {
	return errors.Join(syscall.Flock(int(l.Fd()), syscall.LOCK_UN), l.File.Close())
}

// writeHolder writes the process id for the error of another process. It is a hint only, so errors are ignored.
func writeHolder(f *os.File) {
	_ = f.Truncate(0)
	_, _ = fmt.Fprintln(f, os.Getpid())
}
