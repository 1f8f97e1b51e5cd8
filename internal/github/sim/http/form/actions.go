package form

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// WorkflowRun returns "workflow-run".
func (s Checks) WorkflowRun(run *entity.WorkflowRun) entity.Object {
	r := run.Suite.Repo
	api := fmt.Sprintf("%s/actions/runs/%d", s.RepoURL(r), run.ID)
	var previous any
	if run.Attempt > 1 {
		previous = fmt.Sprintf("%s/attempts/%d", api, run.Attempt-1)
	}
	title := run.Workflow.Name
	commit := s.simpleCommit(r, run.Suite.SHA)
	if o, is := commit.(entity.Object); is && run.Event == "push" {
		title, _, _ = strings.Cut(o["message"].(string), "\n")
	}
	return entity.Object{"id": run.ID, "node_id": sim.NodeID("WFR", run.ID), "name": run.Workflow.Name,
		"display_title": title, "head_branch": TextOrNull(run.Suite.Branch), "head_sha": run.Suite.SHA,
		"path": run.Workflow.Path, "run_number": run.Number, "run_attempt": run.Attempt, "event": run.Event,
		"status": run.Status, "conclusion": TextOrNull(run.Conclusion), "workflow_id": run.Workflow.ID,
		"check_suite_id": run.Suite.ID, "check_suite_node_id": sim.NodeID("CS", run.Suite.ID), "url": api,
		"html_url": s.RunPage(run), "created_at": Time(run.Created), "updated_at": Time(run.Updated),
		"run_started_at": Time(run.Started), "jobs_url": api + "/jobs", "logs_url": api + "/logs",
		"cancel_url": api + "/cancel", "rerun_url": api + "/rerun", "artifacts_url": api + "/artifacts",
		"previous_attempt_url": previous, "check_suite_url": fmt.Sprintf("%s/check-suites/%d", s.RepoURL(r), run.Suite.ID),
		"workflow_url": fmt.Sprintf("%s/actions/workflows/%d", s.RepoURL(r), run.Workflow.ID), "actor": s.User(run.Actor),
		"triggering_actor": s.User(run.Actor), "head_commit": commit, "repository": s.Repository(r),
		"head_repository": s.Repository(r), "referenced_workflows": []entity.Object{},
		"pull_requests": s.pullsAt(r, run.Suite.SHA)}
}

// Workflow returns "workflow".
func (s Checks) Workflow(w *entity.Workflow) entity.Object {
	api, state := fmt.Sprintf("%s/actions/workflows/%d", s.RepoURL(w.Repo), w.ID), "active"
	if w.Disabled {
		state = "disabled_manually"
	}
	html := s.RepoPage(w.Repo)
	return entity.Object{"id": w.ID, "node_id": sim.NodeID("W", w.ID), "name": w.Name, "path": w.Path, "state": state,
		"url": api, "html_url": html + "/blob/" + w.Repo.DefaultBranch + "/" + EscapePath(w.Path),
		"badge_url": html + "/workflows/" + EscapePath(w.Name) + "/badge.svg", "created_at": Time(w.Created),
		"updated_at": Time(w.Created)}
}

// Job returns "job".
func (s Checks) Job(j *entity.Job) entity.Object {
	r, check := j.Run.Suite.Repo, j.Check
	steps := make([]entity.Object, len(j.Steps))
	for i, st := range j.Steps {
		steps[i] = entity.Object{"number": i + 1, "name": st.Name, "status": "completed", "conclusion": st.Conclusion,
			"started_at": Time(st.Started), "completed_at": Time(st.Completed)}
	}
	o := entity.Object{"id": check.ID, "node_id": sim.NodeID("CR", check.ID), "run_id": j.Run.ID, "run_attempt": j.Attempt,
		"run_url": fmt.Sprintf("%s/actions/runs/%d", s.RepoURL(r), j.Run.ID),
		"url":     fmt.Sprintf("%s/actions/jobs/%d", s.RepoURL(r), check.ID), "html_url": s.CheckPage(check),
		"check_run_url": fmt.Sprintf("%s/check-runs/%d",
			s.RepoURL(r), check.ID),
		"head_sha": check.HeadSHA, "head_branch": TextOrNull(j.Run.Suite.Branch), "name": check.Name,
		"workflow_name": j.Run.Workflow.Name, "status": check.Status, "conclusion": TextOrNull(check.Conclusion),
		"created_at": Time(j.Created), "started_at": Time(check.Started), "completed_at": TimeOrNull(check.Completed),
		"steps": steps, "labels": []string{"ubuntu-latest"}, "runner_id": nil, "runner_name": nil, "runner_group_id": nil,
		"runner_group_name": nil}
	if check.Status != "queued" {
		o["runner_id"], o["runner_name"], o["runner_group_id"], o["runner_group_name"] = 1, "GitHub Actions 1", 0,
			"GitHub Actions"
	}
	return o
}
