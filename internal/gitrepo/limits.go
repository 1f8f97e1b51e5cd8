package gitrepo

import "time"

// Limits bound what a server may send. A field that is zero or negative means the default.
type Limits struct {
	// PackBytes bounds one pack, compressed. Default 128 MiB.
	PackBytes int64
	// InflatedBytes bounds the sum of the objects of one pack, inflated. Default 256 MiB.
	InflatedBytes int64
	// ObjectBytes bounds one object. A larger blob is skipped (ReadFile returns an error), a larger tree is an error.
	// Default 16 MiB.
	ObjectBytes int64
	// Objects bounds the number of objects in one pack. Default 500,000.
	Objects int
	// Entries bounds the files and folders of one commit, counted by path. Default 1,000,000.
	Entries int
	// TreeDepth bounds the depth of nested folders. Default 256.
	TreeDepth int
	// PathBytes bounds one path. Default 4,096: a large path name for git fsck, and PATH_MAX on Linux.
	PathBytes int
	// AllPathsBytes bounds the paths of all files and folders of one commit together: a few folders with long names
	// would make a million files very long paths. Default 128 MiB; a million usual paths have half of that.
	AllPathsBytes int64
	// DeltaDepth bounds a chain of deltas. Default 4,095, the most that git itself writes.
	DeltaDepth int
	// RefBytes bounds an advertisement of refs. Default 64 MiB, about 900,000 refs.
	RefBytes int64
	// RequestTime bounds one request with its response. Default 2 minutes.
	RequestTime time.Duration
}

func (l Limits) withDefaults() Limits {
	setDefault(&l.PackBytes, 128<<20)
	setDefault(&l.InflatedBytes, 256<<20)
	setDefault(&l.ObjectBytes, 16<<20)
	setDefault(&l.Objects, 500_000)
	setDefault(&l.Entries, 1_000_000)
	setDefault(&l.TreeDepth, 256)
	setDefault(&l.PathBytes, 4096)
	setDefault(&l.AllPathsBytes, 128<<20)
	setDefault(&l.DeltaDepth, 4095)
	setDefault(&l.RefBytes, 64<<20)
	setDefault(&l.RequestTime, 2*time.Minute)
	return l
}

func setDefault[T int | int64 | time.Duration](field *T, value T) {
	if *field <= 0 {
		*field = value
	}
}
