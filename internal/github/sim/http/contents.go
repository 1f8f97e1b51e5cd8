package simhttp

import (
	"encoding/base64"
	"errors"
	"net/http"
	"path"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
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
	rev := c.resolve(entity.OrElse(c.query.Get("ref"), c.repo.DefaultBranch))
	switch {
	case rev == "" && c.query.Get("ref") != "":
		return nil, entity.Refuse(http.StatusNotFound, "No commit found for the ref %s", c.query.Get("ref"))
	case rev == "":
		return nil, entity.Refuse(http.StatusNotFound, "This repository is empty.")
	}
	if name == "" {
		list, err := c.repo.Git.Tree(rev)
		return listing(c, rev, list, err)
	}
	e, err := c.repo.Git.At(rev, name)
	switch {
	case errors.Is(err, git.ErrNotFound):
		return nil, notFound()
	case err != nil:
		return nil, err
	case e.Kind() == git.KindTree:
		list, err := c.repo.Git.Folder(rev, name)
		return listing(c, rev, list, err)
	case e.Kind() == git.KindCommit:
		o := c.code().Content(rev, e)
		o["submodule_git_url"] = nil
		return ok(o)
	}
	return answerFile(c, rev, e)
}

// listing responds with the entries of a folder, unless there was an error.
func listing(c *call, rev string, entries []git.Entry, err error) (*answer, error) {
	if err != nil {
		return nil, err
	}
	list := []entity.Object{}
	for _, e := range entries {
		list = append(list, c.code().Content(rev, e))
	}
	return ok(list)
}

// answerFile: "If the requested :path points to a symlink, and the symlink's target is a normal file in the repository,
// then the API responds with the content of the file. Otherwise, the API responds with an object describing the symlink
// itself."
func answerFile(c *call, rev string, e git.Entry) (*answer, error) {
	data, err := c.repo.Git.Blob(e.SHA)
	if err != nil {
		return nil, err
	}
	if e.Mode == git.ModeLink {
		to, err := c.repo.Git.At(rev, path.Join(path.Dir(e.Path), string(data)))
		if err == nil && to.IsFile() {
			to.Path = e.Path
			return answerFile(c, rev, to)
		}
		o := c.code().Content(rev, e)
		o["target"], o["size"] = string(data), len(data)
		return ok(o)
	}
	switch {
	case len(data) > maxContent:
		return nil, entity.Refuse(http.StatusForbidden, "This API returns blobs up to 100 MB in size.")
	case wantsRaw(c):
		return raw(data)
	}
	o := c.code().Content(rev, e)
	o["size"], o["content"], o["encoding"] = len(data), wrapped(data), "base64"
	if len(data) > maxInline {
		o["content"], o["encoding"] = "", "none"
	}
	return ok(o)
}

// wantsRaw reports whether the raw media type is accepted, also by an older name: "application/vnd.github.raw+json:
// Returns the raw file contents".
func wantsRaw(c *call) bool {
	accept := c.r.Header.Get("Accept")
	return strings.Contains(accept, "application/vnd.github.raw") ||
		strings.Contains(accept, "application/vnd.github.v3.raw")
}

func raw(data []byte) (*answer, error) {
	h := http.Header{"Content-Type": {"application/vnd.github.raw+json; charset=utf-8"}}
	return &answer{status: http.StatusOK, body: data, header: h}, nil
}

func createBlob(c *call) (*answer, error) {
	var in struct {
		Content  *string `json:"content"`
		Encoding string  `json:"encoding"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Content == nil {
		return nil, entity.NotSupplied("content")
	}
	content := *in.Content
	switch in.Encoding {
	case "", "utf-8":
	case "base64":
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(content, "\n", ""))
		if err != nil {
			return nil, entity.Unprocessable("content is not valid Base64")
		}
		content = string(data)
	default:
		return nil, entity.Invalid("Blob", "encoding", "invalid", "")
	}
	sha, err := c.repo.Git.WriteBlob([]byte(content))
	if err != nil {
		return nil, err
	}
	return created(entity.Object{"sha": sha, "url": c.repoURL() + "/git/blobs/" + sha})
}

func getBlob(c *call) (*answer, error) {
	sha := c.vars["sha"]
	if !c.hasObject(sha, git.KindBlob) {
		return nil, notFound()
	}
	data, err := c.repo.Git.Blob(sha)
	if err != nil {
		return nil, err
	}
	if wantsRaw(c) {
		return raw(data)
	}
	return ok(entity.Object{"sha": sha, "node_id": sim.NodeID("B", c.repo.ID) + sha[:8], "size": len(data),
		"url": c.repoURL() + "/git/blobs/" + sha, "content": wrapped(data), "encoding": "base64"})
}

// wrapped returns data as base64 in lines of 60 characters, as GitHub sends it.
func wrapped(data []byte) string {
	text := base64.StdEncoding.EncodeToString(data)
	var b strings.Builder
	for len(text) > 0 {
		n := min(60, len(text))
		b.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return b.String()
}
