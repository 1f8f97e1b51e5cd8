package simhttp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// suitesOf returns the suites of a commit, oldest first.
func (c *call) suitesOf(sha string) []*model.CheckSuite {
	return sim.SortedByID(c.State.CI.Suites, func(suite *model.CheckSuite) bool {
		return suite.Repo == c.repo &&
			suite.SHA == sha
	})
}

func (c named) suite() (*model.CheckSuite, error) {
	id, err := c.number("check_suite_id")
	if err != nil {
		return nil, err
	}
	if suite := c.State.CI.Suites[id]; suite != nil && suite.Repo == c.repo {
		return suite, nil
	}
	return nil, notFound()
}

func getSuite(c *call) (*answer, error) {
	suite, err := c.suite()
	if err != nil {
		return nil, err
	}
	return ok(c.suiteJSON(suite))
}

// listSuites lists the suites of a ref, of one App and with a check run of a name if the query says so.
func listSuites(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, model.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	name, app := c.query.Get("check_name"), c.query.Get("app_id")
	all := slices.DeleteFunc(c.suitesOf(sha), func(suite *model.CheckSuite) bool {
		named := func(run *model.CheckRun) bool { return run.Name == name }
		return name != "" && !slices.ContainsFunc(c.RunsOf(suite), named) || app != "" && app != itoa(c.SuiteAppID(suite))
	})
	return counted(c, "check_suites", all, c.suiteJSON)
}

// suiteAppJSON returns "integration", the App of a suite.
func (s checkForms) suiteAppJSON(suite *model.CheckSuite) model.Object {
	if suite.App == nil {
		return forms(s).jsonOf(s.App)
	}
	in, html := suite.App, s.Base+"/apps/"+suite.App.Slug
	return model.Object{"id": in.ID, "slug": in.Slug, "node_id": sim.NodeID("A", in.ID),
		"owner": forms(s).userJSON(in.Owner),
		"name":  in.Name, "description": nil, "external_url": html, "html_url": html, "created_at": stamp(in.Created),
		"updated_at": stamp(in.Created), "permissions": model.Object{"checks": "write", "metadata": "read"},
		"events": []string{}}
}

// suiteJSON returns "check-suite".
func (s checkForms) suiteJSON(suite *model.CheckSuite) model.Object {
	o := s.simpleSuiteJSON(suite)
	o["head_commit"] = s.simpleCommitJSON(suite.Repo, suite.SHA)
	o["latest_check_runs_count"] = len(sim.Checks(s).LatestOf(suite))
	o["check_runs_url"] = o["url"].(string) + "/check-runs"
	o["rerequestable"], o["runs_rerequestable"] = true, true
	return o
}

// simpleSuiteJSON returns "simple-check-suite", the form in the payloads of check runs.
func (s checkForms) simpleSuiteJSON(suite *model.CheckSuite) model.Object {
	status, conclusion := sim.Checks(s).SuiteState(suite)
	api := fmt.Sprintf("%s/check-suites/%d", sim.Pages(s).APIRepoURL(suite.Repo), suite.ID)
	return model.Object{"id": suite.ID, "node_id": sim.NodeID("CS", suite.ID), "head_branch": stringOrNull(suite.Branch),
		"head_sha": suite.SHA, "status": status, "conclusion": stringOrNull(conclusion), "url": api, "before": nil,
		"after": suite.SHA, "created_at": stamp(suite.Created), "updated_at": stamp(suite.Updated),
		"app": s.suiteAppJSON(suite), "repository": forms(s).repoJSON(suite.Repo),
		"pull_requests": s.pullsAt(suite.Repo, suite.SHA)}
}

// simpleCommitJSON returns "simple-commit".
func (s checkForms) simpleCommitJSON(r *model.Repository, sha string) any {
	ci, err := r.Git.Commit(sha)
	if err != nil {
		return nil
	}
	return model.Object{"id": ci.SHA, "tree_id": ci.Tree, "message": strings.TrimSuffix(ci.Message, "\n"),
		"timestamp": stamp(ci.Committer.When),
		"author":    model.Object{"name": ci.Author.Name, "email": ci.Author.Email},
		"committer": model.Object{"name": ci.Committer.Name, "email": ci.Committer.Email}}
}
