package simhttp

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func createCheck(c *call) (*answer, error) {
	var in model.CheckInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Name == nil:
		return nil, model.NotSupplied("name")
	case in.HeadSHA == nil:
		return nil, model.NotSupplied("head_sha")
	case c.token.Kind == model.PersonalToken:
		return nil, model.Refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	sha := *in.HeadSHA
	if !c.hasObject(sha, git.KindCommit) {
		return nil, model.Unprocessable("No commit found for SHA: %s", sha)
	}
	run := &model.CheckRun{Repo: c.repo, HeadSHA: sha, Status: "queued", Started: c.Now()}
	if err := run.Change(in, c.Now()); err != nil {
		return nil, err
	}
	c.AddCheck(run, c.SuiteFor(c.repo, sha, c.integration()))
	if run.Status == "completed" {
		c.CheckCompleted(run, c.sender())
	}
	return created(c.checkJSON(run))
}

func updateCheck(c *call) (*answer, error) {
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	var in model.CheckInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if run.Suite.App != c.integration() || run.Suite.Run != nil {
		return nil, model.Refuse(http.StatusForbidden,
			"Invalid app_id `%d` - check run can only be modified by the GitHub App "+
				"that created it.", c.App.ID)
	}
	was := run.Status
	changed := *run
	if err := changed.Change(in, c.Now()); err != nil {
		return nil, err
	}
	*run = changed
	if was != "completed" && run.Status == "completed" {
		c.CheckCompleted(run, c.sender())
	}
	return ok(c.checkJSON(run))
}

func (c named) checkRun() (*model.CheckRun, error) {
	id, err := c.number("check_run_id")
	if err != nil {
		return nil, err
	}
	if run := c.State.Checks[id]; run != nil && run.Repo == c.repo {
		return run, nil
	}
	return nil, notFound()
}

func getCheck(c *call) (*answer, error) {
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	return ok(c.checkJSON(run))
}

func listAnnotations(c *call) (*answer, error) {
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	return paged(c, run.Annotations, func(a model.Annotation) model.Object {
		path := escapePath(*a.Path)
		return model.Object{"path": *a.Path, "start_line": *a.StartLine, "end_line": *a.EndLine,
			"start_column": a.StartColumn,
			"end_column":   a.EndColumn, "annotation_level": a.Level, "message": *a.Message, "title": stringOrNull(a.Title),
			"raw_details": stringOrNull(a.RawDetails), "blob_href": c.repoURL() + "/git/blobs/" + run.HeadSHA + "/" + path}
	})
}

// listChecks lists the check runs of a ref: "filter: Filters check runs by their completed_at timestamp. latest returns
// the most recent check runs. Default: latest". The latest are those of each name in each suite.
func listChecks(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, model.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	return c.pageOfChecks(c.suitesOf(sha)...)
}

// listChecksOfSuite lists the check runs of a suite, like listChecks.
func listChecksOfSuite(c *call) (*answer, error) {
	suite, err := c.suite()
	if err != nil {
		return nil, err
	}
	return c.pageOfChecks(suite)
}

func (c *call) pageOfChecks(suites ...*model.CheckSuite) (*answer, error) {
	name, status, app := c.query.Get("check_name"), c.query.Get("status"), c.query.Get("app_id")
	all := []*model.CheckRun{}
	for _, suite := range suites {
		runs := c.LatestOf(suite)
		if c.query.Get("filter") == "all" {
			runs = c.RunsOf(suite)
		}
		for _, run := range runs {
			if (name == "" || name == run.Name) && (status == "" || status == run.Status) &&
				(app == "" || app == itoa(c.SuiteAppID(suite))) {
				all = append(all, run)
			}
		}
	}
	slices.SortFunc(all, func(a, b *model.CheckRun) int { return int(b.ID - a.ID) })
	return counted(c, "check_runs", all, c.checkJSON)
}
