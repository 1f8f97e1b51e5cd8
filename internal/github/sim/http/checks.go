package simhttp

import (
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

func createCheck(c *call) (*answer, error) {
	var in entity.CheckInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Name == nil:
		return nil, entity.NotSupplied("name")
	case in.HeadSHA == nil:
		return nil, entity.NotSupplied("head_sha")
	case c.token.Kind == entity.PersonalToken:
		return nil, entity.Refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	sha := *in.HeadSHA
	if !c.hasObject(sha, git.KindCommit) {
		return nil, entity.Unprocessable("No commit found for SHA: %s", sha)
	}
	run := &entity.CheckRun{Repo: c.repo, HeadSHA: sha, Status: "queued", Started: c.Now()}
	if err := run.Change(in, c.Now()); err != nil {
		return nil, err
	}
	c.AddCheck(run, c.SuiteFor(c.repo, sha, c.integration()))
	if run.Status == "completed" {
		c.CheckCompleted(run, c.sender())
	}
	return created(c.form.CheckRun(run))
}

func updateCheck(c *call) (*answer, error) {
	run, err := findCheckRun(c)
	if err != nil {
		return nil, err
	}
	var in entity.CheckInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if run.Suite.App != c.integration() || run.Suite.Run != nil {
		return nil, entity.Refuse(http.StatusForbidden,
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
	return ok(c.form.CheckRun(run))
}

func getCheck(c *call) (*answer, error) {
	run, err := findCheckRun(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.CheckRun(run))
}

func listAnnotations(c *call) (*answer, error) {
	run, err := findCheckRun(c)
	if err != nil {
		return nil, err
	}
	return paged(c, run.Annotations, func(a entity.Annotation) entity.Object {
		path := form.EscapePath(*a.Path)
		return entity.Object{"path": *a.Path, "start_line": *a.StartLine, "end_line": *a.EndLine,
			"start_column": a.StartColumn, "end_column": a.EndColumn, "annotation_level": a.Level, "message": *a.Message,
			"title": form.TextOrNull(a.Title), "raw_details": form.TextOrNull(a.RawDetails),
			"blob_href": c.repoURL() + "/git/blobs/" + run.HeadSHA + "/" + path}
	})
}

// listChecks lists the check runs of a ref: "filter: Filters check runs by their completed_at timestamp. latest returns
// the most recent check runs. Default: latest". The latest are those of each name in each suite.
func listChecks(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, entity.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	return c.pageOfChecks(c.suitesOf(sha)...)
}

// listChecksOfSuite lists the check runs of a suite, like listChecks.
func listChecksOfSuite(c *call) (*answer, error) {
	suite, err := findSuite(c)
	if err != nil {
		return nil, err
	}
	return c.pageOfChecks(suite)
}

func (c *call) pageOfChecks(suites ...*entity.CheckSuite) (*answer, error) {
	name, status, app := c.query.Get("check_name"), c.query.Get("status"), c.query.Get("app_id")
	all := []*entity.CheckRun{}
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
	slices.SortFunc(all, func(a, b *entity.CheckRun) int { return int(b.ID - a.ID) })
	return counted(c, "check_runs", all, c.form.CheckRun)
}

// suitesOf returns the suites of a commit, oldest first.
func (c *call) suitesOf(sha string) []*entity.CheckSuite {
	return sim.SortedByID(c.State.CI.Suites, func(suite *entity.CheckSuite) bool {
		return suite.Repo == c.repo &&
			suite.SHA == sha
	})
}

// integration returns the App of the check runs that the token makes; nil is the App itself.
func (c *call) integration() *entity.Integration {
	if c.token.Kind == entity.JobToken {
		return c.IntegrationOf(entity.ActionsApp)
	}
	return nil
}

// listSuites lists the suites of a ref, of one App and with a check run of a name if the query says so.
func listSuites(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, entity.Unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	name, app := c.query.Get("check_name"), c.query.Get("app_id")
	all := slices.DeleteFunc(c.suitesOf(sha), func(suite *entity.CheckSuite) bool {
		named := func(run *entity.CheckRun) bool { return run.Name == name }
		return name != "" && !slices.ContainsFunc(c.RunsOf(suite), named) || app != "" && app != itoa(c.SuiteAppID(suite))
	})
	return counted(c, "check_suites", all, c.form.CheckSuite)
}

func getSuite(c *call) (*answer, error) {
	suite, err := findSuite(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.CheckSuite(suite))
}
