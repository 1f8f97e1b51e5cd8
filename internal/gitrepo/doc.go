// Package gitrepo opens repositories at one commit over smart HTTP, in memory, and pushes commits with staged changes.
//
// There is no work tree, no index and no mirror on disk. Repos.Open fetches the commit and its trees (protocol v2,
// depth 1, no blobs), Checkout.Load the blobs of the named files, in one request, and Checkout.Commit sends only the
// new objects. The push contains the branch's old id, which the server compares, so that a branch that moved is not
// overwritten. With a server that knows no protocol v2 or no filters, a plain clone of depth 1 does the same with more
// bytes.
//
// Objects are named by their hash. A cache of them therefore needs no locks between repositories or runs, and can be
// lost at any time. The server is not trusted: sizes, counts, names and hashes are checked, each with its own error.
package gitrepo
