package ghtest

import (
	"net/http"
	"slices"
	"strings"
)

// reactionContents are GitHub's reactions.
var reactionContents = []string{"+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"}

// rollup returns "reaction-rollup", the counts.
func (s *Server) rollup(list []*reaction, of string) object {
	o := object{"url": of + "/reactions", "total_count": len(list)}
	for _, content := range reactionContents {
		n := 0
		for _, r := range list {
			if r.content == content {
				n++
			}
		}
		o[content] = n
	}
	return o
}

func (s *Server) reactionJSON(r *reaction) object {
	return object{"id": r.id, "node_id": nodeID("REA", r.id), "user": s.userJSON(r.user), "content": r.content,
		"created_at": stamp(r.created)}
}

// reactable returns the issue, comment or review comment in the path.
func (c *call) reactable() (*[]*reaction, *issue, error) {
	switch {
	case c.vars["issue_number"] != "":
		is, err := c.thread()
		if err != nil {
			return nil, nil, err
		}
		return &is.reactions, is, nil
	case strings.Contains(c.r.URL.Path, "/pulls/comments/"):
		rc, err := c.reviewComment()
		if err != nil {
			return nil, nil, err
		}
		return &rc.reactions, rc.issue, nil
	}
	co, err := c.comment()
	if err != nil {
		return nil, nil, err
	}
	return &co.reactions, co.issue, nil
}

func listReactions(c *call) (*answer, error) {
	list, _, err := c.reactable()
	if err != nil {
		return nil, err
	}
	wanted := *list
	if content := c.query.Get("content"); content != "" {
		wanted = slices.DeleteFunc(slices.Clone(wanted), func(r *reaction) bool { return r.content != content })
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
		return nil, notSupplied("content")
	case !slices.Contains(reactionContents, *in.Content):
		return nil, invalid("Reaction", "content", "invalid", "")
	case is.lockedFor(c.sender()):
		return nil, refuse(http.StatusForbidden, "Unable to create reaction because issue is locked.")
	}
	r, isNew := c.react(list, c.sender(), *in.Content)
	if !isNew {
		return ok(c.reactionJSON(r))
	}
	return &answer{status: http.StatusCreated, body: c.reactionJSON(r)}, nil
}

func (s *Server) react(list *[]*reaction, u *user, content string) (r *reaction, isNew bool) {
	for _, r := range *list {
		if r.user == u && r.content == content {
			return r, false
		}
	}
	r = &reaction{id: s.state.id("reaction"), user: u, content: content, created: s.now()}
	*list = append(*list, r)
	return r, true
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
	i := slices.IndexFunc(*list, func(r *reaction) bool { return r.id == id })
	switch {
	case i < 0:
		return nil, notFound()
	case (*list)[i].user != c.sender():
		return nil, notAccessible()
	}
	*list = slices.Delete(*list, i, i+1)
	return noContent()
}
