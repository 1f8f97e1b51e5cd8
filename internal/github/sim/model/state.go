package model

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// state is the state of the server without git objects.
type state struct {
	Users          map[string]*User // by lower-case login
	Repos          map[int64]*Repository
	Formerly       map[string]int64 // lower-case full names that repositories had -> id
	Installations  map[int64]*Installation
	Tokens         map[string]*Token
	Comments       map[int64]*Comment
	ReviewComments map[int64]*ReviewComment
	Reviews        map[int64]*Review
	Checks         map[int64]*CheckRun
	CI             ciState
	Signed         map[string]bool  // commits that GitHub signed, by SHA
	Limits         map[int64]*Usage // by installation
	TokensOf       tokenOwners
	lastID         map[string]int64
}

func (st *state) Init() {
	*st = state{Users: map[string]*User{}, Repos: map[int64]*Repository{}, Formerly: map[string]int64{},
		Installations: map[int64]*Installation{},
		Tokens:        map[string]*Token{}, Comments: map[int64]*Comment{}, ReviewComments: map[int64]*ReviewComment{},
		Reviews: map[int64]*Review{}, Checks: map[int64]*CheckRun{}, CI: newCIState(), Limits: map[int64]*Usage{},
		Signed: map[string]bool{}, lastID: map[string]int64{}, TokensOf: newTokenOwners()}
}

// firstID is beyond 32 bits, like GitHub's ids of comments and checks. Each kind has its own sequence, so that a
// comment and a review comment often have the same id.
const firstID = 3_000_000_001

// id returns the next id of a kind.
func (st *state) ID(kind string) int64 {
	if st.lastID[kind] == 0 {
		st.lastID[kind] = firstID - 1
	}
	st.lastID[kind]++
	return st.lastID[kind]
}

type UserType string

type User struct {
	ID      int64
	Login   string
	Kind    UserType
	Owners  map[string]bool // of an organisation, by lower-case login
	Created time.Time
	Json    rendered[UserFields]
}

// Email returns the noreply address of GitHub for an account, which contains its id.
func (u *User) Email() string { return fmt.Sprintf("%d+%s@users.noreply.github.com", u.ID, u.Login) }

type Repository struct {
	ID            int64
	Owner         *User
	Name          string
	Git           *git.Repository
	Public        bool
	Archived      bool
	Deleted       bool
	NoIssues      bool
	NoDrafts      bool
	NoMaintainers bool        // a fork that refuses its base's maintainers
	Parent        *Repository // of a fork
	DefaultBranch string
	Roles         map[string]Role        // by lower-case login
	Protected     map[string]*Protection // by branch
	Labels        []*Label
	Issues        map[int]*Issue // pull requests too
	LastNumber    int
	Created       time.Time
	Pushed        time.Time
	Diffs         map[string][]*git.FileDiff // of pull requests, by "base...head"
	Lag           *Lag                       // nil if GitHub has caught up with the branches
	Tips          map[string]string          // the branches after the last push
	Json          rendered[RepoFields]
}

func (r *Repository) FullName() string { return r.Owner.Login + "/" + r.Name }

// Issue is an issue, or a pull request if pull is set.
type Issue struct {
	ID            int64
	Number        int
	Repo          *Repository
	Title, Body   string
	User          *User
	Open          bool
	StateReason   string
	Locked        bool
	LockReason    string
	Gone          bool   // deleted: 410 from then on
	TransferredTo *Issue // the issue in the other repository; gone is true too
	Labels        []*Label
	Comments      []*Comment
	Reactions     []*Reaction
	Created       time.Time
	Updated       time.Time
	Closed        *time.Time
	ClosedBy      *User
	Pull          *Pull
}

type Pull struct {
	ID             int64
	HeadRepo       *Repository // nil when the fork is gone
	HeadLabel      string      // "owner:branch"
	HeadRef        string
	HeadSHA        string
	BaseRef        string
	BaseSHA        string
	Draft          bool
	Merged         *time.Time
	MergedBy       *User
	MergeSHA       string
	CanModify      bool
	Mergeable      *bool
	MergeableState string
	Comments       []*ReviewComment
	Reviews        []*Review
}

type Comment struct {
	ID               int64
	Issue            *Issue
	User             *User
	ViaApp           bool
	OtherApp         string // the slug of another App through which the user wrote it
	Order            int64  // among all that is said
	Body             string
	Created, Updated time.Time
	Reactions        []*Reaction
}

type Reaction struct {
	ID      int64
	User    *User
	Content string
	Created time.Time
}

type Label struct {
	ID                       int64
	Name, Color, Description string
}

func (st *state) NewUser(login string, kind UserType, now time.Time) *User {
	u := &User{ID: 1000 + int64(len(st.Users)), Login: login, Kind: kind, Owners: map[string]bool{}, Created: now}
	st.Users[strings.ToLower(login)] = u
	return u
}

func (st *state) User(login string) (*User, error) {
	if u := st.Users[strings.ToLower(login)]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("no user %q", login)
}

// repo returns the repository "owner/name", in any case, as GitHub does.
func (st *state) Repo(fullName string) (*Repository, error) {
	for _, r := range st.Repos {
		if !r.Deleted && strings.EqualFold(r.FullName(), fullName) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no repository %q", fullName)
}

// repoOf returns a repository by "name" or "owner/name".
func (st *state) RepoOf(owner *User, name string) (*Repository, error) {
	if !strings.Contains(name, "/") {
		name = owner.Login + "/" + name
	}
	r, err := st.Repo(name)
	if err == nil && r.Owner != owner {
		err = fmt.Errorf("%s does not belong to %s", name, owner.Login)
	}
	return r, err
}

func (st *state) Issue(fullName string, number int) (*Issue, error) {
	r, err := st.Repo(fullName)
	if err != nil {
		return nil, err
	}
	if is := r.Issues[number]; is != nil && !is.Gone {
		return is, nil
	}
	return nil, fmt.Errorf("no issue or pull request %s#%d", fullName, number)
}

func (st *state) InstallationOf(account *User) *Installation {
	for _, in := range st.Installations {
		if in.Account == account {
			return in
		}
	}
	return nil
}

// installationFor returns the installation that includes a repository, or nil.
func (st *state) InstallationFor(r *Repository) *Installation {
	if in := st.InstallationOf(r.Owner); in != nil && in.Suspended == nil && in.Covers(r) {
		return in
	}
	return nil
}
