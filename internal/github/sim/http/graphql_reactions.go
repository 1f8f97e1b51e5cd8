package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// graphQLReactions are GraphQL's names of the reactions.
var graphQLReactions = map[string]string{"THUMBS_UP": "+1", "THUMBS_DOWN": "-1", "LAUGH": "laugh",
	"CONFUSED": "confused", "HEART": "heart", "HOORAY": "hooray", "ROCKET": "rocket", "EYES": "eyes"}

// addReaction adds a reaction to an issue, a comment or a review, unless it exists already.
func (c mutations) addReaction(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	content, _ := in["content"].(string)
	if graphQLReactions[content] == "" { // an enum in another case, from a variable
		return nil, entity.Refuse(0, "Variable was provided invalid value: %q is no ReactionContent", content)
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
		return nil, entity.Refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, _ := c.React(list, c.sender(), graphQLReactions[content])
	return entity.Object{"__typename": "AddReactionPayload", "clientMutationId": in["clientMutationId"],
		"reaction": entity.Object{"__typename": "Reaction", "id": sim.NodeID("REA", r.ID), "databaseId": r.ID,
			"content": content, "createdAt": form.Time(r.Created)}}, nil
}

// threadNeeds returns the required permissions: issues for an issue, issues or pull requests for a pull request, as in
// REST.
func (c nodes) threadNeeds(is *entity.Issue) []string {
	if is.Pull == nil {
		return threadWrite[:1]
	}
	return threadWrite
}

// reactableNode returns the node of a global id, or nil if it cannot have reactions.
func (c nodes) reactableNode(node string) (*[]*entity.Reaction, *entity.Issue) {
	kind, _, _ := strings.Cut(node, "_")
	id := nodeNumber(node, kind)
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
		if rv := c.State.Reviews[id]; rv != nil && rv.State != entity.ReviewPending {
			return &rv.Reactions, rv.Issue
		}
	}
	return nil, nil
}
