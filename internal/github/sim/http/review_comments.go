package simhttp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s threadForms) reviewCommentJSON(rc *model.ReviewComment) model.Object {
	api := sim.Pages(s).ReviewCommentURL(rc)
	html := fmt.Sprintf("%s#discussion_r%d", sim.Pages(s).ThreadHTML(rc.Issue), rc.ID)
	o := model.Object{
		"id": rc.ID, "node_id": sim.NodeID("PRRC", rc.ID), "url": api, "pull_request_review_id": rc.Review,
		"diff_hunk": rc.Hunk,
		"path":      rc.Path, "commit_id": rc.Commit, "original_commit_id": rc.Original, "user": forms(s).userJSON(rc.User),
		"body": rc.Body, "created_at": stamp(rc.Created), "updated_at": stamp(rc.Updated), "html_url": html,
		"pull_request_url": sim.Pages(s).PullURL(rc.Issue), "author_association": rc.Issue.Repo.Association(rc.User),
		"_links": model.Object{"self": href(api), "html": href(html),
			"pull_request": href(sim.Pages(s).PullURL(rc.Issue))},
		"reactions": sim.Threads(s).Rollup(rc.Reactions, api), "subject_type": "line", "line": orNull(rc.Line),
		"original_line": orNull(rc.OriginalLine), "start_line": orNull(rc.Start),
		"original_start_line": orNull(rc.OriginalStart),
		"side":                rc.Side, "start_side": stringOrNull(rc.StartSide), "position": orNull(rc.Position()),
		"original_position": max(rc.Position(), 1),
	}
	if rc.WholeFile {
		o["subject_type"] = "file"
	}
	if rc.ReplyTo != 0 {
		o["in_reply_to_id"] = rc.ReplyTo
	}
	return o
}

func orNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func (c named) reviewComment() (*model.ReviewComment, error) {
	id, err := c.number("comment_id")
	if err != nil {
		return nil, err
	}
	if rc := c.State.ReviewComments[id]; rc != nil && rc.Issue.Repo == c.repo {
		return rc, nil
	}
	return nil, notFound()
}

func getReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
	if err != nil {
		return nil, err
	}
	return ok(c.reviewCommentJSON(rc))
}

// listReviewComments: "By default, review comments are in ascending order by ID."
func listReviewComments(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(slices.Clone(is.Pull.Comments),
		func(rc *model.ReviewComment) bool { return rc.Updated.Before(since) })
	if sort := c.query.Get("sort"); sort == "created" || sort == "updated" {
		slices.SortStableFunc(list, func(a, b *model.ReviewComment) int {
			if sort == "updated" {
				return cmp.Or(a.Updated.Compare(b.Updated), cmp.Compare(a.ID, b.ID))
			}
			return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
		})
		if c.query.Get("direction") != "asc" { // "Can be asc or desc. Ignored without sort."
			slices.Reverse(list)
		}
	}
	return paged(c, list, c.reviewCommentJSON)
}

func createReviewComment(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	var in model.NewReviewComment
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.InReplyTo != nil { // "When specified, all parameters other than body in the request body are ignored."
		return c.reply(is, *in.InReplyTo, in.Body)
	}
	rc, err := c.PlaceReviewComment(is, c.sender(), in)
	if err != nil {
		return nil, err
	}
	return created(c.reviewCommentJSON(c.AddReviewComment(rc, c.sender())))
}

func createReply(c *call) (*answer, error) {
	is, err := c.pullOfPath()
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
	return c.reply(is, id, &body)
}

// reply: "The ID of the review comment to reply to. This must be the ID of a top-level review comment, not a reply to
// that comment. Replies to replies are not supported."
func (c named) reply(is *model.Issue, to int64, body *string) (*answer, error) {
	first := c.State.ReviewComments[to]
	if first == nil || first.Issue != is || first.ReplyTo != 0 {
		return nil, notFound()
	}
	if body == nil {
		return nil, model.NotSupplied("body")
	}
	if err := sim.CheckReviewComment(is, c.sender(), *body); err != nil {
		return nil, err
	}
	return created(c.reviewCommentJSON(c.AddReviewComment(first.ReplyWith(*body), c.sender())))
}

func updateReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
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
	if err := sim.CheckText(model.NoteResource, body); err != nil {
		return nil, err
	}
	from := rc.Body
	rc.Body, rc.Updated = body, c.Now()
	c.EmitReviewComment("edited", rc, c.sender(), model.Object{"body": model.Object{"from": from}})
	return ok(c.reviewCommentJSON(rc))
}

func deleteReviewComment(c *call) (*answer, error) {
	rc, err := c.reviewComment()
	if err != nil {
		return nil, err
	}
	if rc.User != c.sender() {
		return nil, notAccessible()
	}
	c.DropReviewComment(rc, c.sender())
	return noContent()
}
