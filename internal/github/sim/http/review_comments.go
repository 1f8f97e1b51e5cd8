package simhttp

import (
	"cmp"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

func getReviewComment(c *call) (*answer, error) {
	rc, err := findReviewComment(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.ReviewComment(rc))
}

// listReviewComments: "By default, review comments are in ascending order by ID."
func listReviewComments(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(is.Pull.Comments),
		func(rc *entity.ReviewComment) bool { return rc.Updated.Before(since) })
	if sort := c.query.Get("sort"); sort == "created" || sort == "updated" {
		slices.SortStableFunc(list, func(a, b *entity.ReviewComment) int {
			if sort == "updated" {
				return cmp.Or(a.Updated.Compare(b.Updated), cmp.Compare(a.ID, b.ID))
			}
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
		})
		if c.query.Get("direction") != "asc" { // "Can be asc or desc. Ignored without sort."
			slices.Reverse(list)
		}
	}
	return paged(c, list, c.form.ReviewComment)
}

func createReviewComment(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	var in entity.NewReviewComment
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.InReplyTo != nil { // "When specified, all parameters other than body in the request body are ignored."
		return createReplyTo(c, is, *in.InReplyTo, in.Body)
	}
	rc, err := c.PlaceReviewComment(is, c.sender(), in)
	if err != nil {
		return nil, err
	}
	return created(c.form.ReviewComment(c.AddReviewComment(rc, c.sender())))
}

func createReply(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	return createReplyTo(c, is, id, &body)
}

// createReplyTo: "The ID of the review comment to reply to. This must be the ID of a top-level review comment, not a
// reply to that comment. Replies to replies are not supported."
func createReplyTo(c *call, is *entity.Issue, to int64, body *string) (*answer, error) {
	first := c.State.ReviewComments[to]
	if first == nil || first.Issue != is || first.ReplyTo != 0 {
		return nil, notFound()
	}
	if body == nil {
		return nil, entity.NotSupplied("body")
	}
	if err := sim.CheckReviewComment(is, c.sender(), *body); err != nil {
		return nil, err
	}
	return created(c.form.ReviewComment(c.AddReviewComment(first.ReplyWith(*body), c.sender())))
}

func updateReviewComment(c *call) (*answer, error) {
	rc, err := findReviewComment(c)
	if err != nil {
		return nil, err
	}
	if rc.User != c.sender() {
		return nil, notAccessible()
	}
	body, err := c.bodyOf()
	if err != nil {
		return nil, err
	}
	if err := sim.CheckText(entity.ReviewCommentResource, body); err != nil {
		return nil, err
	}
	from := rc.Body
	rc.Body, rc.Updated = body, c.Now()
	c.Events.EmitReviewComment("edited", rc, c.sender(), entity.Object{"body": entity.Object{"from": from}})
	return ok(c.form.ReviewComment(rc))
}

func deleteReviewComment(c *call) (*answer, error) {
	rc, err := findReviewComment(c)
	if err != nil {
		return nil, err
	}
	if rc.User != c.sender() {
		return nil, notAccessible()
	}
	c.DropReviewComment(rc, c.sender())
	return noContent()
}
