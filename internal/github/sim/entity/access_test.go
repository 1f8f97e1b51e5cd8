package entity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRolesIncludeWeakerOnes(t *testing.T) {
	t.Parallel()
	order := []Role{"none", "read", "triage", "write", "maintain", "admin"}
	for i, role := range order {
		for j, other := range order {
			require.Equal(t, i >= j, role.AtLeast(other), "%s and %s", role, other)
		}
		legacy := []string{"none", "read", "read", "write", "write", "admin"}
		require.Equal(t, legacy[i], role.Legacy())
	}
}

// accounts returns records with an organisation, its owner and others, and one of its repositories.
func accounts() (*Records, *Repository) {
	st := &Records{}
	st.Init()
	for _, login := range []string{"Owner", "helper", "removed", "stranger"} {
		st.NewUser(login, UserPerson, time.Time{})
	}
	org := st.NewUser("acme", UserOrg, time.Time{})
	org.Owners["owner"] = true
	r := &Repository{ID: 1, Owner: org, Name: "app", Issues: map[int]*Issue{},
		Roles: map[string]Role{"helper": RoleTriage, "removed": RoleNone}}
	st.Repos[r.ID] = r
	return st, r
}

func TestWhoHasWhichRole(t *testing.T) {
	t.Parallel()
	st, r := accounts()
	for login, c := range map[string]struct {
		role, public Role
		association  string
	}{
		"acme": {RoleAdmin, RoleAdmin, "OWNER"}, "owner": {RoleAdmin, RoleAdmin, "MEMBER"},
		"helper": {RoleTriage, RoleTriage, "COLLABORATOR"}, "removed": {RoleNone, RoleRead, "NONE"},
		"stranger": {RoleNone, RoleRead, "NONE"},
	} {
		u := st.Users[login]
		r.Public = false
		require.Equal(t, c.role, r.RoleOf(u), login)
		r.Public = true
		require.Equal(t, c.public, r.RoleOf(u), login)
		require.Equal(t, c.association, r.Association(u), login)
		is := &Issue{Repo: r}
		require.False(t, is.LockedFor(u), login)
		is.Locked = true
		require.Equal(t, c.role != RoleAdmin, is.LockedFor(u), login)
	}
	c := &Core{State: *st}
	require.Equal(t, "Owner", c.AdminOf(r.Owner).Login)
	require.Equal(t, "helper", c.AdminOf(st.Users["helper"]).Login)
}

func TestWhatATokenMay(t *testing.T) {
	t.Parallel()
	st, r := accounts()
	in := &Installation{Account: r.Owner, Permissions: map[string]string{"issues": "read", "contents": "write",
		"members": "admin"}}
	for _, c := range []struct {
		permission, level string
		may               bool
	}{{"issues", "read", true}, {"issues", "write", false}, {"contents", "read", true}, {"contents", "write", true},
		{"members", "write", true}, {"checks", "read", false}, {"checks", "", false}} {
		require.Equal(t, c.may, in.May(c.permission, c.level), c)
		require.Equal(t, c.may, (&Token{Permissions: in.Permissions}).May(c.permission, c.level), c)
	}
	for event, gets := range map[string]bool{"issues": true, "check_run": false, "status": false, "workflow_run": false} {
		require.Equal(t, gets, in.Gets(event), event)
	}
	own, other := map[int64]bool{1: true}, map[int64]bool{2: true}
	app := func(in, token map[int64]bool) *Token {
		return &Token{Installation: &Installation{Account: r.Owner, Repos: in}, Repos: token}
	}
	person := func(login string, repos map[int64]bool) *Token {
		return &Token{Kind: PersonalToken, By: st.Users[login], Repos: repos}
	}
	for i, c := range []struct {
		token  *Token
		covers bool
	}{
		{app(nil, nil), true}, {app(own, nil), true}, {app(other, nil), false}, {app(other, own), false},
		{app(nil, own), true}, {app(nil, other), false}, {&Token{Installation: &Installation{Account: st.Users["owner"]}},
			false},
		{person("helper", nil), true}, {person("helper", own), true}, {person("helper", other), false},
		{person("stranger", nil), false}, {person("removed", own), false},
	} {
		require.Equal(t, c.covers, c.token.Covers(r), i)
	}
}

func TestWhatIsLookedUp(t *testing.T) {
	t.Parallel()
	st, r := accounts()
	require.Equal(t, []int64{3000000001, 3000000002}, []int64{st.ID("comment"), st.ID("comment")})
	require.EqualValues(t, 3000000001, st.ID("check"), "kinds have their own")
	u, err := st.User("OWNER")
	require.NoError(t, err)
	for name, has := range map[string]bool{"app": true, "ACME/App": true, "other": false, "helper/app": false} {
		_, err := st.RepoOf(r.Owner, name)
		require.Equal(t, has, err == nil, name)
	}
	_, err = st.RepoOf(u, "acme/app")
	require.ErrorContains(t, err, "does not belong to Owner")
	r.Issues[1], r.Issues[2], r.Issues[3] = &Issue{Open: true}, &Issue{Open: true, Gone: true}, &Issue{}
	require.Equal(t, 1, r.OpenIssues())
	for n, has := range map[int]bool{1: true, 2: false, 3: true, 4: false} {
		_, err := st.Issue("acme/app", n)
		require.Equal(t, has, err == nil, n)
	}
	in := &Installation{ID: 1, Account: r.Owner}
	st.Installations[1] = in
	require.Same(t, in, st.InstallationFor(r))
	in.Suspended = &time.Time{}
	require.Nil(t, st.InstallationFor(r))
	require.Same(t, in, st.InstallationOf(r.Owner))
	st.Formerly["acme/old"] = r.ID
	require.Same(t, r, st.FormerRepo("acme/OLD"))
	r.Deleted = true
	require.Nil(t, st.FormerRepo("acme/old"))
	_, err = st.Repo("acme/app")
	require.Error(t, err)
}

// What waits for the lock to be given up is done then, in its order, and may take the lock.
func TestAGuardDoesItsWorkUnlocked(t *testing.T) {
	t.Parallel()
	var g Guard
	var done []int
	g.Lock()
	for i := range 3 {
		g.After = append(g.After, func() {
			g.Lock()
			defer g.Unlock()
			done = append(done, i)
		})
	}
	g.Unlock()
	require.Equal(t, []int{0, 1, 2}, done)
}
