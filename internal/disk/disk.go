// Package disk tells how full a disk is.
package disk

// Space is the space on a file system, in bytes. Free is what this user can write.
type Space struct{ Free, Size uint64 }
