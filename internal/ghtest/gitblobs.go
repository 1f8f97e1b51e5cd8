package ghtest

import (
	"encoding/base64"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
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
		return nil, notSupplied("content")
	}
	content := *in.Content
	switch in.Encoding {
	case "", "utf-8":
	case "base64":
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(content, "\n", ""))
		if err != nil {
			return nil, unprocessable("content is not valid Base64")
		}
		content = string(data)
	default:
		return nil, invalid("Blob", "encoding", "invalid", "")
	}
	sha, err := c.repo.git.WriteBlob([]byte(content))
	if err != nil {
		return nil, err
	}
	return created(object{"sha": sha, "url": c.repoURL() + "/git/blobs/" + sha})
}

func getBlob(c *call) (*answer, error) {
	sha := c.vars["sha"]
	if !c.hasObject(sha, git.KindBlob) {
		return nil, notFound()
	}
	data, err := c.repo.git.Blob(sha)
	if err != nil {
		return nil, err
	}
	if c.wantsRaw() {
		return raw(data)
	}
	return ok(object{"sha": sha, "node_id": nodeID("B", c.repo.id) + sha[:8], "size": len(data),
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
