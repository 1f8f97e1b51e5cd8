package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION of the Windows API.
const sharingViolation = syscall.Errno(32)

// lockFolder locks dir for this process: it opens a file without sharing it. The system closes the file when the
// process ends, however it ends.
func lockFolder(dir string) (io.Closer, error) {
	name := filepath.Join(dir, lockFile)
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, folderError(dir, err)
	}
	const access, notShared = syscall.GENERIC_READ | syscall.GENERIC_WRITE, 0
	h, err := syscall.CreateFile(path, access, notShared, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, inUseError(dir, "")
	}
	if err != nil {
		return nil, fmt.Errorf("locking the data folder %s: %w", dir, err)
	}
	return os.NewFile(uintptr(h), name), nil
}
