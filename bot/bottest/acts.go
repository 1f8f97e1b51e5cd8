package bottest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// What people do with accounts and repositories. Every act takes a second, and GitHub tells the app of it.

// act does something under the lock, and delivers what there is to tell.
func (g *GitHub) act(f func() error) {
	g.t.Helper()
	g.clock.Advance(time.Second)
	g.mu.Lock()
	err := f()
	events := g.outbox
	reports := g.reports
	g.outbox, g.reports = nil, nil
	g.mu.Unlock()
	if err != nil {
		g.t.Fatalf("GitHub does not allow that: %v", err)
	}
	for _, ev := range events {
		if g.deliver != nil {
			g.deliver(ev)
		}
	}
	for _, r := range reports {
		if g.report != nil {
			g.report(r.repo, r.sha)
		}
	}
}

// tell notes an event of a repository for the app, if it is installed there.
func (g *GitHub) tell(r *repository, by *account, ev port.Event) {
	if in := g.installationOf(r); in != nil && !in.suspended {
		ev.Repo, ev.Sender, ev.Private = r.ref(in.id), by.user(), !r.public
		switch t := r.threads[ev.Thread.Number]; {
		case t == nil || ev.Kind == port.Closed || ev.Kind == port.Ticked || ev.Kind == port.Pressed:
		case t.pull == nil:
			ev.Thread.Text = new(t.body)
		case ev.Kind != port.IssueComment: // GitHub tells of the issue that the pull request is, without its branch
			ev.Thread.Head = t.pull.headSHA
		}
		g.outbox = append(g.outbox, ev)
	}
}

// Skew sets how far GitHub's clock is ahead of that of the process.
func (g *GitHub) Skew(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.skew = d
}

// AddOrg makes an organisation; its owners are admins of all its repositories.
func (g *GitHub) AddOrg(login string, owners ...string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	org := g.account(login)
	org.org = true
	for _, o := range owners {
		org.owners = append(org.owners, g.account(o))
	}
}

// AddUser makes a person, or with a login in "[bot]" another app.
func (g *GitHub) AddUser(login string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.account(login)
}

// Install installs the app on an account, on all its repositories or on some, or changes that. It returns the
// installation's id.
func (g *GitHub) Install(owner string, only ...*Repo) int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.account(owner)
	i := slices.IndexFunc(g.installations, func(in *installation) bool { return in.account == a })
	if i < 0 {
		i = len(g.installations)
		g.installations = append(g.installations, &installation{id: 500 + int64(i), account: a,
			permissions: allPermissions()})
	}
	in := g.installations[i]
	in.only = nil
	for _, r := range only {
		in.only = append(in.only, r.repository)
	}
	return in.id
}

// Grant sets the permissions of the app on an account, as "checks": "write".
func (g *GitHub) Grant(owner string, permissions map[string]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, in := range g.installations {
		if in.account == g.account(owner) {
			in.permissions = permissions
		}
	}
}

// Suspend suspends the app on an account, or ends that.
func (g *GitHub) Suspend(owner string, yes bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, in := range g.installations {
		if in.account == g.account(owner) {
			in.suspended = yes
		}
	}
}

// Uninstall removes the app from an account.
func (g *GitHub) Uninstall(owner string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	a := g.account(owner)
	g.installations = slices.DeleteFunc(g.installations, func(in *installation) bool { return in.account == a })
}

// Repo is a repository, for people.
type Repo struct {
	*repository
	g *GitHub
}

// AddRepo makes a public repository, "owner/name", with a first commit of files; without files it is empty.
func (g *GitHub) AddRepo(fullName string, files map[string]string) *Repo {
	g.mu.Lock()
	defer g.mu.Unlock()
	owner, name, _ := strings.Cut(fullName, "/")
	r := &repository{id: g.id("repository"), owner: g.account(owner), name: name, defaultBranch: "main", public: true,
		git:   &git{objects: objects{}, refs: map[string]string{}},
		roles: map[string]port.Permission{}, protected: map[string]string{}, threads: map[int]*thread{}}
	g.repos = append(g.repos, r)
	if len(files) > 0 {
		r.git.commitFiles("main", "", "Initial commit\n", Files(files), signature(owner, g.now()))
	}
	return &Repo{r, g}
}

// Ref is how the app names the repository.
func (r *Repo) Ref() port.RepoRef {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	var id int64
	if in := r.g.installationOf(r.repository); in != nil {
		id = in.id
	}
	return r.ref(id)
}

// Private hides a repository from strangers.
func (r *Repo) Private() { r.change(func() { r.public = false }) }

// NoDrafts makes it one of a plan without draft pull requests.
func (r *Repo) NoDrafts() { r.change(func() { r.noDrafts = true }) }

// Archive makes a repository read-only, or ends that.
func (r *Repo) Archive(yes bool) { r.change(func() { r.archived = yes }) }

// Delete deletes a repository.
func (r *Repo) Delete() { r.change(func() { r.gone = true }) }

// RefuseMaintainers has a fork refuse the pushes of its base's maintainers, whatever its pull requests say.
func (r *Repo) RefuseMaintainers() { r.change(func() { r.noMaintainers = true }) }

// SetRole makes somebody a collaborator, or a stranger again.
func (r *Repo) SetRole(login string, role port.Permission) {
	r.change(func() { r.roles[strings.ToLower(r.g.account(login).login)] = role })
}

// Protect has a branch refuse all pushes, with a reason; an empty one ends that.
func (r *Repo) Protect(branch, reason string) { r.change(func() { r.protected[branch] = reason }) }

// Rename gives a repository another name. The old one leads to it.
func (r *Repo) Rename(name string) {
	r.change(func() {
		r.formerly = append(r.formerly, strings.ToLower(r.fullName()))
		r.name = name
	})
}

func (r *Repo) change(f func()) {
	r.g.t.Helper()
	r.g.act(func() error {
		f()
		return nil
	})
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
	r.g.act(func() error {
		if r.archived {
			return r.writable()
		}
		made := r.git.commitFiles(branch, r.git.branch(r.defaultBranch), message, files, signature(r.owner.login, r.g.now()))
		sha = made.id
		r.g.refsMoved(r.repository, r.admin())
		return nil
	})
	return sha
}

// SetBranch lets a branch point at a commit, by force; an empty one deletes the branch.
func (r *Repo) SetBranch(branch, sha string) {
	r.g.t.Helper()
	r.g.act(func() error {
		switch {
		case sha != "" && r.git.objects[sha] == nil:
			return fmt.Errorf("there is no commit %s", sha)
		case sha == "":
			delete(r.git.refs, "refs/heads/"+branch)
		default:
			r.git.refs["refs/heads/"+branch] = sha
		}
		r.g.refsMoved(r.repository, r.admin())
		return nil
	})
}

// admin is who acts where nobody is named.
func (r *Repo) admin() *account {
	if len(r.owner.owners) > 0 {
		return r.owner.owners[0]
	}
	return r.owner
}

// Branch returns where a branch points; empty when there is none.
func (r *Repo) Branch(name string) string {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return r.git.branch(name)
}

// Branches lists the names of the branches that begin with a prefix, sorted.
func (r *Repo) Branches(prefix string) (names []string) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for name := range r.git.refs {
		if short, ok := strings.CutPrefix(name, "refs/heads/"); ok && strings.HasPrefix(short, prefix) {
			names = append(names, short)
		}
	}
	slices.Sort(names)
	return names
}

// File returns a file at the tip of a branch, and whether it is there.
func (r *Repo) File(branch, name string) (data string, ok bool) {
	f, ok := r.entry(branch, name)
	return string(f.data), ok
}

// Mode returns a file's mode at the tip of a branch; empty when it is not there.
func (r *Repo) Mode(branch, name string) string {
	f, _ := r.entry(branch, name)
	return f.mode
}

func (r *Repo) entry(branch, name string) (blob, bool) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	c := r.git.objects[r.git.branch(branch)]
	if c == nil {
		return blob{}, false
	}
	f, ok := c.tree[name]
	return f, ok
}

// TreeID returns the id of a commit's tree, BlobID that of a file in it.
func (r *Repo) TreeID(sha string) string {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return r.git.objects[sha].tree.id()
}

// BlobID returns the id of a file of a commit.
func (r *Repo) BlobID(sha, name string) string {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	return r.git.objects[sha].tree[name].id()
}

// Commits lists the commits of a branch, newest first.
func (r *Repo) Commits(branch string) (list []Commit) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for _, c := range r.git.history(r.git.branch(branch)) {
		list = append(list, seenCommit(c))
	}
	return list
}

// CheckRuns lists the check runs, oldest first.
func (r *Repo) CheckRuns() (list []CheckRun) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	for _, run := range r.g.checks {
		if run.repo == r.repository {
			list = append(list, CheckRun{run.id, run.Check})
		}
	}
	slices.SortFunc(list, func(a, b CheckRun) int { return int(a.ID - b.ID) })
	return list
}

// Press has somebody press a button of a check run.
func (r *Repo) Press(as string, c CheckRun, verb string) {
	r.g.t.Helper()
	r.g.act(func() error {
		if !slices.ContainsFunc(c.Buttons, func(b port.CheckButton) bool { return b.Verb == verb }) {
			return fmt.Errorf("there is no button %s on %s", verb, c)
		}
		by := r.g.account(as)
		if !r.permission(by).Allows(port.PermissionWrite) {
			return errors.New("only who may write presses buttons")
		}
		on := port.Thread{Number: c.Thread, URL: fmt.Sprintf("%s%s/issues/%d", site, r.fullName(), c.Thread)}
		if t := r.threads[c.Thread]; t != nil && t.pull != nil && !t.closed && t.pull.headSHA == c.SHA {
			on.Pull, on.URL = true, t.url()
		}
		r.g.tell(r.repository, by, port.Event{Kind: port.Pressed, Action: "requested_action", Thread: on,
			Button: &port.Button{Verb: verb, Run: c.Run, Check: c.ID}})
		return nil
	})
}

// Fork makes an account's fork of a repository, with all its branches.
func (r *Repo) Fork(owner string) *Repo {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	f := &repository{id: r.g.id("repository"), owner: r.g.account(owner), name: r.name, defaultBranch: r.defaultBranch,
		public: r.public,
		parent: r.repository, git: &git{objects: r.git.objects, refs: map[string]string{}},
		roles: map[string]port.Permission{}, protected: map[string]string{}, threads: map[int]*thread{}}
	for name, sha := range r.git.refs {
		if strings.HasPrefix(name, "refs/heads/") {
			f.git.refs[name] = sha
		}
	}
	r.g.repos = append(r.g.repos, f)
	return &Repo{f, r.g}
}
