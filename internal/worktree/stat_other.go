//go:build !linux

package worktree

import "io/fs"

func changedAndInode(fs.FileInfo) (changed int64, inode uint64) { return 0, 0 }
