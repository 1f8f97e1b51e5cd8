package form

import (
	"path"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// Content returns the fields of all kinds of content.
func (c Code) Content(rev string, e git.Entry) entity.Object {
	p := EscapePath(e.Path)
	api := c.RepoURL(c.repo) + "/contents/" + p + "?ref=" + rev
	kind, gitKind, page := "file", "blobs", "blob"
	switch {
	case e.Kind() == git.KindTree:
		kind, gitKind, page = "dir", "trees", "tree"
	case e.Kind() == git.KindCommit:
		kind, gitKind = "submodule", "trees"
	case e.Mode == git.ModeLink:
		kind = "symlink"
	}
	html := c.RepoPage(c.repo) + "/" + page + "/" + rev + "/" + p
	gitURL := c.RepoURL(c.repo) + "/git/" + gitKind + "/" + e.SHA
	o := entity.Object{"type": kind, "size": 0, "name": path.Base(e.Path), "path": e.Path, "sha": e.SHA, "url": api,
		"git_url": gitURL, "html_url": html, "download_url": nil,
		"_links": entity.Object{"self": api, "git": gitURL, "html": html}}
	if e.Kind() == git.KindBlob {
		o["download_url"] = c.RepoPage(c.repo) + "/raw/" + rev + "/" + p
	}
	return o
}

// File returns "diff-entry".
func (c Code) File(f *git.FileDiff, commit string) entity.Object {
	path := EscapePath(f.Path)
	o := entity.Object{"sha": f.SHA, "filename": f.Path, "status": f.Status, "additions": f.Additions,
		"deletions": f.Deletions, "changes": f.Additions + f.Deletions,
		"blob_url":     c.RepoPage(c.repo) + "/blob/" + commit + "/" + path,
		"raw_url":      c.RepoPage(c.repo) + "/raw/" + commit + "/" + path,
		"contents_url": c.RepoURL(c.repo) + "/contents/" + path + "?ref=" + commit}
	if f.Patch != "" {
		o["patch"] = f.Patch
	}
	if f.Previous != "" {
		o["previous_filename"] = f.Previous
	}
	return o
}

// Tree returns "git-tree" with its entries.
func (c Code) Tree(sha string, list []entity.Object, truncated bool) entity.Object {
	return entity.Object{"sha": sha, "url": c.RepoURL(c.repo) + "/git/trees/" + sha, "tree": list,
		"truncated": truncated}
}
