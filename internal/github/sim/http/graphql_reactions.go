package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// graphQLReactions are GraphQL's names of the reactions.
var graphQLReactions = map[string]string{"THUMBS_UP": "+1", "THUMBS_DOWN": "-1", "LAUGH": "laugh",
	"CONFUSED": "confused",
	"HEART":    "heart", "HOORAY": "hooray", "ROCKET": "rocket", "EYES": "eyes"}

// addReaction adds a reaction to an issue, a comment or a review, unless it exists already.
func (c mutations) addReaction(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	content, _ := in["content"].(string)
	if graphQLReactions[content] == "" { // an enum in another case, from a variable
		return nil, model.Refuse(0, "Variable was provided invalid value: %q is no ReactionContent", content)
	}
	subject, _ := in["subjectId"].(string)
	list, is := c.reactableNode(subject)
	if is == nil {
		return nil, noNode(subject)
	}
	if err := c.mayChange(is.Repo, c.threadNeeds(is)...); err != nil {
		return nil, err
	}
	if is.LockedFor(c.sender()) {
		return nil, model.Refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, _ := c.React(list, c.sender(), graphQLReactions[content])
	return model.Object{"__typename": "AddReactionPayload", "clientMutationId": in["clientMutationId"],
		"reaction": model.Object{"__typename": "Reaction", "id": sim.NodeID("REA", r.ID), "databaseId": r.ID,
			"content":   content,
			"createdAt": stamp(r.Created)}}, nil
}

// threadNeeds returns the required permissions: issues for an issue, issues or pull requests for a pull request, as in
// REST.
func (c nodes) threadNeeds(is *model.Issue) []string {
	if is.Pull == nil {
		return threadWrite[:1]
	}
	return threadWrite
}

// reactableNode returns the node of a global id, or nil if it cannot have reactions.
func (c nodes) reactableNode(node string) (*[]*model.Reaction, *model.Issue) {
	kind, _, _ := strings.Cut(node, "_")
	id, _ := nodeNumber(node, kind)
	switch kind {
	case "IC":
		if co := c.State.Comments[id]; co != nil && !co.Issue.Gone {
			return &co.Reactions, co.Issue
		}
	case "PRRC":
		if rc := c.State.ReviewComments[id]; rc != nil {
			return &rc.Reactions, rc.Issue
		}
	case "PRR":
		if rv := c.State.Reviews[id]; rv != nil && rv.State != model.ReviewPending {
			return &rv.Reactions, rv.Issue
		}
	}
	return nil, nil
}

func noNode(id string) error {
	return model.Refuse(http.StatusNotFound, "Could not resolve to a node with the global id of '%s'", id)
}

// mayChange returns an error if the token lacks a permission in the repository of a mutation, or cannot access it.
func (c mutations) mayChange(r *model.Repository, alternatives ...string) error {
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
		return model.Refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}
