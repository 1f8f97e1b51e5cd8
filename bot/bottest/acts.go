package bottest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// What people do with accounts and repositories. Every act takes a second, and GitHub tells the app of it.

// act does something that GitHub has to allow.
func (g *GitHub) act(f func() error) {
	g.t.Helper()
	g.clock.Advance(time.Second)
	g.must(f())
}

// AddOrg makes an organisation; its owners are admins of all its repositories.
func (g *GitHub) AddOrg(login string, owners ...string) {
	g.t.Helper()
	g.must(g.server.AddOrg(login, owners...))
}

// AddUser makes a person, or with a login in "[bot]" another app.
func (g *GitHub) AddUser(login string) {
	g.t.Helper()
	g.account(login)
}

// allPermissions are what the app asks for.
func allPermissions() map[string]string {
	return map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "read"}
}

// Permissions returns what the app asks for, and more, as in "actions:write".
func Permissions(more ...string) map[string]string {
	all := allPermissions()
	for _, m := range more {
		name, level, _ := strings.Cut(m, ":")
		all[name] = level
	}
	return all
}

// Install installs the app on an account, on all its repositories or on some, or changes that. It returns the
// installation's id.
func (g *GitHub) Install(owner string, only ...*Repo) int64 {
	g.t.Helper()
	return g.install(owner, func(in *sim.Installation) {
		in.Repos = nil
		for _, r := range only {
			in.Repos = append(in.Repos, r.name)
		}
	})
}

// Grant sets the permissions of the app on an account, as "checks": "write".
func (g *GitHub) Grant(owner string, permissions map[string]string) {
	g.t.Helper()
	g.install(owner, func(in *sim.Installation) { in.Permissions = permissions })
}

// install changes an installation. The app asks for new tokens then: those of before are good for an hour.
func (g *GitHub) install(owner string, change func(*sim.Installation)) int64 {
	g.t.Helper()
	g.account(owner)
	key := strings.ToLower(owner)
	g.mu.Lock()
	in := g.installs[key]
	if in == nil {
		in = &installation{Installation: sim.Installation{Owner: owner, Permissions: allPermissions()}}
		g.installs[key] = in
	}
	change(&in.Installation)
	wanted := in.Installation
	g.mu.Unlock()
	id, err := g.server.Install(wanted)
	g.must(err)
	g.mu.Lock()
	in.id = id
	g.mu.Unlock()
	g.restart()
	return id
}

// Suspend suspends the app on an account, or ends that.
func (g *GitHub) Suspend(owner string, yes bool) {
	g.t.Helper()
	g.must(g.server.Suspend(owner, yes))
}

// Uninstall removes the app from an account.
func (g *GitHub) Uninstall(owner string) {
	g.t.Helper()
	g.must(g.server.Uninstall(owner))
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.installs, strings.ToLower(owner))
}

// Repo is a repository, for people.
type Repo struct {
	g    *GitHub
	name string // "owner/name"
}

// AddRepo makes a public repository, "owner/name", with a first commit of files; without files it is empty.
func (g *GitHub) AddRepo(fullName string, files map[string]string) *Repo {
	g.t.Helper()
	owner, _, _ := strings.Cut(fullName, "/")
	g.account(owner)
	g.must(g.server.AddRepo(sim.Repo{Name: fullName, Files: files, Public: true}))
	return &Repo{g, fullName}
}

// state is the repository as everybody sees it.
func (r *Repo) state() sim.RepoState {
	r.g.t.Helper()
	state, err := r.g.server.Repo(r.name)
	r.g.must(err)
	return state
}

// Ref is how the app names the repository.
func (r *Repo) Ref() port.RepoRef {
	r.g.t.Helper()
	s := r.state()
	return port.RepoRef{Installation: s.Installation, ID: s.ID, NodeID: s.NodeID, Owner: s.Owner, Name: s.Name,
		DefaultBranch: s.DefaultBranch, Archived: s.Archived}
}

// Private hides a repository from strangers.
func (r *Repo) Private() {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.SetPublic(r.name, false) })
}

// NoDrafts makes it one of a plan without draft pull requests.
func (r *Repo) NoDrafts() {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.NoDrafts(r.name) })
}

// Archive makes a repository read-only, or ends that.
func (r *Repo) Archive(yes bool) {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.Archive(r.name, yes) })
}

// Delete deletes a repository.
func (r *Repo) Delete() {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.DeleteRepo(r.name) })
}

// RefuseMaintainers has a fork refuse the pushes of its base's maintainers, whatever its pull requests say.
func (r *Repo) RefuseMaintainers() {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.RefuseMaintainers(r.name, true) })
}

// SetRole makes somebody a collaborator, or a stranger again.
func (r *Repo) SetRole(login string, role port.Permission) {
	r.g.t.Helper()
	r.g.account(login)
	r.g.act(func() error { return r.g.server.SetRole(r.name, login, model.Role(role)) })
}

// Protect has a branch refuse all pushes, with a reason; an empty one ends that.
func (r *Repo) Protect(branch, reason string) {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.Protect(r.name, branch, reason) })
}

// Lag has GitHub fall behind the branches of a repository, or catch up with them. Git shows the branches as they are.
func (r *Repo) Lag(yes bool) {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.Lag(r.name, yes) })
}

// Rename gives a repository another name. The old one leads to it.
func (r *Repo) Rename(name string) {
	r.g.t.Helper()
	r.g.act(func() error { return r.g.server.RenameRepo(r.name, name) })
	owner, _, _ := strings.Cut(r.name, "/")
	r.name = owner + "/" + name
}

// Push commits files on top of a branch, which is made from the default branch when it does not exist, and returns the
// commit.
func (r *Repo) Push(branch string, files map[string]string) string {
	r.g.t.Helper()
	return r.PushFiles(branch, Files(files), "Push\n")
}

// PushFiles is Push for modes, removals and a message.
func (r *Repo) PushFiles(branch string, files map[string]File, message string) (sha string) {
	r.g.t.Helper()
	changes := map[string]sim.File{}
	for name, f := range files {
		changes[name] = sim.File{Content: f.Data, Mode: f.Mode, Deleted: f.Gone}
	}
	r.g.act(func() (err error) {
		sha, err = r.g.server.PushFiles(r.name, branch, changes, message)
		return err
	})
	return sha
}

// SetBranch lets a branch point at a commit, by force; an empty one deletes the branch.
func (r *Repo) SetBranch(branch, sha string) {
	r.g.t.Helper()
	r.g.act(func() error {
		if sha == "" {
			return r.g.server.DeleteBranch(r.name, branch)
		}
		return r.g.server.SetBranch(r.name, branch, sha)
	})
}

// git is the git repository.
func (r *Repo) git() *git.Repository {
	r.g.t.Helper()
	repo, err := r.g.server.Look(r.name)
	r.g.must(err)
	return repo
}

// Branch returns where a branch points; empty when there is none.
func (r *Repo) Branch(name string) string {
	r.g.t.Helper()
	return r.git().Branch(name)
}

// Branches lists the names of the branches that begin with a prefix, sorted.
func (r *Repo) Branches(prefix string) (names []string) {
	r.g.t.Helper()
	refs, err := r.git().Refs("refs/heads/" + prefix)
	r.g.must(err)
	for _, ref := range refs {
		names = append(names, strings.TrimPrefix(ref.Name, "refs/heads/"))
	}
	return names
}

// File returns a file at the tip of a branch, and whether it is there.
func (r *Repo) File(branch, name string) (data string, ok bool) {
	r.g.t.Helper()
	if r.Branch(branch) == "" {
		return "", false
	}
	text, err := r.git().File(r.Branch(branch), name)
	return string(text), err == nil
}

// Mode returns a file's mode at the tip of a branch; empty when it is not there.
func (r *Repo) Mode(branch, name string) string {
	r.g.t.Helper()
	e, _ := r.git().At(r.Branch(branch), name)
	return e.Mode
}

// TreeID returns the id of a commit's tree.
func (r *Repo) TreeID(sha string) string {
	r.g.t.Helper()
	c, err := r.git().Commit(sha)
	r.g.must(err)
	return c.Tree
}

// BlobID returns the id of a file of a commit.
func (r *Repo) BlobID(sha, name string) string {
	r.g.t.Helper()
	e, err := r.git().At(sha, name)
	r.g.must(err)
	return e.SHA
}

// Commits lists the commits of a branch, newest first.
func (r *Repo) Commits(branch string) (list []Commit) {
	r.g.t.Helper()
	if r.Branch(branch) == "" {
		return nil
	}
	all, err := r.g.server.Commits(r.name, branch)
	r.g.must(err)
	for _, c := range all {
		list = append(list, Commit{SHA: c.SHA, Message: c.Message, Author: c.Author, Parents: c.Parents,
			Verified: c.Verified})
	}
	return list
}

// CheckRun is a check run of the app as everybody sees it.
type CheckRun struct {
	ID int64
	port.Check
}

func (c CheckRun) String() string {
	return fmt.Sprintf("%s on %.7s: %s %s, %s", c.Name, c.SHA, c.Status, c.Conclusion, c.Title)
}

// CheckRuns lists the check runs, oldest first.
func (r *Repo) CheckRuns() (list []CheckRun) {
	r.g.t.Helper()
	all, err := r.g.server.CheckRuns(r.name)
	r.g.must(err)
	for _, c := range all {
		run := CheckRun{ID: c.ID, Check: port.Check{Name: c.Name, SHA: c.HeadSHA, Status: c.Status,
			Conclusion: c.Conclusion, Title: c.Title, Summary: c.Summary, Text: c.Text, URL: c.Page, Run: c.ExternalID}}
		if id, thread, ok := strings.Cut(c.ExternalID, "/"); ok {
			run.Run = id
			run.Thread, _ = strconv.Atoi(thread)
		}
		for _, n := range c.Notes {
			run.Annotations = append(run.Annotations, port.Annotation{Path: n.Path, StartLine: n.Line, EndLine: n.EndLine,
				Level: n.Level, Title: n.Title, Message: n.Message})
		}
		for _, b := range c.Buttons {
			run.Buttons = append(run.Buttons, port.CheckButton{Label: b.Label, Description: b.Description,
				Verb: b.Identifier})
		}
		list = append(list, run)
	}
	return list
}

// Press has somebody press a button of a check run. If c is not as GitHub has it, the app changes that before.
func (r *Repo) Press(as string, c CheckRun, verb string) {
	r.g.t.Helper()
	r.g.account(as)
	r.g.act(func() error {
		is := func(has CheckRun) bool {
			return has.ID == c.ID && has.Run == c.Run && has.Thread == c.Thread && slices.Equal(has.Buttons, c.Buttons)
		}
		if !slices.ContainsFunc(r.CheckRuns(), is) {
			change := port.Check{Run: c.Run, Thread: c.Thread, Buttons: c.Buttons}
			if err := r.g.app().UpdateCheck(r.g.t.Context(), r.Ref(), c.ID, change); err != nil {
				return err
			}
		}
		return r.g.server.PressButton(as, c.ID, verb)
	})
}

// Fork makes an account's fork of a repository, with all its branches.
func (r *Repo) Fork(owner string) *Repo {
	r.g.t.Helper()
	r.g.account(owner)
	name, err := r.g.server.Fork(r.name, owner)
	r.g.must(err)
	return &Repo{r.g, name}
}
