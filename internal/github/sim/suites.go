package sim

import (
	"maps"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// SuiteFor returns the suite of an App on a commit, which is made if there is none. A nil app is the App itself.
// Suites of GitHub Actions are made with their workflow runs.
func (s Checks) SuiteFor(r *model.Repository, sha string, app *model.Integration) *model.CheckSuite {
	if suite := s.suiteOf(r, sha, app); suite != nil {
		return suite
	}
	return s.addSuite(&model.CheckSuite{Repo: r, SHA: sha, Branch: s.BranchAt(r, sha), App: app, By: s.pusherOf(r, sha)})
}

// suiteOf returns the suite of an App on a commit, or nil.
func (s Checks) suiteOf(r *model.Repository, sha string, app *model.Integration) *model.CheckSuite {
	for _, suite := range s.State.CI.Suites {
		if suite.Repo == r && suite.SHA == sha && suite.App == app && suite.Run == nil {
			return suite
		}
	}
	return nil
}

func (s Checks) addSuite(suite *model.CheckSuite) *model.CheckSuite {
	suite.ID, suite.Created, suite.Updated = s.State.ID("check suite"), s.Now(), s.Now()
	s.State.CI.Suites[suite.ID] = suite
	return suite
}

// BranchAt returns a branch that points to a commit, the default branch last, or "" if none does.
func (s Checks) BranchAt(r *model.Repository, sha string) string {
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
func (s Checks) pusherOf(r *model.Repository, sha string) *model.User {
	if commit, err := r.Git.Commit(sha); err == nil {
		for _, u := range s.State.Users {
			if strings.EqualFold(u.Email(), commit.Author.Email) {
				return u
			}
		}
	}
	return people(s).AdminOf(r.Owner)
}

// requestSuites makes the suites of the App on the commits that were pushed: "By default, GitHub creates a check suite
// automatically when code is pushed to the repository", for each App that may write checks, and tells that App alone.
func (s Checks) requestSuites(r *model.Repository, by *model.User) error {
	before := r.Tips
	tips, err := r.Git.Branches()
	if err != nil {
		return err
	}
	r.Tips = tips
	in := s.State.InstallationFor(r)
	if in == nil || !(&model.Token{Permissions: in.Permissions}).May("checks", "write") {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(tips)) {
		if sha := tips[name]; before[name] != sha && s.suiteOf(r, sha, nil) == nil {
			suite := s.addSuite(&model.CheckSuite{Repo: r, SHA: sha, Branch: name, By: by})
			s.Events.EmitSuite("requested", suite, by)
		}
	}
	return nil
}

// SuiteAppID returns the id of the App of a suite.
func (s Checks) SuiteAppID(suite *model.CheckSuite) int64 {
	if suite.App == nil {
		return s.App.ID
	}
	return suite.App.ID
}
