package worktree

import (
	"io/fs"
	"syscall"
)

func changedAndInode(info fs.FileInfo) (changed int64, inode uint64) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return s.Ctim.Nano(), s.Ino
}
