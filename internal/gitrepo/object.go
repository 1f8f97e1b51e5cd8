package gitrepo

import (
	"bytes"

	"github.com/go-git/go-git/v5/plumbing"
)

// oid is an object's id: the SHA-1 of its kind, its length and its bytes.
type oid = plumbing.Hash

// object is a commit, a tree, a blob or a tag. Its bytes are shared and must not be changed.
type object struct {
	kind plumbing.ObjectType
	data []byte
}

func (o object) id() oid { return plumbing.ComputeHash(o.kind, o.data) }

// treeOf returns the tree of a commit, which its first line names.
func treeOf(commit object) (oid, error) {
	line, _, _ := bytes.Cut(commit.data, []byte("\n"))
	hash, ok := bytes.CutPrefix(line, []byte("tree "))
	if commit.kind != plumbing.CommitObject || !ok {
		return oid{}, userError("What was asked for is not a commit but a %s.", commit.kind)
	}
	return parseID(string(hash))
}
