package simhttp

import (
	"maps"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (s payloads) EmitComment(action string, co *model.Comment, by *model.User, changes model.Object) {
	if !s.delivers("issue_comment", action, co.Issue.Repo) {
		return
	}
	p := model.Object{"issue": s.issueJSON(co.Issue), "comment": s.commentJSON(co)}
	s.emitWith("issue_comment", action, co.Issue.Repo, co.ID, by, p, changes)
}

func (s payloads) EmitReviewComment(action string, rc *model.ReviewComment, by *model.User, changes model.Object) {
	if !s.delivers("pull_request_review_comment", action, rc.Issue.Repo) {
		return
	}
	p := model.Object{"pull_request": s.pullJSON(rc.Issue, true), "comment": s.reviewCommentJSON(rc)}
	s.emitWith("pull_request_review_comment", action, rc.Issue.Repo, rc.ID, by, p, changes)
}

func (s payloads) EmitIssue(action string, is *model.Issue, by *model.User, extra model.Object) {
	if !s.delivers("issues", action, is.Repo) {
		return
	}
	p := model.Object{"issue": s.issueJSON(is)}
	maps.Copy(p, extra)
	s.Emit("issues", action, is.Repo, is.ID, by, p)
}

func (s payloads) EmitPull(action string, is *model.Issue, by *model.User, extra model.Object) {
	if !s.delivers("pull_request", action, is.Repo) {
		return
	}
	p := model.Object{"number": is.Number, "pull_request": s.pullJSON(is, false)}
	maps.Copy(p, extra)
	s.Emit("pull_request", action, is.Repo, is.Pull.ID, by, p)
}

// emitThread emits an event that issues and pull requests have in common.
func (s payloads) EmitThread(action string, is *model.Issue, by *model.User, extra model.Object) {
	is.Updated = s.Now()
	if is.Pull != nil {
		s.EmitPull(action, is, by, extra)
		return
	}
	s.EmitIssue(action, is, by, extra)
}

func (s payloads) emitWith(event, action string, r *model.Repository, subject int64, by *model.User, p,
	changes model.Object) {
	if changes != nil {
		p["changes"] = changes
	}
	s.Emit(event, action, r, subject, by, p)
}

func (s payloads) EmitCheck(action string, run *model.CheckRun, by *model.User, extra model.Object) {
	if !s.delivers("check_run", action, run.Repo) {
		return
	}
	o := s.checkJSON(run)
	o["check_suite"] = s.simpleSuiteJSON(run.Suite)
	p := model.Object{"check_run": o}
	maps.Copy(p, extra)
	s.Emit("check_run", action, run.Repo, run.ID, by, p)
}

func (s payloads) EmitSuite(action string, suite *model.CheckSuite, by *model.User) {
	if !s.delivers("check_suite", action, suite.Repo) {
		return
	}
	s.Emit("check_suite", action, suite.Repo, suite.ID, by, model.Object{"check_suite": s.suiteJSON(suite)})
}

func (s payloads) EmitWorkflowRun(action string, run *model.WorkflowRun) {
	if !s.delivers("workflow_run", action, run.Suite.Repo) {
		return
	}
	p := model.Object{"workflow_run": s.workflowRunJSON(run), "workflow": s.workflowJSON(run.Workflow)}
	s.Emit("workflow_run", action, run.Suite.Repo, run.ID, run.Actor, p)
}

func (s payloads) EmitJob(action string, j *model.Job) {
	if !s.delivers("workflow_job", action, j.Run.Suite.Repo) {
		return
	}
	p := model.Object{"workflow_job": s.jobJSON(j)}
	s.Emit("workflow_job", action, j.Run.Suite.Repo, j.Check.ID, j.Run.Actor, p)
}

// emitStatus emits a status, which has no action.
func (s payloads) EmitStatus(st *model.CommitStatus) {
	r := st.Repo
	if !s.delivers("status", "", r) {
		return
	}
	c := callOn(s.Server, r)
	commit, err := r.Git.Commit(st.SHA)
	if err != nil {
		s.Log.Error("fake GitHub", "error", err)
		return
	}
	branches := []model.Object{}
	if name := s.BranchAt(r, st.SHA); name != "" {
		branches = append(branches, c.branchJSON(name, st.SHA))
	}
	p := s.statusJSON(st)
	for _, field := range []string{"node_id", "url", "creator"} {
		delete(p, field)
	}
	p["name"], p["sha"], p["branches"], p["commit"] = r.FullName(), st.SHA, branches, c.commitJSON(commit)
	s.Emit("status", "", r, st.ID, st.Creator, p)
}
