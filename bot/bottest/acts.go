package bottest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// What people do with accounts and repositories. Every act takes a second, and GitHub tells the app of it.

// acting returns the server for what somebody does there.
func (g *GitHub) acting() *simhttp.Server {
	g.clock.Advance(time.Second)
	return g.server
}

// as is acting for a person whose account is made unless there is one.
func (g *GitHub) as(login string) *simhttp.Server {
	g.account(login)
	return g.acting()
}

// AddOrg makes an organisation; its owners are admins of all its repositories.
func (g *GitHub) AddOrg(login string, owners ...string) { g.allows(g.server.AddOrg(login, owners...)) }

// AddUser makes a person, or with a login in "[bot]" another app.
func (g *GitHub) AddUser(login string) { g.account(login) }

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
	return g.install(owner, func(in *sim.Installation) {
		in.Repos = nil
		for _, r := range only {
			in.Repos = append(in.Repos, r.name)
		}
	})
}

// Grant sets the permissions of the app on an account, as "checks": "write".
func (g *GitHub) Grant(owner string, permissions map[string]string) {
	g.install(owner, func(in *sim.Installation) { in.Permissions = permissions })
}

// install changes an installation. The app asks for new tokens then: those of before are good for an hour.
func (g *GitHub) install(owner string, change func(*sim.Installation)) int64 {
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
	id := must(g.server.Install(wanted))(g.t)
	g.mu.Lock()
	in.id = id
	g.mu.Unlock()
	g.restart()
	return id
}

// Suspend suspends the app on an account, or ends that.
func (g *GitHub) Suspend(owner string, yes bool) { g.allows(g.server.Suspend(owner, yes)) }

// Uninstall removes the app from an account.
func (g *GitHub) Uninstall(owner string) {
	g.allows(g.server.Uninstall(owner))
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
	owner, _, _ := strings.Cut(fullName, "/")
	g.account(owner)
	g.allows(g.server.AddRepo(sim.Repo{Name: fullName, Files: files, Public: true}))
	return &Repo{g, fullName}
}

// state is the repository as everybody sees it.
func (r *Repo) state() sim.RepoState { return must(r.g.server.Repo(r.name))(r.g.t) }

// Ref is how the app names the repository.
func (r *Repo) Ref() port.RepoRef {
	s := r.state()
	return port.RepoRef{Installation: s.Installation, ID: s.ID, NodeID: s.NodeID, Owner: s.Owner, Name: s.Name,
		DefaultBranch: s.DefaultBranch, Archived: s.Archived}
}

// Private hides a repository from strangers.
func (r *Repo) Private() { r.g.allows(r.g.acting().SetPublic(r.name, false)) }

// NoDrafts makes it one of a plan without draft pull requests.
func (r *Repo) NoDrafts() { r.g.allows(r.g.acting().NoDrafts(r.name)) }

// Archive makes a repository read-only, or ends that.
func (r *Repo) Archive(yes bool) { r.g.allows(r.g.acting().Archive(r.name, yes)) }

// Delete deletes a repository.
func (r *Repo) Delete() { r.g.allows(r.g.acting().DeleteRepo(r.name)) }

// RefuseMaintainers has a fork refuse the pushes of its base's maintainers, whatever its pull requests say.
func (r *Repo) RefuseMaintainers() { r.g.allows(r.g.acting().RefuseMaintainers(r.name, true)) }

// SetRole makes somebody a collaborator, or a stranger again.
func (r *Repo) SetRole(login string, role port.Permission) {
	r.g.allows(r.g.as(login).SetRole(r.name, login, entity.Role(role)))
}

// Protect has a branch refuse all pushes, with a reason; an empty one ends that.
func (r *Repo) Protect(branch, reason string) {
	r.g.allows(r.g.acting().Protect(r.name, branch, reason))
}

// Lag has GitHub fall behind the branches of a repository, or catch up with them. Git shows the branches as they are.
func (r *Repo) Lag(yes bool) { r.g.allows(r.g.acting().Lag(r.name, yes)) }

// Rename gives a repository another name. The old one leads to it.
func (r *Repo) Rename(name string) {
	r.g.allows(r.g.acting().RenameRepo(r.name, name))
	owner, _, _ := strings.Cut(r.name, "/")
	r.name = owner + "/" + name
}

// Push commits files on top of a branch, which is made from the default branch when it does not exist, and returns the
// commit.
func (r *Repo) Push(branch string, files map[string]string) string {
	return r.PushFiles(branch, Files(files), "Push\n")
}

// PushFiles is Push for modes, removals and a message.
func (r *Repo) PushFiles(branch string, files map[string]File, message string) string {
	changes := map[string]sim.File{}
	for name, f := range files {
		changes[name] = sim.File{Content: f.Data, Mode: f.Mode, Deleted: f.Gone}
	}
	return must(r.g.acting().PushFiles(r.name, branch, changes, message))(r.g.t)
}

// SetDefaultBranch makes another branch the default branch.
func (r *Repo) SetDefaultBranch(branch string) {
	r.g.allows(r.g.acting().SetDefaultBranch(r.name, branch))
}

// SetBranch lets a branch point at a commit, by force; an empty one deletes the branch.
func (r *Repo) SetBranch(branch, sha string) {
	if sha == "" {
		r.g.allows(r.g.acting().DeleteBranch(r.name, branch))
		return
	}
	r.g.allows(r.g.acting().SetBranch(r.name, branch, sha))
}

// git is the git repository.
func (r *Repo) git() *git.Repository { return must(r.g.server.Look(r.name))(r.g.t) }

// Branch returns where a branch points; empty when there is none.
func (r *Repo) Branch(name string) string { return r.git().Branch(name) }

// Branches lists the names of the branches that begin with a prefix, sorted.
func (r *Repo) Branches(prefix string) (names []string) {
	for _, ref := range must(r.git().Refs("refs/heads/" + prefix))(r.g.t) {
		names = append(names, strings.TrimPrefix(ref.Name, "refs/heads/"))
	}
	return names
}

// File returns a file at the tip of a branch, and whether it is there.
func (r *Repo) File(branch, name string) (data string, ok bool) {
	if r.Branch(branch) == "" {
		return "", false
	}
	text, err := r.git().File(r.Branch(branch), name)
	return string(text), err == nil
}

// Mode returns a file's mode at the tip of a branch; empty when it is not there.
func (r *Repo) Mode(branch, name string) string {
	e, _ := r.git().At(r.Branch(branch), name)
	return e.Mode
}

// TreeID returns the id of a commit's tree.
func (r *Repo) TreeID(sha string) string { return must(r.git().Commit(sha))(r.g.t).Tree }

// BlobID returns the id of a file of a commit.
func (r *Repo) BlobID(sha, name string) string { return must(r.git().At(sha, name))(r.g.t).SHA }

// Commits lists the commits of a branch, newest first.
func (r *Repo) Commits(branch string) (list []Commit) {
	if r.Branch(branch) == "" {
		return nil
	}
	for _, c := range must(r.g.server.Commits(r.name, branch))(r.g.t) {
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
	for _, c := range must(r.g.server.CheckRuns(r.name))(r.g.t) {
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
	server := r.g.as(as)
	is := func(has CheckRun) bool {
		return has.ID == c.ID && has.Run == c.Run && has.Thread == c.Thread && slices.Equal(has.Buttons, c.Buttons)
	}
	if !slices.ContainsFunc(r.CheckRuns(), is) {
		change := port.Check{Run: c.Run, Thread: c.Thread, Buttons: c.Buttons}
		r.g.allows(r.g.app().UpdateCheck(r.g.t.Context(), r.Ref(), c.ID, change))
	}
	r.g.allows(server.PressButton(as, c.ID, verb))
}

// Fork makes an account's fork of a repository, with all its branches.
func (r *Repo) Fork(owner string) *Repo {
	r.g.account(owner)
	return &Repo{r.g, must(r.g.server.Fork(r.name, owner))(r.g.t)}
}
