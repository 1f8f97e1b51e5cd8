package ghtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// suiteFor returns the suite of an App on a commit, which is made if there is none. A nil app is the App itself.
// Suites of GitHub Actions are made with their workflow runs.
func (s *Server) suiteFor(r *repository, sha string, app *integration) *checkSuite {
	if suite := s.suiteOf(r, sha, app); suite != nil {
		return suite
	}
	return s.addSuite(&checkSuite{repo: r, sha: sha, branch: s.branchAt(r, sha), app: app, by: s.pusherOf(r, sha)})
}

// suiteOf returns the suite of an App on a commit, or nil.
func (s *Server) suiteOf(r *repository, sha string, app *integration) *checkSuite {
	for _, suite := range s.state.ci.suites {
		if suite.repo == r && suite.sha == sha && suite.app == app && suite.run == nil {
			return suite
		}
	}
	return nil
}

func (s *Server) addSuite(suite *checkSuite) *checkSuite {
	suite.id, suite.created, suite.updated = s.state.id("check suite"), s.now(), s.now()
	s.state.ci.suites[suite.id] = suite
	return suite
}

// branchAt returns a branch that points to a commit, the default branch last, or "" if none does.
func (s *Server) branchAt(r *repository, sha string) string {
	refs, err := r.git.Refs("refs/heads/")
	if err != nil {
		return ""
	}
	at := ""
	for _, ref := range refs {
		if name := strings.TrimPrefix(ref.Name, "refs/heads/"); ref.SHA == sha && (at == "" || at == r.defaultBranch) {
			at = name
		}
	}
	return at
}

// pusherOf returns who is considered to have pushed a commit: its author, or else an admin.
func (s *Server) pusherOf(r *repository, sha string) *user {
	if commit, err := r.git.Commit(sha); err == nil {
		for _, u := range s.state.users {
			if strings.EqualFold(u.email(), commit.Author.Email) {
				return u
			}
		}
	}
	return s.adminOf(r.owner)
}

// requestSuites makes the suites of the App on the commits that were pushed: "By default, GitHub creates a check suite
// automatically when code is pushed to the repository", for each App that may write checks, and tells that App alone.
func (s *Server) requestSuites(r *repository, by *user) error {
	before := r.tips
	tips, err := r.git.Branches()
	if err != nil {
		return err
	}
	r.tips = tips
	in := s.state.installationFor(r)
	if in == nil || !(&token{permissions: in.permissions}).may("checks", "write") {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(tips)) {
		if sha := tips[name]; before[name] != sha && s.suiteOf(r, sha, nil) == nil {
			suite := s.addSuite(&checkSuite{repo: r, sha: sha, branch: name, by: by})
			if s.hook.url != "" {
				s.emitSuite("requested", suite, by)
			}
		}
	}
	return nil
}

// suitesOf returns the suites of a commit, oldest first.
func (c *call) suitesOf(sha string) []*checkSuite {
	return sortedByID(c.state.ci.suites, func(suite *checkSuite) bool { return suite.repo == c.repo && suite.sha == sha })
}

func (c *call) suite() (*checkSuite, error) {
	id, err := c.number("check_suite_id")
	if err != nil {
		return nil, err
	}
	if suite := c.state.ci.suites[id]; suite != nil && suite.repo == c.repo {
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
		return nil, unprocessable("No commit found for SHA: %s", c.vars["ref"])
	}
	name, app := c.query.Get("check_name"), c.query.Get("app_id")
	all := slices.DeleteFunc(c.suitesOf(sha), func(suite *checkSuite) bool {
		named := func(run *checkRun) bool { return run.name == name }
		return name != "" && !slices.ContainsFunc(c.runsOf(suite), named) || app != "" && app != itoa(c.suiteAppID(suite))
	})
	return counted(c, "check_suites", all, c.suiteJSON)
}

// suiteAppID returns the id of the App of a suite.
func (s *Server) suiteAppID(suite *checkSuite) int64 {
	if suite.app == nil {
		return s.app.id
	}
	return suite.app.id
}

// suiteAppJSON returns "integration", the App of a suite.
func (s *Server) suiteAppJSON(suite *checkSuite) object {
	if suite.app == nil {
		return s.jsonOf(s.app)
	}
	in, html := suite.app, s.base+"/apps/"+suite.app.slug
	return object{"id": in.id, "slug": in.slug, "node_id": nodeID("A", in.id), "owner": s.userJSON(in.owner),
		"name": in.name, "description": nil, "external_url": html, "html_url": html, "created_at": stamp(in.created),
		"updated_at": stamp(in.created), "permissions": object{"checks": "write", "metadata": "read"}, "events": []string{}}
}

// suiteJSON returns "check-suite".
func (s *Server) suiteJSON(suite *checkSuite) object {
	o := s.simpleSuiteJSON(suite)
	o["head_commit"] = s.simpleCommitJSON(suite.repo, suite.sha)
	o["latest_check_runs_count"] = len(s.latestOf(suite))
	o["check_runs_url"] = o["url"].(string) + "/check-runs"
	o["rerequestable"], o["runs_rerequestable"] = true, true
	return o
}

// simpleSuiteJSON returns "simple-check-suite", the form in the payloads of check runs.
func (s *Server) simpleSuiteJSON(suite *checkSuite) object {
	status, conclusion := s.suiteState(suite)
	api := fmt.Sprintf("%s/check-suites/%d", s.apiRepoURL(suite.repo), suite.id)
	return object{"id": suite.id, "node_id": nodeID("CS", suite.id), "head_branch": stringOrNull(suite.branch),
		"head_sha": suite.sha, "status": status, "conclusion": stringOrNull(conclusion), "url": api, "before": nil,
		"after": suite.sha, "created_at": stamp(suite.created), "updated_at": stamp(suite.updated),
		"app": s.suiteAppJSON(suite), "repository": s.repoJSON(suite.repo),
		"pull_requests": s.pullsAt(suite.repo, suite.sha)}
}

// simpleCommitJSON returns "simple-commit".
func (s *Server) simpleCommitJSON(r *repository, sha string) any {
	ci, err := r.git.Commit(sha)
	if err != nil {
		return nil
	}
	return object{"id": ci.SHA, "tree_id": ci.Tree, "message": strings.TrimSuffix(ci.Message, "\n"),
		"timestamp": stamp(ci.Committer.When),
		"author":    object{"name": ci.Author.Name, "email": ci.Author.Email},
		"committer": object{"name": ci.Committer.Name, "email": ci.Committer.Email}}
}
