package worktree

import (
	"io/fs"
)

// Stat is what tells, without reading it, that a file is another than before. The same Stat almost always means the
// same bytes: git trusts it too.
type Stat struct {
	// Size is in bytes. Modified and Changed are times in nanoseconds since 1970; Changed, of the file's data or its
	// mode, and Inode are 0 where the system does not tell them.
	Size, Modified, Changed int64
	Inode                   uint64
	Executable              bool
}

func statOf(info fs.FileInfo) Stat {
	s := Stat{Size: info.Size(), Modified: info.ModTime().UnixNano(), Executable: info.Mode()&0o100 != 0}
	s.Changed, s.Inode = changedAndInode(info)
	return s
}
