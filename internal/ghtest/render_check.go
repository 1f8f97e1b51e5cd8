package ghtest

import "fmt"

// checkJSON returns "check-run".
func (s *Server) checkJSON(run *checkRun) object {
	api := fmt.Sprintf("%s/check-runs/%d", s.apiRepoURL(run.repo), run.id)
	html := fmt.Sprintf("%s/runs/%d", s.htmlRepoURL(run.repo), run.id)
	return object{"id": run.id, "node_id": nodeID("CR", run.id), "name": run.name, "head_sha": run.headSHA,
		"external_id": run.externalID, "url": api, "html_url": html, "details_url": orElse(run.details, html),
		"status": run.status, "conclusion": stringOrNull(run.conclusion), "started_at": stamp(run.started),
		"completed_at": stampOrNull(run.completed), "check_suite": object{"id": s.suiteOf(run)}, "app": s.appJSON(),
		"pull_requests": s.checkPulls(run), "output": object{"title": stringOrNull(run.title), "summary": run.summary,
			"text": run.text, "annotations_count": len(run.annotations), "annotations_url": api + "/annotations"}}
}

// suiteOf returns the check suite of a run. The App's runs of a commit have one suite.
func (s *Server) suiteOf(run *checkRun) int64 {
	first := run.id
	for _, other := range s.state.checks {
		if other.repo == run.repo && other.headSHA == run.headSHA {
			first = min(first, other.id)
		}
	}
	return first
}

// checkPulls returns the open pull requests of the same repository whose head is the run's commit.
func (s *Server) checkPulls(run *checkRun) []object {
	list := []object{}
	for _, is := range run.repo.issues {
		p := is.pull
		if p == nil || !is.open || p.headRepo != run.repo || p.headSHA != run.headSHA {
			continue
		}
		repo := object{"id": run.repo.id, "name": run.repo.name, "url": s.apiRepoURL(run.repo)}
		list = append(list, object{"id": p.id, "number": is.number, "url": s.pullURL(is),
			"head": object{"ref": p.headRef, "sha": p.headSHA, "repo": repo}, "base": object{"ref": p.baseRef, "sha": p.baseSHA,
				"repo": repo}})
	}
	return list
}
