package simhttp

import (
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// maxInline and maxContent are GitHub's limits: the content of a file is in the response up to 1 MB, up to 100 MB only
// in that of the raw media type, and beyond that in none.
const (
	maxInline  = 1 << 20
	maxContent = 100 << 20
)

// getContents responds with the content of a file, or the entries of a folder.
func getContents(c *call) (*answer, error) {
	name := strings.Trim(c.vars["path"], "/")
	rev := c.resolve(model.OrElse(c.query.Get("ref"), c.repo.DefaultBranch))
	switch {
	case rev == "" && c.query.Get("ref") != "":
		return nil, model.Refuse(http.StatusNotFound, "No commit found for the ref %s", c.query.Get("ref"))
	case rev == "":
		return nil, model.Refuse(http.StatusNotFound, "This repository is empty.")
	}
	if name == "" {
		list, err := c.repo.Git.Tree(rev)
		return c.listing(rev, list, err)
	}
	e, err := c.repo.Git.At(rev, name)
	switch {
	case errors.Is(err, git.ErrNotFound):
		return nil, notFound()
	case err != nil:
		return nil, err
	case e.Kind() == git.KindTree:
		list, err := c.repo.Git.Folder(rev, name)
		return c.listing(rev, list, err)
	case e.Kind() == git.KindCommit:
		o := c.contentJSON(rev, e)
		o["submodule_git_url"] = nil
		return ok(o)
	}
	return c.file(rev, e)
}

// listing responds with the entries of a folder, unless there was an error.
func (c treeCalls) listing(rev string, entries []git.Entry, err error) (*answer, error) {
	if err != nil {
		return nil, err
	}
	list := []model.Object{}
	for _, e := range entries {
		list = append(list, c.contentJSON(rev, e))
	}
	return ok(list)
}

// file: "If the requested :path points to a symlink, and the symlink's target is a normal file in the repository, then
// the API responds with the content of the file. Otherwise, the API responds with an object describing the symlink
// itself."
func (c treeCalls) file(rev string, e git.Entry) (*answer, error) {
	data, err := c.repo.Git.Blob(e.SHA)
	if err != nil {
		return nil, err
	}
	if e.Mode == git.ModeLink {
		to, err := c.repo.Git.At(rev, path.Join(path.Dir(e.Path), string(data)))
		if err == nil && to.IsFile() {
			to.Path = e.Path
			return c.file(rev, to)
		}
		o := c.contentJSON(rev, e)
		o["target"], o["size"] = string(data), len(data)
		return ok(o)
	}
	switch {
	case len(data) > maxContent:
		return nil, model.Refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	case c.wantsRaw():
		return raw(data)
	}
	o := c.contentJSON(rev, e)
	o["size"], o["content"], o["encoding"] = len(data), wrapped(data), "base64"
	if len(data) > maxInline {
		o["content"], o["encoding"] = "", "none"
	}
	return ok(o)
}

// wantsRaw reports whether the raw media type is accepted, also by an older name: "application/vnd.github.raw+json:
// Returns the raw file contents".
func (c treeCalls) wantsRaw() bool {
	accept := c.r.Header.Get("Accept")
	return strings.Contains(accept, "application/vnd.github.raw") ||
		strings.Contains(accept, "application/vnd.github.v3.raw")
}

func raw(data []byte) (*answer, error) {
	h := http.Header{"Content-Type": {"application/vnd.github.raw+json; charset=utf-8"}}
	return &answer{status: http.StatusOK, body: data, header: h}, nil
}

// contentJSON returns the fields of all kinds of content.
func (c treeCalls) contentJSON(rev string, e git.Entry) model.Object {
	p := escapePath(e.Path)
	api := c.repoURL() + "/contents/" + p + "?ref=" + rev
	kind, gitKind, page := "file", "blobs", "blob"
	switch {
	case e.Kind() == git.KindTree:
		kind, gitKind, page = "dir", "trees", "tree"
	case e.Kind() == git.KindCommit:
		kind, gitKind = "submodule", "trees"
	case e.Mode == git.ModeLink:
		kind = "symlink"
	}
	html := c.HTMLRepoURL(c.repo) + "/" + page + "/" + rev + "/" + p
	gitURL := c.repoURL() + "/git/" + gitKind + "/" + e.SHA
	o := model.Object{"type": kind, "size": 0, "name": path.Base(e.Path), "path": e.Path, "sha": e.SHA, "url": api,
		"git_url":  gitURL,
		"html_url": html, "download_url": nil, "_links": model.Object{"self": api, "git": gitURL, "html": html}}
	if e.Kind() == git.KindBlob {
		o["download_url"] = c.HTMLRepoURL(c.repo) + "/raw/" + rev + "/" + p
	}
	return o
}
