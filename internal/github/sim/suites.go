package sim

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// suites makes the check suites of Apps on commits.
type suites struct{ *entity.Core }

// IntegrationOf returns another App by its slug, as if it were installed everywhere.
func (s suites) IntegrationOf(slug string) *entity.Integration {
	ci := &s.State.CI
	if in := ci.Apps[slug]; in != nil {
		return in
	}
	in := &entity.Integration{ID: 15368 + int64(len(ci.Apps)), Slug: slug, Name: slug, Created: s.App.Created,
		Owner: s.App.Owner}
	if slug == entity.ActionsApp {
		in.Name = "GitHub Actions"
	}
	ci.Apps[slug] = in
	return in
}

// SuiteAppID returns the id of the App of a suite.
func (s suites) SuiteAppID(suite *entity.CheckSuite) int64 {
	if suite.App == nil {
		return s.App.ID
	}
	return suite.App.ID
}

// SuiteFor returns the suite of an App on a commit, which is made if there is none. A nil app is the App itself.
// Suites of GitHub Actions are made with their workflow runs.
func (s suites) SuiteFor(r *entity.Repository, sha string, app *entity.Integration) *entity.CheckSuite {
	if suite := s.suiteOf(r, sha, app); suite != nil {
		return suite
	}
	return s.addSuite(&entity.CheckSuite{Repo: r, SHA: sha, Branch: s.BranchAt(r, sha), App: app, By: s.pusherOf(r, sha)})
}

// suiteOf returns the suite of an App on a commit, or nil.
func (s suites) suiteOf(r *entity.Repository, sha string, app *entity.Integration) *entity.CheckSuite {
	for _, suite := range s.State.CI.Suites {
		if suite.Repo == r && suite.SHA == sha && suite.App == app && suite.Run == nil {
			return suite
		}
	}
	return nil
}

// addSuite adds a suite, with its id and times.
func (s suites) addSuite(suite *entity.CheckSuite) *entity.CheckSuite {
	suite.ID, suite.Created, suite.Updated = s.State.ID("check suite"), s.Now(), s.Now()
	s.State.CI.Suites[suite.ID] = suite
	return suite
}

// requestSuites makes the suites of the App on the commits that were pushed: "By default, GitHub creates a check suite
// automatically when code is pushed to the repository", for each App that may write checks, and tells that App alone.
func (s suites) requestSuites(r *entity.Repository, actor *entity.User) error {
	before := r.Tips
	tips, err := r.Git.Branches()
	if err != nil {
		return err
	}
	r.Tips = tips
	in := s.State.InstallationFor(r)
	if in == nil || !in.May("checks", "write") {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(tips)) {
		if sha := tips[name]; before[name] != sha && s.suiteOf(r, sha, nil) == nil {
			suite := s.addSuite(&entity.CheckSuite{Repo: r, SHA: sha, Branch: name, By: actor})
			s.Events.EmitSuite("requested", suite, actor)
		}
	}
	return nil
}

// BranchAt returns a branch that points to a commit, the default branch last, or "" if none does.
func (s suites) BranchAt(r *entity.Repository, sha string) string {
	refs, err := r.Git.Refs("refs/heads/")
	if err != nil {
		return ""
	}
	at := ""
	for _, ref := range refs {
		if name := strings.TrimPrefix(ref.Name, "refs/heads/"); ref.SHA == sha && (at == "" || at == r.DefaultBranch) {
			at = name
		}
	}
	return at
}

// pusherOf returns who is considered to have pushed a commit: its author, or else an admin.
func (s suites) pusherOf(r *entity.Repository, sha string) *entity.User {
	if commit, err := r.Git.Commit(sha); err == nil {
		for _, u := range s.State.Users {
			if strings.EqualFold(u.Email(), commit.Author.Email) {
				return u
			}
		}
	}
	return s.AdminOf(r.Owner)
}
