package simhttp

import (
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func getComment(c *call) (*answer, error) {
	co, err := findComment(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Comment(co))
}

// listComments: "Issue comments are ordered by ascending ID." since is compared with the time of the last update.
func listComments(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(is.Comments), func(co *entity.Comment) bool { return co.Updated.Before(since) })
	return paged(c, list, c.form.Comment)
}

func createComment(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := sim.CheckNewComment(is, c.sender(), body); err != nil {
		return nil, err
	}
	return created(c.form.Comment(c.AddComment(is, c.sender(), body)))
}

func updateComment(c *call) (*answer, error) {
	co, err := findComment(c)
	if err != nil {
		return nil, err
	}
	if co.User != c.sender() { // what an App may do to others' comments is not documented, so it may not
		return nil, notAccessible()
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := sim.CheckText("IssueComment", body); err != nil {
		return nil, err
	}
	c.RewriteComment(co, c.sender(), body)
	return ok(c.form.Comment(co))
}

func deleteComment(c *call) (*answer, error) {
	co, err := findComment(c)
	if err != nil {
		return nil, err
	}
	if co.User != c.sender() {
		return nil, notAccessible()
	}
	c.DropComment(co, c.sender())
	return noContent()
}
