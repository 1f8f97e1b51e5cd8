package ghtest

import (
	"net/http"
	"path"
	"strings"
)

// maxInline and maxContent are GitHub's limits: the content of a file is in the response up to 1 MB, up to 100 MB only
// in that of the raw media type, and beyond that in none.
const (
	maxInline  = 1 << 20
	maxContent = 100 << 20
)

// node is an entry of a tree.
type node struct{ mode, kind, sha, path string }

// getContents responds with the content of a file, or the entries of a folder.
func getContents(c *call) (*answer, error) {
	name := strings.Trim(c.vars["path"], "/")
	rev := c.resolve(orElse(c.query.Get("ref"), c.repo.defaultBranch))
	switch {
	case rev == "" && c.query.Get("ref") != "":
		return nil, refuse(http.StatusNotFound, "No commit found for the ref %s", c.query.Get("ref"))
	case rev == "":
		return nil, refuse(http.StatusNotFound, "This repository is empty.")
	}
	if name == "" {
		return c.folder(rev, "")
	}
	n := c.node(rev, name)
	switch {
	case n == nil:
		return nil, notFound()
	case n.kind == "tree":
		return c.folder(rev, name+"/")
	case n.kind == "commit":
		o := c.contentJSON(rev, *n)
		o["submodule_git_url"] = nil
		return ok(o)
	}
	return c.file(rev, *n)
}

// node returns the entry at a path of a commit, or nil if there is none.
func (c *call) node(rev, name string) *node {
	list, err := c.nodes(rev, name)
	if err != nil || len(list) != 1 {
		return nil
	}
	return &list[0]
}

func (c *call) nodes(rev, name string) ([]node, error) {
	args := []string{"--literal-pathspecs", "ls-tree", "-z", rev}
	if name != "" {
		args = append(args, "--", name)
	}
	out, err := c.git(c.repo.dir, args...)
	var list []node
	for record := range strings.SplitSeq(out, "\x00") {
		meta, p, found := strings.Cut(record, "\t")
		if f := strings.Fields(meta); found && len(f) == 3 {
			list = append(list, node{f[0], f[1], f[2], p})
		}
	}
	return list, err
}

func (c *call) folder(rev, prefix string) (*answer, error) {
	nodes, err := c.nodes(rev, prefix)
	if err != nil {
		return nil, err
	}
	list := []object{}
	for _, n := range nodes {
		list = append(list, c.contentJSON(rev, n))
	}
	return ok(list)
}

// file: "If the requested :path points to a symlink, and the symlink's target is a normal file in the repository, then
// the API responds with the content of the file. Otherwise, the API responds with an object describing the symlink
// itself."
func (c *call) file(rev string, n node) (*answer, error) {
	data, err := c.gitBytes(c.repo.dir, nil, nil, "cat-file", "blob", n.sha)
	if err != nil {
		return nil, err
	}
	if n.mode == "120000" {
		if to := c.node(rev, path.Join(path.Dir(n.path), string(data))); to != nil && strings.HasPrefix(to.mode, "100") {
			to.path = n.path
			return c.file(rev, *to)
		}
		o := c.contentJSON(rev, n)
		o["target"], o["size"] = string(data), len(data)
		return ok(o)
	}
	switch {
	case len(data) > maxContent:
		return nil, refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	case c.wantsRaw():
		return raw(data)
	}
	o := c.contentJSON(rev, n)
	o["size"], o["content"], o["encoding"] = len(data), wrapped(data), "base64"
	if len(data) > maxInline {
		o["content"], o["encoding"] = "", "none"
	}
	return ok(o)
}

// wantsRaw reports whether the raw media type is accepted, also by an older name: "application/vnd.github.raw+json:
// Returns the raw file contents".
func (c *call) wantsRaw() bool {
	accept := c.r.Header.Get("Accept")
	return strings.Contains(accept, "application/vnd.github.raw") ||
		strings.Contains(accept, "application/vnd.github.v3.raw")
}

func raw(data []byte) (*answer, error) {
	h := http.Header{"Content-Type": {"application/vnd.github.raw+json; charset=utf-8"}}
	return &answer{status: http.StatusOK, body: data, header: h}, nil
}

// contentJSON returns the fields of all kinds of content.
func (c *call) contentJSON(rev string, n node) object {
	p := escapePath(n.path)
	api := c.repoURL() + "/contents/" + p + "?ref=" + rev
	kind, gitKind, page := "file", "blobs", "blob"
	switch {
	case n.kind == "tree":
		kind, gitKind, page = "dir", "trees", "tree"
	case n.kind == "commit":
		kind, gitKind = "submodule", "trees"
	case n.mode == "120000":
		kind = "symlink"
	}
	html := c.htmlRepoURL(c.repo) + "/" + page + "/" + rev + "/" + p
	git := c.repoURL() + "/git/" + gitKind + "/" + n.sha
	o := object{"type": kind, "size": 0, "name": path.Base(n.path), "path": n.path, "sha": n.sha, "url": api,
		"git_url":  git,
		"html_url": html, "download_url": nil, "_links": object{"self": api, "git": git, "html": html}}
	if n.kind == "blob" {
		o["download_url"] = c.htmlRepoURL(c.repo) + "/raw/" + rev + "/" + p
	}
	return o
}
