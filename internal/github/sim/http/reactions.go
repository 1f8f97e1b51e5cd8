package simhttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s threadForms) reactionJSON(r *model.Reaction) model.Object {
	return model.Object{"id": r.ID, "node_id": sim.NodeID("REA", r.ID), "user": forms(s).userJSON(r.User),
		"content":    r.Content,
		"created_at": stamp(r.Created)}
}

// reactable returns the issue, comment or review comment in the path.
func (c named) reactable() (*[]*model.Reaction, *model.Issue, error) {
	switch {
	case c.vars["issue_number"] != "":
		is, err := c.thread()
		if err != nil {
			return nil, nil, err
		}
		return &is.Reactions, is, nil
	case strings.Contains(c.r.URL.Path, "/pulls/comments/"):
		rc, err := c.reviewComment()
		if err != nil {
			return nil, nil, err
		}
		return &rc.Reactions, rc.Issue, nil
	}
	co, err := c.comment()
	if err != nil {
		return nil, nil, err
	}
	return &co.Reactions, co.Issue, nil
}

func listReactions(c *call) (*answer, error) {
	list, _, err := c.reactable()
	if err != nil {
		return nil, err
	}
	wanted := *list
	if content := c.query.Get("content"); content != "" {
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(r *model.Reaction) bool { return r.Content != content })
	}
	return paged(c, wanted, c.reactionJSON)
}

// createReaction responds 201, or 200 "if the same reaction already exists for the same user".
func createReaction(c *call) (*answer, error) {
	list, is, err := c.reactable()
	if err != nil {
		return nil, err
	}
	var in struct {
		Content *string `json:"content"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Content == nil:
		return nil, model.NotSupplied("content")
	case !slices.Contains(sim.ReactionContents, *in.Content):
		return nil, model.Invalid("Reaction", "content", "invalid", "")
	case is.LockedFor(c.sender()):
		return nil, model.Refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, isNew := c.React(list, c.sender(), *in.Content)
	if !isNew {
		return ok(c.reactionJSON(r))
	}
	return &answer{status: http.StatusCreated, body: c.reactionJSON(r)}, nil
}

func deleteReaction(c *call) (*answer, error) {
	list, _, err := c.reactable()
	if err != nil {
		return nil, err
	}
	id, err := c.number("reaction_id")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(*list, func(r *model.Reaction) bool { return r.ID == id })
	switch {
	case i < 0:
		return nil, notFound()
	case (*list)[i].User != c.sender():
		return nil, notAccessible()
	}
	*list = slices.Delete(*list, i, i+1)
	return noContent()
}
