package entity

import (
	"fmt"
	"strings"
	"time"
)

// Records are all that GitHub knows, but for git's objects. Their methods look entities up; the caller holds the lock.
type Records struct {
	Users          map[string]*User // by lower-case login
	Repos          map[int64]*Repository
	Formerly       map[string]int64 // lower-case full names that repositories had -> id
	Installations  map[int64]*Installation
	Tokens         map[string]*Token
	Comments       map[int64]*Comment
	ReviewComments map[int64]*ReviewComment
	Reviews        map[int64]*Review
	Checks         map[int64]*CheckRun
	CI             CIRecords
	Signed         map[string]bool  // commits that GitHub signed, by SHA
	Limits         map[int64]*Usage // by installation
	TokensOf       TokenOwners
	lastID         map[string]int64
}

// Init makes the records those of a GitHub without accounts.
func (st *Records) Init() {
	*st = Records{Users: map[string]*User{}, Repos: map[int64]*Repository{}, Formerly: map[string]int64{},
		Installations: map[int64]*Installation{},
		Tokens:        map[string]*Token{}, Comments: map[int64]*Comment{}, ReviewComments: map[int64]*ReviewComment{},
		Reviews: map[int64]*Review{}, Checks: map[int64]*CheckRun{}, CI: newCIRecords(), Limits: map[int64]*Usage{},
		Signed: map[string]bool{}, lastID: map[string]int64{}, TokensOf: newTokenOwners()}
}

// firstID is beyond 32 bits, like GitHub's ids of comments and checks. Each kind has its own sequence, so that a
// comment and a review comment often have the same id.
const firstID = 3_000_000_001

// ID returns the next id of a kind, such as "comment".
func (st *Records) ID(kind string) int64 {
	if st.lastID[kind] == 0 {
		st.lastID[kind] = firstID - 1
	}
	st.lastID[kind]++
	return st.lastID[kind]
}

// NewUser adds an account. The login must be free.
func (st *Records) NewUser(login string, kind UserType, now time.Time) *User {
	u := &User{ID: 1000 + int64(len(st.Users)), Login: login, Kind: kind, Owners: map[string]bool{}, Created: now}
	st.Users[strings.ToLower(login)] = u
	return u
}

// User returns the account with a login, in any case.
func (st *Records) User(login string) (*User, error) {
	if u := st.Users[strings.ToLower(login)]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("no user %q", login)
}

// Repo returns the repository "owner/name", in any case, as GitHub does.
func (st *Records) Repo(fullName string) (*Repository, error) {
	for _, r := range st.Repos {
		if !r.Deleted && strings.EqualFold(r.FullName(), fullName) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no repository %q", fullName)
}

// RepoOf returns an owner's repository by "name" or "owner/name".
func (st *Records) RepoOf(owner *User, name string) (*Repository, error) {
	if !strings.Contains(name, "/") {
		name = owner.Login + "/" + name
	}
	r, err := st.Repo(name)
	if err == nil && r.Owner != owner {
		err = fmt.Errorf("%s does not belong to %s", name, owner.Login)
	}
	return r, err
}

// FormerRepo returns the repository that had a name, or nil if there is none.
func (st *Records) FormerRepo(fullName string) *Repository {
	if r := st.Repos[st.Formerly[strings.ToLower(fullName)]]; r != nil && !r.Deleted {
		return r
	}
	return nil
}

// Issue returns an issue or pull request that was not deleted.
func (st *Records) Issue(fullName string, number int) (*Issue, error) {
	r, err := st.Repo(fullName)
	if err != nil {
		return nil, err
	}
	if is := r.Issues[number]; is != nil && !is.Gone {
		return is, nil
	}
	return nil, fmt.Errorf("no issue or pull request %s#%d", fullName, number)
}

// InstallationOf returns the App's installation on an account, or nil.
func (st *Records) InstallationOf(account *User) *Installation {
	for _, in := range st.Installations {
		if in.Account == account {
			return in
		}
	}
	return nil
}

// InstallationFor returns the installation that includes a repository and is not suspended, or nil.
func (st *Records) InstallationFor(r *Repository) *Installation {
	if in := st.InstallationOf(r.Owner); in != nil && in.Suspended == nil && in.Covers(r) {
		return in
	}
	return nil
}

// CIRecords are the records of continuous integration, by id unless it says otherwise.
type CIRecords struct {
	Apps      map[string]*Integration // by slug
	Suites    map[int64]*CheckSuite
	Workflows map[int64]*Workflow
	Runs      map[int64]*WorkflowRun
	Jobs      map[int64]*Job
	Statuses  []*CommitStatus // oldest first
}

func newCIRecords() CIRecords {
	return CIRecords{Apps: map[string]*Integration{}, Suites: map[int64]*CheckSuite{}, Workflows: map[int64]*Workflow{},
		Runs: map[int64]*WorkflowRun{}, Jobs: map[int64]*Job{}}
}

// TokenOwners are the installations that count the requests of tokens that are not the App's.
type TokenOwners struct {
	Jobs   map[*Repository]*Installation // of GitHub Actions
	People map[*User]*Installation
	// Pulls are the repositories whose jobs may open pull requests.
	Pulls map[*Repository]bool
}

func newTokenOwners() TokenOwners {
	return TokenOwners{Jobs: map[*Repository]*Installation{}, People: map[*User]*Installation{},
		Pulls: map[*Repository]bool{}}
}
