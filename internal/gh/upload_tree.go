package gh

import (
	"bytes"
	"context"
	"encoding/base64"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxInline bounds one file, and maxInlines all, that go up inside the request for the tree, in bytes. GitHub names no bound
	// of its own; what is beyond goes up as a blob each.
	maxInline  = 1 << 20
	maxInlines = 4 << 20
)

// tree makes the parent's tree with the changes.
func (u *upload) tree(ctx context.Context) (string, error) {
	entries := make([]*github.TreeEntry, len(u.Changes))
	room := maxInlines
	for i, change := range u.Changes {
		entry, err := u.entry(ctx, change, &room)
		if err != nil {
			return "", err
		}
		entries[i] = entry
	}
	made, _, err := u.api.Git.CreateTree(ctx, u.repo.Owner, u.repo.Name, u.Tree, entries)
	switch {
	case err != nil:
		return "", err
	case made.GetSHA() == "":
		return "", callerError("GitHub's answer names no tree")
	case made.GetSHA() == u.Tree:
		return "", callerError("the changes change nothing")
	}
	return made.GetSHA(), nil
}

// entry is how a change goes up; room is what is left for files in line.
func (u *upload) entry(ctx context.Context, change port.Change, room *int) (*github.TreeEntry, error) {
	e := &github.TreeEntry{Path: &change.Path, Mode: &change.Mode, Type: github.String("blob")}
	switch {
	case change.Removed():
		e.Mode = github.String("100644") // GitHub wants one; without content, the entry goes
	case change.Data == nil && change.Blob == "":
		return nil, callerError("the change of " + change.Path + " holds nothing")
	case change.Data == nil:
		e.SHA = &change.Blob
	case inline(change.Data) && len(change.Data) <= *room:
		*room -= len(change.Data)
		e.Content = github.String(string(change.Data))
	default:
		sha, err := u.blob(ctx, change.Data)
		e.SHA = &sha
		return e, err
	}
	return e, nil
}

// inline says whether a file can be a string of JSON: one that is not UTF-8 would be changed on its way. An empty one, and one
// with NUL, go the safe way.
func inline(data []byte) bool {
	return len(data) > 0 && len(data) <= maxInline && utf8.Valid(data) && bytes.IndexByte(data, 0) < 0
}

func (u *upload) blob(ctx context.Context, data []byte) (string, error) {
	made, _, err := u.api.Git.CreateBlob(ctx, u.repo.Owner, u.repo.Name, &github.Blob{
		Content: github.String(base64.StdEncoding.EncodeToString(data)), Encoding: github.String("base64")})
	if err == nil && made.GetSHA() == "" {
		err = callerError("GitHub's answer names no blob")
	}
	return made.GetSHA(), err
}
