package form

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Review returns "pull-request-review".
func (s Threads) Review(rv *entity.Review) entity.Object {
	html := fmt.Sprintf("%s#pullrequestreview-%d", s.ThreadPage(rv.Issue), rv.ID)
	o := entity.Object{"id": rv.ID, "node_id": sim.NodeID("PRR", rv.ID), "user": s.User(rv.User), "body": rv.Body,
		"state": rv.State, "html_url": html, "pull_request_url": s.PullURL(rv.Issue), "commit_id": rv.Commit,
		"author_association": rv.Issue.Repo.Association(rv.User),
		"_links":             entity.Object{"html": href(html), "pull_request": href(s.PullURL(rv.Issue))}}
	if rv.State != entity.ReviewPending { // "pending reviews do not include the submitted_at property"
		o["submitted_at"] = Time(rv.Submitted)
	}
	return o
}

// ReviewComment returns "pull-request-review-comment".
func (s Threads) ReviewComment(rc *entity.ReviewComment) entity.Object {
	api := s.ReviewCommentURL(rc)
	html := fmt.Sprintf("%s#discussion_r%d", s.ThreadPage(rc.Issue), rc.ID)
	o := entity.Object{
		"id": rc.ID, "node_id": sim.NodeID("PRRC", rc.ID), "url": api, "pull_request_review_id": rc.Review,
		"diff_hunk": rc.Hunk, "path": rc.Path, "commit_id": rc.Commit, "original_commit_id": rc.Original,
		"user": s.User(rc.User), "body": rc.Body, "created_at": Time(rc.Created), "updated_at": Time(rc.Updated),
		"html_url": html, "pull_request_url": s.PullURL(rc.Issue), "author_association": rc.Issue.Repo.Association(rc.User),
		"_links":    entity.Object{"self": href(api), "html": href(html), "pull_request": href(s.PullURL(rc.Issue))},
		"reactions": sim.Threads{Core: s.Core}.Rollup(rc.Reactions, api), "subject_type": "line",
		"line": NumberOrNull(rc.Line), "original_line": NumberOrNull(rc.OriginalLine), "start_line": NumberOrNull(rc.Start),
		"original_start_line": NumberOrNull(rc.OriginalStart), "side": rc.Side, "start_side": TextOrNull(rc.StartSide),
		"position": NumberOrNull(rc.Position()), "original_position": max(rc.Position(), 1),
	}
	if rc.WholeFile {
		o["subject_type"] = "file"
	}
	if rc.ReplyTo != 0 {
		o["in_reply_to_id"] = rc.ReplyTo
	}
	return o
}
