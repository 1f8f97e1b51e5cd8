package simhttp

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// checkJSON returns "check-run".
func (s checkForms) checkJSON(run *model.CheckRun) model.Object {
	api := fmt.Sprintf("%s/check-runs/%d", sim.Pages(s).APIRepoURL(run.Repo), run.ID)
	html := sim.Pages(s).CheckPage(run)
	return model.Object{"id": run.ID, "node_id": sim.NodeID("CR", run.ID), "name": run.Name, "head_sha": run.HeadSHA,
		"external_id": run.ExternalID, "url": api, "html_url": html, "details_url": model.OrElse(run.Details, html),
		"status": run.Status, "conclusion": stringOrNull(run.Conclusion), "started_at": stamp(run.Started),
		"completed_at": stampOrNull(run.Completed), "check_suite": model.Object{"id": run.Suite.ID},
		"app": s.suiteAppJSON(run.Suite), "pull_requests": s.pullsAt(run.Repo, run.HeadSHA),
		"output": model.Object{"title": stringOrNull(run.Title), "summary": run.Summary, "text": run.Text,
			"annotations_count": len(run.Annotations), "annotations_url": api + "/annotations"}}
}

// pullsAt returns the open pull requests of the same repository whose head is a commit.
func (s checkForms) pullsAt(r *model.Repository, sha string) []model.Object {
	list := []model.Object{}
	for _, is := range r.Issues {
		p := is.Pull
		if p == nil || !is.Open || p.HeadRepo != r || p.HeadSHA != sha {
			continue
		}
		repo := model.Object{"id": r.ID, "name": r.Name, "url": sim.Pages(s).APIRepoURL(r)}
		list = append(list, model.Object{"id": p.ID, "number": is.Number, "url": sim.Pages(s).PullURL(is),
			"head": model.Object{"ref": p.HeadRef, "sha": p.HeadSHA, "repo": repo}, "base": model.Object{"ref": p.BaseRef,
				"sha":  p.BaseSHA,
				"repo": repo}})
	}
	return list
}
