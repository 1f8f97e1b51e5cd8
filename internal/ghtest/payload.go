package ghtest

import "maps"

// The payloads of the events, by GitHub's "Webhook events and payloads". emit adds the fields of all events.

func (s *Server) emitComment(action string, co *comment, by *user, changes object) {
	if !s.delivers("issue_comment", action, co.issue.repo) {
		return
	}
	p := object{"issue": s.issueJSON(co.issue), "comment": s.commentJSON(co)}
	s.emitWith("issue_comment", action, co.issue.repo, co.id, by, p, changes)
}

func (s *Server) emitReviewComment(action string, rc *reviewComment, by *user, changes object) {
	if !s.delivers("pull_request_review_comment", action, rc.issue.repo) {
		return
	}
	p := object{"pull_request": s.pullJSON(rc.issue, true), "comment": s.reviewCommentJSON(rc)}
	s.emitWith("pull_request_review_comment", action, rc.issue.repo, rc.id, by, p, changes)
}

func (s *Server) emitIssue(action string, is *issue, by *user, extra object) {
	if !s.delivers("issues", action, is.repo) {
		return
	}
	p := object{"issue": s.issueJSON(is)}
	maps.Copy(p, extra)
	s.emit("issues", action, is.repo, is.id, by, p)
}

func (s *Server) emitPull(action string, is *issue, by *user, extra object) {
	if !s.delivers("pull_request", action, is.repo) {
		return
	}
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
	if !s.delivers("check_run", action, run.repo) {
		return
	}
	o := s.checkJSON(run)
	o["check_suite"] = s.simpleSuiteJSON(run.suite)
	p := object{"check_run": o}
	maps.Copy(p, extra)
	s.emit("check_run", action, run.repo, run.id, by, p)
}

func (s *Server) emitSuite(action string, suite *checkSuite, by *user) {
	if !s.delivers("check_suite", action, suite.repo) {
		return
	}
	s.emit("check_suite", action, suite.repo, suite.id, by, object{"check_suite": s.suiteJSON(suite)})
}

func (s *Server) emitWorkflowRun(action string, run *workflowRun) {
	if !s.delivers("workflow_run", action, run.suite.repo) {
		return
	}
	p := object{"workflow_run": s.workflowRunJSON(run), "workflow": s.workflowJSON(run.workflow)}
	s.emit("workflow_run", action, run.suite.repo, run.id, run.actor, p)
}

func (s *Server) emitJob(action string, j *job) {
	if !s.delivers("workflow_job", action, j.run.suite.repo) {
		return
	}
	p := object{"workflow_job": s.jobJSON(j)}
	s.emit("workflow_job", action, j.run.suite.repo, j.check.id, j.run.actor, p)
}

// emitStatus emits a status, which has no action.
func (s *Server) emitStatus(st *commitStatus) {
	r := st.repo
	if !s.delivers("status", "", r) {
		return
	}
	c := call{Server: s, repo: r}
	commit, err := r.git.Commit(st.sha)
	if err != nil {
		s.log.Error("fake GitHub", "error", err)
		return
	}
	branches := []object{}
	if name := s.branchAt(r, st.sha); name != "" {
		branches = append(branches, c.branchJSON(name, st.sha))
	}
	p := s.statusJSON(st)
	for _, field := range []string{"node_id", "url", "creator"} {
		delete(p, field)
	}
	p["name"], p["sha"], p["branches"], p["commit"] = r.fullName(), st.sha, branches, c.commitJSON(commit)
	s.emit("status", "", r, st.id, st.creator, p)
}
