package ghtest

import (
	"net/http"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// checkRun is a check run, of the App or of another one.
type checkRun struct {
	id                  int64
	repo                *repository
	suite               *checkSuite
	headSHA, name       string
	externalID, details string
	status, conclusion  string
	started             time.Time
	completed           *time.Time
	title               string
	summary, text       *string
	annotations         []annotation
	actions             []checkAction
}

type annotation struct {
	Path        *string `json:"path"`
	StartLine   *int    `json:"start_line"`
	EndLine     *int    `json:"end_line"`
	StartColumn *int    `json:"start_column"`
	EndColumn   *int    `json:"end_column"`
	Level       string  `json:"annotation_level"`
	Message     *string `json:"message"`
	Title       string  `json:"title"`
	RawDetails  string  `json:"raw_details"`
}

type checkAction struct {
	Label       *string `json:"label"`
	Description *string `json:"description"`
	Identifier  *string `json:"identifier"`
}

// checkInput is the body of both operations. Absent fields are not changed.
type checkInput struct {
	Name        *string        `json:"name"`
	HeadSHA     *string        `json:"head_sha"`
	DetailsURL  *string        `json:"details_url"`
	ExternalID  *string        `json:"external_id"`
	Status      *string        `json:"status"`
	StartedAt   *time.Time     `json:"started_at"`
	Conclusion  *string        `json:"conclusion"`
	CompletedAt *time.Time     `json:"completed_at"`
	Output      *checkOutput   `json:"output"`
	Actions     *[]checkAction `json:"actions"`
}

type checkOutput struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []annotation `json:"annotations"`
}

func createCheck(c *call) (*answer, error) {
	var in checkInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Name == nil:
		return nil, notSupplied("name")
	case in.HeadSHA == nil:
		return nil, notSupplied("head_sha")
	case c.token.kind == personalToken:
		return nil, refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	sha := *in.HeadSHA
	if !c.hasObject(sha, git.KindCommit) {
		return nil, unprocessable("No commit found for SHA: %s", sha)
	}
	run := &checkRun{repo: c.repo, headSHA: sha, status: "queued", started: c.now()}
	if err := run.change(in, c.now()); err != nil {
		return nil, err
	}
	c.addCheck(run, c.suiteFor(c.repo, sha, c.integration()))
	if run.status == "completed" {
		c.checkCompleted(run, c.sender())
	}
	return created(c.checkJSON(run))
}

// addCheck adds a check run to a suite.
func (s *Server) addCheck(run *checkRun, suite *checkSuite) {
	run.id, run.suite, suite.updated = s.state.id("check run"), suite, s.now()
	s.state.checks[run.id] = run
	s.emitCheck("created", run, s.checkSender(suite), nil)
}

// checkSender returns the sender of the events of a suite's check runs.
func (s *Server) checkSender(suite *checkSuite) *user {
	if suite.app == nil {
		return s.app.bot
	}
	return suite.by
}

// checkCompleted delivers that a check run has completed, and its suite if it was the last one. A suite of GitHub
// Actions completes with its workflow run.
func (s *Server) checkCompleted(run *checkRun, by *user) {
	s.emitCheck("completed", run, by, nil)
	run.suite.updated = s.now()
	if status, _ := s.suiteState(run.suite); status == "completed" && run.suite.run == nil {
		s.emitSuite("completed", run.suite, run.suite.by)
	}
}

func updateCheck(c *call) (*answer, error) {
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	var in checkInput
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if run.suite.app != c.integration() || run.suite.run != nil {
		return nil, refuse(http.StatusForbidden, "Invalid app_id `%d` - check run can only be modified by the GitHub App "+
			"that created it.", c.app.id)
	}
	was := run.status
	changed := *run
	if err := changed.change(in, c.now()); err != nil {
		return nil, err
	}
	*run = changed
	if was != "completed" && run.status == "completed" {
		c.checkCompleted(run, c.sender())
	}
	return ok(c.checkJSON(run))
}

// change sets the fields of the body, or returns an error and changes nothing. "Providing conclusion will automatically
// set the status parameter to completed." Annotations are added to the existing ones; all other fields are replaced.
func (run *checkRun) change(in checkInput, now time.Time) error {
	if err := in.check(); err != nil {
		return err
	}
	set(&run.name, in.Name)
	set(&run.details, in.DetailsURL)
	set(&run.externalID, in.ExternalID)
	set(&run.status, in.Status)
	set(&run.conclusion, in.Conclusion)
	set(&run.started, in.StartedAt)
	switch {
	case in.Conclusion != nil || in.CompletedAt != nil && run.conclusion != "":
		run.status, run.completed = "completed", &now
		if in.CompletedAt != nil {
			run.completed = in.CompletedAt
		}
	case run.status == "completed" && run.conclusion == "":
		return notSupplied("conclusion")
	case in.Status != nil && *in.Status != "completed":
		run.conclusion, run.completed = "", nil
	}
	if in.Output != nil {
		set(&run.title, in.Output.Title)
		run.summary, run.text = in.Output.Summary, in.Output.Text
		run.annotations = append(slices.Clone(run.annotations), in.Output.Annotations...)
	}
	if in.Actions != nil {
		run.actions = *in.Actions
	}
	return nil
}

func set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

func (c *call) checkRun() (*checkRun, error) {
	id, err := c.number("check_run_id")
	if err != nil {
		return nil, err
	}
	if run := c.state.checks[id]; run != nil && run.repo == c.repo {
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
	return paged(c, run.annotations, func(a annotation) object {
		path := escapePath(*a.Path)
		return object{"path": *a.Path, "start_line": *a.StartLine, "end_line": *a.EndLine, "start_column": a.StartColumn,
			"end_column": a.EndColumn, "annotation_level": a.Level, "message": *a.Message, "title": stringOrNull(a.Title),
			"raw_details": stringOrNull(a.RawDetails), "blob_href": c.repoURL() + "/git/blobs/" + run.headSHA + "/" + path}
	})
}

// listChecks lists the check runs of a ref: "filter: Filters check runs by their completed_at timestamp. latest returns
// the most recent check runs. Default: latest". The latest are those of each name in each suite.
func listChecks(c *call) (*answer, error) {
	sha := c.resolve(c.vars["ref"])
	if sha == "" {
		return nil, unprocessable("No commit found for SHA: %s", c.vars["ref"])
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

func (c *call) pageOfChecks(suites ...*checkSuite) (*answer, error) {
	name, status, app := c.query.Get("check_name"), c.query.Get("status"), c.query.Get("app_id")
	all := []*checkRun{}
	for _, suite := range suites {
		runs := c.latestOf(suite)
		if c.query.Get("filter") == "all" {
			runs = c.runsOf(suite)
		}
		for _, run := range runs {
			if (name == "" || name == run.name) && (status == "" || status == run.status) &&
				(app == "" || app == itoa(c.suiteAppID(suite))) {
				all = append(all, run)
			}
		}
	}
	slices.SortFunc(all, func(a, b *checkRun) int { return int(b.id - a.id) })
	return counted(c, "check_runs", all, c.checkJSON)
}
