package simhttp

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// mayChange returns an error if the token lacks a permission in the repository of a mutation, or cannot access it.
func (c mutations) mayChange(r *entity.Repository, alternatives ...string) error {
	c.repo = r
	switch {
	case !c.token.Covers(r) && !r.Public || r.Deleted:
		return noNode(sim.NodeID("R", r.ID))
	case !c.token.Covers(r):
		return notAccessible()
	}
	if err := c.permitted(alternatives, http.MethodPost); err != nil {
		return err
	}
	if r.Archived {
		return entity.Refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}

func noNode(id string) error {
	return entity.Refuse(http.StatusNotFound, "Could not resolve to a node with the global id of '%s'", id)
}

// nodeNumber returns the id in a global node id of a kind, 0 if it is none.
func nodeNumber(node, kind string) (id int64) {
	text, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(node, kind+"_"))
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscanf(string(text), kind+":%d", &id); err != nil || sim.NodeID(kind, id) != node {
		return 0
	}
	return id
}

// markReadyForReview makes a draft an ordinary pull request. Its permissions are not documented: GitHub refuses an App
// that may write pull requests and not contents.
func (c mutations) markReadyForReview(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	node, _ := in["pullRequestId"].(string)
	id := nodeNumber(node, "PR")
	for _, r := range c.State.Repos {
		for _, is := range r.Issues {
			if is.Pull == nil || is.Pull.ID != id {
				continue
			}
			for _, needed := range []string{"pull_requests:write", "contents:write"} {
				if err := c.mayChange(r, needed); err != nil {
					return nil, err
				}
			}
			if !is.Open {
				return nil, entity.Unprocessable("The pull request is closed.")
			}
			is.Pull.Draft = false
			return entity.Object{"__typename": "MarkPullRequestReadyForReviewPayload",
				"clientMutationId": in["clientMutationId"],
				"pullRequest":      c.pullNode(is)}, nil
		}
	}
	return nil, noNode(node)
}
