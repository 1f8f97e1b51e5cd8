package simhttp

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// workflowRunJSON returns "workflow-run".
func (s checkForms) workflowRunJSON(run *model.WorkflowRun) model.Object {
	r := run.Suite.Repo
	api := fmt.Sprintf("%s/actions/runs/%d", sim.Pages(s).APIRepoURL(r), run.ID)
	var previous any
	if run.Attempt > 1 {
		previous = fmt.Sprintf("%s/attempts/%d", api, run.Attempt-1)
	}
	title := run.Workflow.Name
	commit := s.simpleCommitJSON(r, run.Suite.SHA)
	if o, is := commit.(model.Object); is && run.Event == "push" {
		title, _, _ = strings.Cut(o["message"].(string), "\n")
	}
	return model.Object{"id": run.ID, "node_id": sim.NodeID("WFR", run.ID), "name": run.Workflow.Name,
		"display_title": title,
		"head_branch":   stringOrNull(run.Suite.Branch), "head_sha": run.Suite.SHA, "path": run.Workflow.Path,
		"run_number": run.Number, "run_attempt": run.Attempt, "event": run.Event, "status": run.Status,
		"conclusion": stringOrNull(run.Conclusion), "workflow_id": run.Workflow.ID, "check_suite_id": run.Suite.ID,
		"check_suite_node_id": sim.NodeID("CS", run.Suite.ID), "url": api, "html_url": sim.Pages(s).RunPage(run),
		"created_at": stamp(run.Created), "updated_at": stamp(run.Updated), "run_started_at": stamp(run.Started),
		"jobs_url": api + "/jobs", "logs_url": api + "/logs", "cancel_url": api + "/cancel", "rerun_url": api + "/rerun",
		"artifacts_url": api + "/artifacts", "previous_attempt_url": previous,
		"check_suite_url": fmt.Sprintf("%s/check-suites/%d", sim.Pages(s).APIRepoURL(r), run.Suite.ID),
		"workflow_url":    fmt.Sprintf("%s/actions/workflows/%d", sim.Pages(s).APIRepoURL(r), run.Workflow.ID),
		"actor":           forms(s).userJSON(run.Actor), "triggering_actor": forms(s).userJSON(run.Actor),
		"head_commit": commit,
		"repository":  forms(s).repoJSON(r), "head_repository": forms(s).repoJSON(r), "referenced_workflows": []model.Object{},
		"pull_requests": s.pullsAt(r, run.Suite.SHA)}
}

// workflowJSON returns "workflow".
func (s checkForms) workflowJSON(w *model.Workflow) model.Object {
	api, state := fmt.Sprintf("%s/actions/workflows/%d", sim.Pages(s).APIRepoURL(w.Repo), w.ID), "active"
	if w.Disabled {
		state = "disabled_manually"
	}
	html := sim.Pages(s).HTMLRepoURL(w.Repo)
	return model.Object{"id": w.ID, "node_id": sim.NodeID("W", w.ID), "name": w.Name, "path": w.Path, "state": state,
		"url":        api,
		"html_url":   html + "/blob/" + w.Repo.DefaultBranch + "/" + escapePath(w.Path),
		"badge_url":  html + "/workflows/" + escapePath(w.Name) + "/badge.svg",
		"created_at": stamp(w.Created), "updated_at": stamp(w.Created)}
}

// jobJSON returns "job".
func (s checkForms) jobJSON(j *model.Job) model.Object {
	r, check := j.Run.Suite.Repo, j.Check
	steps := make([]model.Object, len(j.Steps))
	for i, st := range j.Steps {
		steps[i] = model.Object{"number": i + 1, "name": st.Name, "status": "completed", "conclusion": st.Conclusion,
			"started_at": stamp(st.Started), "completed_at": stamp(st.Completed)}
	}
	o := model.Object{"id": check.ID, "node_id": sim.NodeID("CR", check.ID), "run_id": j.Run.ID, "run_attempt": j.Attempt,
		"run_url":  fmt.Sprintf("%s/actions/runs/%d", sim.Pages(s).APIRepoURL(r), j.Run.ID),
		"url":      fmt.Sprintf("%s/actions/jobs/%d", sim.Pages(s).APIRepoURL(r), check.ID),
		"html_url": sim.Pages(s).CheckPage(check), "check_run_url": fmt.Sprintf("%s/check-runs/%d",
			sim.Pages(s).APIRepoURL(r), check.ID),
		"head_sha": check.HeadSHA, "head_branch": stringOrNull(j.Run.Suite.Branch), "name": check.Name,
		"workflow_name": j.Run.Workflow.Name, "status": check.Status, "conclusion": stringOrNull(check.Conclusion),
		"created_at": stamp(j.Created), "started_at": stamp(check.Started), "completed_at": stampOrNull(check.Completed),
		"steps": steps, "labels": []string{"ubuntu-latest"}, "runner_id": nil, "runner_name": nil, "runner_group_id": nil,
		"runner_group_name": nil}
	if check.Status != "queued" {
		o["runner_id"], o["runner_name"], o["runner_group_id"], o["runner_group_name"] = 1, "GitHub Actions 1", 0,
			"GitHub Actions"
	}
	return o
}
