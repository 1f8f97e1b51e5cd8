package ghtest

import "maps"

// The payloads of the events, by GitHub's "Webhook events and payloads". emit adds the fields of all events.

func (s *Server) emitComment(action string, co *comment, by *user, changes object) {
	p := object{"issue": s.issueJSON(co.issue), "comment": s.commentJSON(co)}
	s.emitWith("issue_comment", action, co.issue.repo, co.id, by, p, changes)
}

func (s *Server) emitReviewComment(action string, rc *reviewComment, by *user, changes object) {
	p := object{"pull_request": s.pullJSON(rc.issue, true), "comment": s.reviewCommentJSON(rc)}
	s.emitWith("pull_request_review_comment", action, rc.issue.repo, rc.id, by, p, changes)
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

// emitThread emits an event that issues and pull requests have in common.
func (s *Server) emitThread(action string, is *issue, by *user, extra object) {
	is.updated = s.now()
	if is.pull != nil {
		s.emitPull(action, is, by, extra)
		return
	}
	s.emitIssue(action, is, by, extra)
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
