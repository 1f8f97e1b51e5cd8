package ghtest

import (
	"fmt"
	"maps"
)

// The payloads of the events, each as GitHub's "Webhook events and payloads" describes it; emit adds what all have.

func (s *Server) emitComment(action string, co *comment, by *user, changes object) {
	p := object{"issue": s.issueJSON(co.issue), "comment": s.commentJSON(co)}
	s.emitWith("issue_comment", action, co.issue.repo, co.id, by, p, changes)
}

func (s *Server) emitReviewComment(action string, rc *reviewComment, by *user, changes object) {
	p := object{"pull_request": s.pullJSON(rc.issue, true), "comment": s.reviewCommentJSON(rc)}
	s.emitWith("pull_request_review_comment", action, rc.issue.repo, rc.id, by, p, changes)
}

// emitReview: a single comment on a diff is a review too, without a text of its own.
func (s *Server) emitReview(action string, rv *review, by *user) {
	html := fmt.Sprintf("%s#pullrequestreview-%d", s.threadHTML(rv.issue), rv.id)
	p := object{"pull_request": s.pullJSON(rv.issue, true), "review": object{
		"id": rv.id, "node_id": nodeID("PRR", rv.id), "user": s.userJSON(rv.user), "body": nil, "commit_id": rv.commit,
		"submitted_at": stamp(rv.submitted), "state": "commented", "html_url": html, "pull_request_url": s.pullURL(rv.issue),
		"author_association": rv.issue.repo.association(rv.user),
		"_links":             object{"html": href(html), "pull_request": href(s.pullURL(rv.issue))}}}
	s.emit("pull_request_review", action, rv.issue.repo, rv.id, by, p)
}

func (s *Server) emitIssue(action string, is *issue, by *user, extra object) {
	p := object{"issue": s.issueJSON(is)}
	maps.Copy(p, extra)
	s.emit("issues", action, is.repo, is.id, by, p)
}

func (s *Server) emitPull(action string, is *issue, by *user, extra object) {
	p := object{"number": is.number, "pull_request": s.pullJSON(is, false)}
	maps.Copy(p, extra)
	s.emit("pull_request", action, is.repo, is.pull.id, by, p)
}

func (s *Server) emitWith(event, action string, r *repository, subject int64, by *user, p, changes object) {
	if changes != nil {
		p["changes"] = changes
	}
	s.emit(event, action, r, subject, by, p)
}

func (s *Server) emitCheck(action string, run *checkRun, by *user, extra object) {
	p := object{"check_run": s.checkJSON(run)}
	maps.Copy(p, extra)
	s.emit("check_run", action, run.repo, run.id, by, p)
}
