package ghtest

import "fmt"

// checkJSON returns "check-run".
func (s *Server) checkJSON(run *checkRun) object {
	api := fmt.Sprintf("%s/check-runs/%d", s.apiRepoURL(run.repo), run.id)
	html := s.checkPage(run)
	return object{"id": run.id, "node_id": nodeID("CR", run.id), "name": run.name, "head_sha": run.headSHA,
		"external_id": run.externalID, "url": api, "html_url": html, "details_url": orElse(run.details, html),
		"status": run.status, "conclusion": stringOrNull(run.conclusion), "started_at": stamp(run.started),
		"completed_at": stampOrNull(run.completed), "check_suite": object{"id": run.suite.id},
		"app": s.suiteAppJSON(run.suite), "pull_requests": s.pullsAt(run.repo, run.headSHA),
		"output": object{"title": stringOrNull(run.title), "summary": run.summary, "text": run.text,
			"annotations_count": len(run.annotations), "annotations_url": api + "/annotations"}}
}

// checkPage returns the page of a check run; of a job of GitHub Actions, that of the job.
func (s *Server) checkPage(run *checkRun) string {
	if run.suite.run != nil {
		return fmt.Sprintf("%s/actions/runs/%d/job/%d", s.htmlRepoURL(run.repo), run.suite.run.id, run.id)
	}
	return fmt.Sprintf("%s/runs/%d", s.htmlRepoURL(run.repo), run.id)
}

// pullsAt returns the open pull requests of the same repository whose head is a commit.
func (s *Server) pullsAt(r *repository, sha string) []object {
	list := []object{}
	for _, is := range r.issues {
		p := is.pull
		if p == nil || !is.open || p.headRepo != r || p.headSHA != sha {
			continue
		}
		repo := object{"id": r.id, "name": r.name, "url": s.apiRepoURL(r)}
		list = append(list, object{"id": p.id, "number": is.number, "url": s.pullURL(is),
			"head": object{"ref": p.headRef, "sha": p.headSHA, "repo": repo}, "base": object{"ref": p.baseRef, "sha": p.baseSHA,
				"repo": repo}})
	}
	return list
}
