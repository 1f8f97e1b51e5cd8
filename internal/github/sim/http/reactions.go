package simhttp

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func listReactions(c *call) (*answer, error) {
	list, _, err := findReactable(c)
	if err != nil {
		return nil, err
	}
	wanted := *list
	if content := c.query.Get("content"); content != "" {
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(r *entity.Reaction) bool { return r.Content != content })
	}
	return paged(c, wanted, c.form.Reaction)
}

// createReaction responds 201, or 200 "if the same reaction already exists for the same user".
func createReaction(c *call) (*answer, error) {
	list, is, err := findReactable(c)
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
		return nil, entity.NotSupplied("content")
	case !slices.Contains(sim.ReactionContents, *in.Content):
		return nil, entity.Invalid("Reaction", "content", "invalid", "")
	case is.LockedFor(c.sender()):
		return nil, entity.Refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, isNew := c.React(list, c.sender(), *in.Content)
	if !isNew {
		return ok(c.form.Reaction(r))
	}
	return &answer{status: http.StatusCreated, body: c.form.Reaction(r)}, nil
}

func deleteReaction(c *call) (*answer, error) {
	list, _, err := findReactable(c)
	if err != nil {
		return nil, err
	}
	id, err := c.number("reaction_id")
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(*list, func(r *entity.Reaction) bool { return r.ID == id })
	switch {
	case i < 0:
		return nil, notFound()
	case (*list)[i].User != c.sender():
		return nil, notAccessible()
	}
	*list = slices.Delete(*list, i, i+1)
	return noContent()
}
