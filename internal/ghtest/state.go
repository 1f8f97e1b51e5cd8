package ghtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// state is the state of the server without git objects.
type state struct {
	users          map[string]*user // by lower-case login
	repos          map[int64]*repository
	formerly       map[string]int64 // lower-case full names that repositories had -> id
	installations  map[int64]*installation
	tokens         map[string]*token
	comments       map[int64]*comment
	reviewComments map[int64]*reviewComment
	reviews        map[int64]*review
	checks         map[int64]*checkRun
	ci             ciState
	signed         map[string]bool // commits that GitHub signed, by SHA
	deliveries     []*delivery
	limits         map[int64]*usage // by installation
	tokensOf       tokenOwners
	lastID         map[string]int64
}

func (st *state) init() {
	*st = state{users: map[string]*user{}, repos: map[int64]*repository{}, formerly: map[string]int64{},
		installations: map[int64]*installation{},
		tokens:        map[string]*token{}, comments: map[int64]*comment{}, reviewComments: map[int64]*reviewComment{},
		reviews: map[int64]*review{}, checks: map[int64]*checkRun{}, ci: newCIState(), limits: map[int64]*usage{},
		signed: map[string]bool{}, lastID: map[string]int64{}, tokensOf: newTokenOwners()}
}

// firstID is beyond 32 bits, like GitHub's ids of comments and checks. Each kind has its own sequence, so that a
// comment and a review comment often have the same id.
const firstID = 3_000_000_001

// id returns the next id of a kind.
func (st *state) id(kind string) int64 {
	if st.lastID[kind] == 0 {
		st.lastID[kind] = firstID - 1
	}
	st.lastID[kind]++
	return st.lastID[kind]
}

type userType string

const (
	userPerson userType = "User"
	userOrg    userType = "Organization"
	userBot    userType = "Bot"
)

type user struct {
	id      int64
	login   string
	kind    userType
	owners  map[string]bool // of an organisation, by lower-case login
	created time.Time
	json    rendered[userFields]
}

// email returns the noreply address of GitHub for an account, which contains its id.
func (u *user) email() string { return fmt.Sprintf("%d+%s@users.noreply.github.com", u.id, u.login) }

type repository struct {
	id            int64
	owner         *user
	name          string
	git           *git.Repository
	public        bool
	archived      bool
	deleted       bool
	noIssues      bool
	noDrafts      bool
	noMaintainers bool        // a fork that refuses its base's maintainers
	parent        *repository // of a fork
	defaultBranch string
	roles         map[string]Role        // by lower-case login
	protected     map[string]*protection // by branch
	labels        []*label
	issues        map[int]*issue // pull requests too
	lastNumber    int
	created       time.Time
	pushed        time.Time
	diffs         map[string][]*git.FileDiff // of pull requests, by "base...head"
	lag           *lag                       // nil if GitHub has caught up with the branches
	tips          map[string]string          // the branches after the last push
	json          rendered[repoFields]
}

func (r *repository) fullName() string { return r.owner.login + "/" + r.name }

// issue is an issue, or a pull request if pull is set.
type issue struct {
	id            int64
	number        int
	repo          *repository
	title, body   string
	user          *user
	open          bool
	stateReason   string
	locked        bool
	lockReason    string
	gone          bool   // deleted: 410 from then on
	transferredTo *issue // the issue in the other repository; gone is true too
	labels        []*label
	comments      []*comment
	reactions     []*reaction
	created       time.Time
	updated       time.Time
	closed        *time.Time
	closedBy      *user
	pull          *pull
}

type pull struct {
	id             int64
	headRepo       *repository // nil when the fork is gone
	headLabel      string      // "owner:branch"
	headRef        string
	headSHA        string
	baseRef        string
	baseSHA        string
	draft          bool
	merged         *time.Time
	mergedBy       *user
	mergeSHA       string
	canModify      bool
	mergeable      *bool
	mergeableState string
	comments       []*reviewComment
	reviews        []*review
}

type comment struct {
	id               int64
	issue            *issue
	user             *user
	viaApp           bool
	otherApp         string // the slug of another App through which the user wrote it
	order            int64  // among all that is said
	body             string
	created, updated time.Time
	reactions        []*reaction
}

type reaction struct {
	id      int64
	user    *user
	content string
	created time.Time
}

type label struct {
	id                       int64
	name, color, description string
}

func (st *state) newUser(login string, kind userType, now time.Time) *user {
	u := &user{id: 1000 + int64(len(st.users)), login: login, kind: kind, owners: map[string]bool{}, created: now}
	st.users[strings.ToLower(login)] = u
	return u
}

func (st *state) user(login string) (*user, error) {
	if u := st.users[strings.ToLower(login)]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("no user %q", login)
}

// repo returns the repository "owner/name", in any case, as GitHub does.
func (st *state) repo(fullName string) (*repository, error) {
	for _, r := range st.repos {
		if !r.deleted && strings.EqualFold(r.fullName(), fullName) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("no repository %q", fullName)
}

// repoOf returns a repository by "name" or "owner/name".
func (st *state) repoOf(owner *user, name string) (*repository, error) {
	if !strings.Contains(name, "/") {
		name = owner.login + "/" + name
	}
	r, err := st.repo(name)
	if err == nil && r.owner != owner {
		err = fmt.Errorf("%s does not belong to %s", name, owner.login)
	}
	return r, err
}

func (st *state) issue(fullName string, number int) (*issue, error) {
	r, err := st.repo(fullName)
	if err != nil {
		return nil, err
	}
	if is := r.issues[number]; is != nil && !is.gone {
		return is, nil
	}
	return nil, fmt.Errorf("no issue or pull request %s#%d", fullName, number)
}

func (st *state) installationOf(account *user) *installation {
	for _, in := range st.installations {
		if in.account == account {
			return in
		}
	}
	return nil
}

// installationFor returns the installation that includes a repository, or nil.
func (st *state) installationFor(r *repository) *installation {
	if in := st.installationOf(r.owner); in != nil && in.suspended == nil && in.covers(r) {
		return in
	}
	return nil
}

// sortedByID returns the wanted items of a table, oldest first.
func sortedByID[T any](table map[int64]T, wanted func(T) bool) []T {
	list := []T{}
	for _, id := range slices.Sorted(maps.Keys(table)) {
		if item := table[id]; wanted(item) {
			list = append(list, item)
		}
	}
	return list
}
