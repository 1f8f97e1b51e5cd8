// Package gitrepo opens repositories at one commit over smart HTTP, in memory, and pushes what was staged on top.
//
// There is no work tree, no index and no mirror on disk. Opening brings the commit and its trees (protocol v2, depth 1, no
// blobs), Load the blobs that are asked for, in one request, and Commit sends only the new objects, with the old id of the
// branch set here: the server's own compare-and-swap decides whether the branch moved. Where a server knows no protocol v2
// or no filters, a plain clone of depth 1 does the same with more bytes.
//
// Objects are named by their hash, so a cache of them needs no locks between repositories or runs and can be lost at any
// time. Nothing that a server sends is trusted: sizes, counts, names and hashes are checked, each with its own refusal.
package gitrepo
