package simhttp

import (
	"encoding/base64"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func createBlob(c *call) (*answer, error) {
	var in struct {
		Content  *string `json:"content"`
		Encoding string  `json:"encoding"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Content == nil {
		return nil, model.NotSupplied("content")
	}
	content := *in.Content
	switch in.Encoding {
	case "", "utf-8":
	case "base64":
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(content, "\n", ""))
		if err != nil {
			return nil, model.Unprocessable("content is not valid Base64")
		}
		content = string(data)
	default:
		return nil, model.Invalid("Blob", "encoding", "invalid", "")
	}
	sha, err := c.repo.Git.WriteBlob([]byte(content))
	if err != nil {
		return nil, err
	}
	return created(model.Object{"sha": sha, "url": c.repoURL() + "/git/blobs/" + sha})
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
	if c.wantsRaw() {
		return raw(data)
	}
	return ok(model.Object{"sha": sha, "node_id": sim.NodeID("B", c.repo.ID) + sha[:8], "size": len(data),
		"url":     c.repoURL() + "/git/blobs/" + sha,
		"content": wrapped(data), "encoding": "base64"})
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
