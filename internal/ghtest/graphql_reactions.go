package ghtest

import (
	"net/http"
	"strings"
)

// graphQLReactions are GraphQL's names of the reactions.
var graphQLReactions = map[string]string{"THUMBS_UP": "+1", "THUMBS_DOWN": "-1", "LAUGH": "laugh",
	"CONFUSED": "confused",
	"HEART":    "heart", "HOORAY": "hooray", "ROCKET": "rocket", "EYES": "eyes"}

// addReaction adds a reaction to an issue, a comment or a review, unless it exists already.
func (c *call) addReaction(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	content, _ := in["content"].(string)
	if graphQLReactions[content] == "" { // an enum in another case, from a variable
		return nil, refuse(0, "Variable was provided invalid value: %q is no ReactionContent", content)
	}
	subject, _ := in["subjectId"].(string)
	list, is := c.reactableNode(subject)
	if is == nil {
		return nil, noNode(subject)
	}
	if err := c.mayChange(is.repo, c.threadNeeds(is)...); err != nil {
		return nil, err
	}
	if is.lockedFor(c.sender()) {
		return nil, refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, _ := c.react(list, c.sender(), graphQLReactions[content])
	return object{"__typename": "AddReactionPayload", "clientMutationId": in["clientMutationId"],
		"reaction": object{"__typename": "Reaction", "id": nodeID("REA", r.id), "databaseId": r.id, "content": content,
			"createdAt": stamp(r.created)}}, nil
}

// threadNeeds returns the required permissions: issues for an issue, issues or pull requests for a pull request, as in
// REST.
func (c *call) threadNeeds(is *issue) []string {
	if is.pull == nil {
		return threadWrite[:1]
	}
	return threadWrite
}

// reactableNode returns the node of a global id, or nil if it cannot have reactions.
func (c *call) reactableNode(node string) (*[]*reaction, *issue) {
	kind, _, _ := strings.Cut(node, "_")
	id, _ := nodeNumber(node, kind)
	switch kind {
	case "IC":
		if co := c.state.comments[id]; co != nil && !co.issue.gone {
			return &co.reactions, co.issue
		}
	case "PRRC":
		if rc := c.state.reviewComments[id]; rc != nil {
			return &rc.reactions, rc.issue
		}
	case "PRR":
		if rv := c.state.reviews[id]; rv != nil && rv.state != reviewPending {
			return &rv.reactions, rv.issue
		}
	}
	return nil, nil
}

func noNode(id string) error {
	return refuse(http.StatusNotFound, "Could not resolve to a node with the global id of '%s'", id)
}

// mayChange returns an error if the token lacks a permission in the repository of a mutation, or cannot access it.
func (c *call) mayChange(r *repository, alternatives ...string) error {
	c.repo = r
	switch {
	case !c.token.covers(r) && !r.public || r.deleted:
		return noNode(nodeID("R", r.id))
	case !c.token.covers(r):
		return notAccessible()
	}
	if err := c.permitted(alternatives, http.MethodPost); err != nil {
		return err
	}
	if r.archived {
		return refuse(http.StatusForbidden, "Repository was archived so is read-only.")
	}
	return nil
}
