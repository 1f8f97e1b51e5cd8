package form

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// CheckRun returns "check-run".
func (s Checks) CheckRun(run *entity.CheckRun) entity.Object {
	api := fmt.Sprintf("%s/check-runs/%d", s.RepoURL(run.Repo), run.ID)
	html := s.CheckPage(run)
	return entity.Object{"id": run.ID, "node_id": sim.NodeID("CR", run.ID), "name": run.Name, "head_sha": run.HeadSHA,
		"external_id": run.ExternalID, "url": api, "html_url": html, "details_url": entity.OrElse(run.Details, html),
		"status": run.Status, "conclusion": TextOrNull(run.Conclusion), "started_at": Time(run.Started),
		"completed_at": TimeOrNull(run.Completed), "check_suite": entity.Object{"id": run.Suite.ID},
		"app": s.SuiteApp(run.Suite), "pull_requests": s.pullsAt(run.Repo, run.HeadSHA),
		"output": entity.Object{"title": TextOrNull(run.Title), "summary": run.Summary, "text": run.Text,
			"annotations_count": len(run.Annotations), "annotations_url": api + "/annotations"}}
}

// CheckSuite returns "check-suite".
func (s Checks) CheckSuite(suite *entity.CheckSuite) entity.Object {
	o := s.SimpleCheckSuite(suite)
	o["head_commit"] = s.simpleCommit(suite.Repo, suite.SHA)
	o["latest_check_runs_count"] = len(sim.Checks{Core: s.Core}.LatestOf(suite))
	o["check_runs_url"] = o["url"].(string) + "/check-runs"
	o["rerequestable"], o["runs_rerequestable"] = true, true
	return o
}

// SimpleCheckSuite returns "simple-check-suite", the form in the payloads of check runs.
func (s Checks) SimpleCheckSuite(suite *entity.CheckSuite) entity.Object {
	status, conclusion := sim.Checks{Core: s.Core}.SuiteState(suite)
	api := fmt.Sprintf("%s/check-suites/%d", s.RepoURL(suite.Repo), suite.ID)
	return entity.Object{"id": suite.ID, "node_id": sim.NodeID("CS", suite.ID), "head_branch": TextOrNull(suite.Branch),
		"head_sha": suite.SHA, "status": status, "conclusion": TextOrNull(conclusion), "url": api, "before": nil,
		"after": suite.SHA, "created_at": Time(suite.Created), "updated_at": Time(suite.Updated), "app": s.SuiteApp(suite),
		"repository": s.Repository(suite.Repo), "pull_requests": s.pullsAt(suite.Repo, suite.SHA)}
}

// SuiteApp returns "integration", the App of a suite.
func (s Checks) SuiteApp(suite *entity.CheckSuite) entity.Object {
	if suite.App == nil {
		return s.Integration(s.App)
	}
	in, html := suite.App, s.Base+"/apps/"+suite.App.Slug
	return entity.Object{"id": in.ID, "slug": in.Slug, "node_id": sim.NodeID("A", in.ID), "owner": s.User(in.Owner),
		"name": in.Name, "description": nil, "external_url": html, "html_url": html, "created_at": Time(in.Created),
		"updated_at": Time(in.Created), "permissions": entity.Object{"checks": "write", "metadata": "read"},
		"events": []string{}}
}

// simpleCommit returns "simple-commit".
func (s Checks) simpleCommit(r *entity.Repository, sha string) any {
	ci, err := r.Git.Commit(sha)
	if err != nil {
		return nil
	}
	return entity.Object{"id": ci.SHA, "tree_id": ci.Tree, "message": strings.TrimSuffix(ci.Message, "\n"),
		"timestamp": Time(ci.Committer.When), "author": entity.Object{"name": ci.Author.Name, "email": ci.Author.Email},
		"committer": entity.Object{"name": ci.Committer.Name, "email": ci.Committer.Email}}
}

// pullsAt returns the open pull requests of the same repository whose head is a commit.
func (s Checks) pullsAt(r *entity.Repository, sha string) []entity.Object {
	list := []entity.Object{}
	for _, is := range r.Issues {
		p := is.Pull
		if p == nil || !is.Open || p.HeadRepo != r || p.HeadSHA != sha {
			continue
		}
		repo := entity.Object{"id": r.ID, "name": r.Name, "url": s.RepoURL(r)}
		list = append(list, entity.Object{"id": p.ID, "number": is.Number, "url": s.PullURL(is),
			"head": entity.Object{"ref": p.HeadRef, "sha": p.HeadSHA, "repo": repo}, "base": entity.Object{"ref": p.BaseRef,
				"sha":  p.BaseSHA,
				"repo": repo}})
	}
	return list
}

// Status returns "status".
func (s Checks) Status(st *entity.CommitStatus) entity.Object {
	return entity.Object{"id": st.ID, "node_id": sim.NodeID("SC", st.ID), "state": st.State, "context": st.Context,
		"description": TextOrNull(st.Description), "target_url": TextOrNull(st.Target),
		"url":        s.RepoURL(st.Repo) + "/statuses/" + st.SHA,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, st.Creator.ID), "created_at": Time(st.Created),
		"updated_at": Time(st.Created), "creator": s.User(st.Creator)}
}
