//go:build unix

package disk

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Of returns the space on the file system of a folder.
func Of(folder string) (Space, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return Space{}, fmt.Errorf("reading the space on the disk of %s: %w", folder, err)
	}
	block := uint64(s.Bsize) //nolint:unconvert // the types differ between systems

	return Space{Free: uint64(s.Bavail) * block, Size: uint64(s.Blocks) * block}, nil //nolint:unconvert // as above
}
