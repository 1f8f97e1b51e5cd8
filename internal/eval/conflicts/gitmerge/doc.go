// Package gitmerge has git merge the parents of merge commits again, in bare repositories on the local disk, and reads
// what comes of it. Nothing is written to the repositories, and git reads no settings and runs no other program.
package gitmerge
