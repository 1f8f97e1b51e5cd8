package ghtest

import (
	"fmt"
	"strings"
)

// workflowRunJSON returns "workflow-run".
func (s *Server) workflowRunJSON(run *workflowRun) object {
	r := run.suite.repo
	api := fmt.Sprintf("%s/actions/runs/%d", s.apiRepoURL(r), run.id)
	var previous any
	if run.attempt > 1 {
		previous = fmt.Sprintf("%s/attempts/%d", api, run.attempt-1)
	}
	title := run.workflow.name
	commit := s.simpleCommitJSON(r, run.suite.sha)
	if o, is := commit.(object); is && run.event == "push" {
		title, _, _ = strings.Cut(o["message"].(string), "\n")
	}
	return object{"id": run.id, "node_id": nodeID("WFR", run.id), "name": run.workflow.name, "display_title": title,
		"head_branch": stringOrNull(run.suite.branch), "head_sha": run.suite.sha, "path": run.workflow.path,
		"run_number": run.number, "run_attempt": run.attempt, "event": run.event, "status": run.status,
		"conclusion": stringOrNull(run.conclusion), "workflow_id": run.workflow.id, "check_suite_id": run.suite.id,
		"check_suite_node_id": nodeID("CS", run.suite.id), "url": api, "html_url": s.runPage(run),
		"created_at": stamp(run.created), "updated_at": stamp(run.updated), "run_started_at": stamp(run.started),
		"jobs_url": api + "/jobs", "logs_url": api + "/logs", "cancel_url": api + "/cancel", "rerun_url": api + "/rerun",
		"artifacts_url": api + "/artifacts", "previous_attempt_url": previous,
		"check_suite_url": fmt.Sprintf("%s/check-suites/%d", s.apiRepoURL(r), run.suite.id),
		"workflow_url":    fmt.Sprintf("%s/actions/workflows/%d", s.apiRepoURL(r), run.workflow.id),
		"actor":           s.userJSON(run.actor), "triggering_actor": s.userJSON(run.actor), "head_commit": commit,
		"repository": s.repoJSON(r), "head_repository": s.repoJSON(r), "referenced_workflows": []object{},
		"pull_requests": s.pullsAt(r, run.suite.sha)}
}

func (s *Server) runPage(run *workflowRun) string {
	return fmt.Sprintf("%s/actions/runs/%d", s.htmlRepoURL(run.suite.repo), run.id)
}

// workflowJSON returns "workflow".
func (s *Server) workflowJSON(w *workflow) object {
	api, state := fmt.Sprintf("%s/actions/workflows/%d", s.apiRepoURL(w.repo), w.id), "active"
	if w.disabled {
		state = "disabled_manually"
	}
	html := s.htmlRepoURL(w.repo)
	return object{"id": w.id, "node_id": nodeID("W", w.id), "name": w.name, "path": w.path, "state": state, "url": api,
		"html_url":   html + "/blob/" + w.repo.defaultBranch + "/" + escapePath(w.path),
		"badge_url":  html + "/workflows/" + escapePath(w.name) + "/badge.svg",
		"created_at": stamp(w.created), "updated_at": stamp(w.created)}
}

// jobJSON returns "job".
func (s *Server) jobJSON(j *job) object {
	r, check := j.run.suite.repo, j.check
	steps := make([]object, len(j.steps))
	for i, st := range j.steps {
		steps[i] = object{"number": i + 1, "name": st.name, "status": "completed", "conclusion": st.conclusion,
			"started_at": stamp(st.started), "completed_at": stamp(st.completed)}
	}
	o := object{"id": check.id, "node_id": nodeID("CR", check.id), "run_id": j.run.id, "run_attempt": j.attempt,
		"run_url":  fmt.Sprintf("%s/actions/runs/%d", s.apiRepoURL(r), j.run.id),
		"url":      fmt.Sprintf("%s/actions/jobs/%d", s.apiRepoURL(r), check.id),
		"html_url": s.checkPage(check), "check_run_url": fmt.Sprintf("%s/check-runs/%d", s.apiRepoURL(r), check.id),
		"head_sha": check.headSHA, "head_branch": stringOrNull(j.run.suite.branch), "name": check.name,
		"workflow_name": j.run.workflow.name, "status": check.status, "conclusion": stringOrNull(check.conclusion),
		"created_at": stamp(j.created), "started_at": stamp(check.started), "completed_at": stampOrNull(check.completed),
		"steps": steps, "labels": []string{"ubuntu-latest"}, "runner_id": nil, "runner_name": nil, "runner_group_id": nil,
		"runner_group_name": nil}
	if check.status != "queued" {
		o["runner_id"], o["runner_name"], o["runner_group_id"], o["runner_group_name"] = 1, "GitHub Actions 1", 0,
			"GitHub Actions"
	}
	return o
}
