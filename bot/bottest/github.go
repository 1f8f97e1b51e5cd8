package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/port"
)

// GitHub is a GitHub in memory with one app, as the app sees it through its installations: it implements port.GitHub.
// What people do there are methods of Repo, Thread and Comment. Safe for concurrent use.
type GitHub struct {
	t      testing.TB
	faults *faults
	clock  *Clock
	// deliver gets what GitHub tells the app by webhooks; nil tells nobody.
	deliver func(port.Event)
	// report is told when GitHub tells the app that CI reported about a commit; nil tells nobody.
	report func(repo int64, sha string)

	mu            sync.Mutex
	outbox        []port.Event // to be delivered after the act
	reports       []ciReport   // likewise
	plays         []func()     // what CI does when the queue is idle
	skew          time.Duration
	bot           *account
	accounts      map[string]*account // by login in lower case
	repos         []*repository
	installations []*installation
	lastID        map[string]int64
	checks        map[int64]*checkRun
	writes        []time.Time // content that the app wrote within the last minute
	notices       []time.Time // those of them that said that a command waits
}

var _ port.GitHub = (*GitHub)(nil)

// Slug is the app's name; Slug + "[bot]" is its login.
const Slug = "tenon"

// NewGitHub returns a GitHub without repositories. A person who does there what GitHub does not allow fails the test.
func NewGitHub(t testing.TB, clock *Clock) *GitHub {
	g := &GitHub{t: t, clock: clock, accounts: map[string]*account{}, lastID: map[string]int64{},
		checks: map[int64]*checkRun{}}
	g.bot = g.account(Slug + "[bot]")
	return g
}

// account is a person, an organisation or an app.
type account struct {
	id    int64
	login string
	org   bool
	// owners are those of an organisation.
	owners []*account
}

func (a *account) isBot() bool { return strings.HasSuffix(a.login, "[bot]") }

func (a *account) user() port.User { return port.User{ID: a.id, Login: a.login, Bot: a.isBot()} }

// User returns somebody's account, as GitHub tells of it.
func (g *GitHub) User(login string) port.User {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.account(login).user()
}

// account finds or makes an account.
func (g *GitHub) account(login string) *account {
	key := strings.ToLower(login)
	if g.accounts[key] == nil {
		g.accounts[key] = &account{id: 1000 + int64(len(g.accounts)), login: login}
	}
	return g.accounts[key]
}

// firstID is beyond 32 bits, as GitHub's ids are. Each kind has a sequence of its own.
const firstID = 3_000_000_001

func (g *GitHub) id(kind string) int64 {
	if g.lastID[kind] == 0 {
		g.lastID[kind] = firstID - 1
	}
	g.lastID[kind]++
	return g.lastID[kind]
}

// now is the time by GitHub's clock, in whole seconds.
func (g *GitHub) now() time.Time { return g.clock.Now().Add(g.skew).Truncate(time.Second) }

// installation is the app on an account.
type installation struct {
	id      int64
	account *account
	// only are the repositories that it reaches; nil means all.
	only        []*repository
	permissions map[string]string
	suspended   bool
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

func (in *installation) covers(r *repository) bool {
	return in != nil && in.account == r.owner && (in.only == nil || slices.Contains(in.only, r))
}

func (in *installation) may(needs string) bool {
	name, level, _ := strings.Cut(needs, ":")
	has := in.permissions[name]
	return has == "write" || has == level
}

// repository is a repository on GitHub.
type repository struct {
	id            int64
	owner         *account
	name          string
	formerly      []string // names that lead here, in lower case
	defaultBranch string
	public        bool
	archived      bool
	gone          bool
	noDrafts      bool
	parent        *repository // of a fork
	noMaintainers bool        // a fork whose base's maintainers may not push, whatever its pull requests say
	git           *git
	roles         map[string]port.Permission // by login in lower case
	protected     map[string]string          // reasons by branch
	threads       map[int]*thread
	lastNumber    int
	// behind are the commits that GitHub knows while it has not caught up with its branches; nil when it has.
	behind map[string]bool
	ci     repositoryCI
}

func (r *repository) fullName() string { return r.owner.login + "/" + r.name }

// ref is how an installation names the repository.
func (r *repository) ref(installation int64) port.RepoRef {
	return port.RepoRef{Installation: installation, ID: r.id, NodeID: fmt.Sprintf("R_%d", r.id), Owner: r.owner.login,
		Name:          r.name,
		DefaultBranch: r.defaultBranch, Archived: r.archived}
}

// permission is what an account may do: the owner and the owners of an organisation everything.
func (r *repository) permission(a *account) port.Permission {
	role := r.roles[strings.ToLower(a.login)]
	switch {
	case a == r.owner || slices.Contains(r.owner.owners, a):
		return port.PermissionAdmin
	case role != "" && role != port.PermissionNone:
		return role
	case r.public:
		return port.PermissionRead
	}
	return port.PermissionNone
}

// writable says why nothing can be written to a repository.
func (r *repository) writable() error {
	if r.archived {
		return forbidden("Repository was archived so is read-only.")
	}
	return nil
}

// refusal is what GitHub says against a push to a branch; empty when nothing.
func (r *repository) refusal(branch string, changes []port.Change, in *installation) string {
	if reason := r.protected[branch]; reason != "" {
		return reason
	}
	for _, change := range changes {
		if strings.HasPrefix(change.Path, ".github/workflows/") && (in == nil || !in.may("workflows:write")) {
			return fmt.Sprintf("refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission",
				change.Path)
		}
	}
	return ""
}

// find returns a repository by a name that it has, or had; nil when there is none.
func (g *GitHub) find(fullName string) *repository {
	name := strings.ToLower(fullName)
	for _, r := range g.repos {
		if !r.gone && strings.ToLower(r.fullName()) == name {
			return r
		}
	}
	for _, r := range g.repos {
		if !r.gone && slices.Contains(r.formerly, name) {
			return r
		}
	}
	return nil
}

func (g *GitHub) byID(id int64) *repository {
	for _, r := range g.repos {
		if r.id == id && !r.gone {
			return r
		}
	}
	return nil
}

// installation returns that of a reference; nil when the app is no longer installed there.
func (g *GitHub) installation(ref port.RepoRef) *installation {
	for _, in := range g.installations {
		if in.id == ref.Installation {
			return in
		}
	}
	return nil
}

func (g *GitHub) installationOf(r *repository) *installation {
	for _, in := range g.installations {
		if in.covers(r) {
			return in
		}
	}
	return nil
}

// The permissions that the app asks a token for, by what it does.
var (
	reading   = []string{"contents:read", "issues:read", "pull_requests:read"}
	answering = []string{"issues:write", "pull_requests:write"}
)

// reach finds a repository as an installation sees it, with a token that needs permissions.
func (g *GitHub) reach(ref port.RepoRef, needs ...string) (*repository, error) {
	if ref.Owner == "" || ref.Name == "" || strings.ContainsAny(ref.Owner+ref.Name, "/?#%") {
		return nil, callerError("%q is not the name of a repository", ref)
	}
	in := g.installation(ref)
	switch {
	case in == nil:
		return nil, &statusError{404, "the app is no longer installed there", port.ErrNotFound}
	case in.suspended:
		return nil, &statusError{403, "This installation has been suspended", port.ErrDenied}
	}
	if r := g.byID(ref.ID); ref.ID != 0 && (r == nil || !in.covers(r)) {
		return nil, &statusError{422, "the repository is not part of the installation", port.ErrNotFound}
	}
	for _, need := range needs {
		if !in.may(need) {
			return nil, &statusError{422, "the permissions are not granted to this installation: " + need, port.ErrDenied}
		}
	}
	r := g.find(ref.String())
	if r == nil || !in.covers(r) && !r.public {
		return nil, notFound()
	}
	return r, nil
}

// Prepare does nothing but to be among the calls.
func (g *GitHub) Prepare(_ port.RepoRef, p port.Purpose) {
	names := map[port.Purpose]string{port.Answering: "answering", port.Committing: "committing"}
	_ = g.faults.begin(context.Background(), Call{Op: "Prepare", Text: names[p]})
}

// Permission asks what a login may do in a repository.
func (g *GitHub) Permission(ctx context.Context, ref port.RepoRef, login string) (port.Permission, error) {
	call := Call{Op: "Permission", Text: login}
	out, err := do(ctx, g.faults, call, func() (port.Permission, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if login == "" || login == "." || login == ".." {
			return "", callerError("%q is nobody", login)
		}
		r, err := g.reach(ref, reading...)
		if err != nil {
			return "", err
		}
		a := g.accounts[strings.ToLower(login)]
		if a == nil || a.org {
			return "", notFound()
		}
		return r.permission(a), nil
	})
	if err != nil {
		return port.PermissionNone, err
	}
	return out, nil
}

// Repository asks for a repository by its id.
func (g *GitHub) Repository(ctx context.Context, ref port.RepoRef) (port.RepoRef, error) {
	return do(ctx, g.faults, Call{Op: "Repository", Text: ref.String()}, func() (port.RepoRef, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if _, err := g.reach(port.RepoRef{Installation: ref.Installation, ID: ref.ID, Owner: ref.Owner, Name: ref.Name},
			reading...); err != nil {
			return port.RepoRef{}, err
		}
		return g.byID(ref.ID).ref(ref.Installation), nil
	})
}

// Sibling finds another repository of the same owner.
func (g *GitHub) Sibling(ctx context.Context, ref port.RepoRef, name string) (port.RepoRef, error) {
	return do(ctx, g.faults, Call{Op: "Sibling", Text: name}, func() (port.RepoRef, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if name == "" || strings.ContainsAny(name, "/?#%") {
			return port.RepoRef{}, callerError("%q is not the name of a repository", name)
		}
		if _, err := g.reach(ref, reading...); err != nil {
			return port.RepoRef{}, err
		}
		r, full := g.find(ref.Owner+"/"+name), strings.ToLower(ref.Owner+"/"+name)
		switch {
		case r == nil || strings.ToLower(r.fullName()) != full:
			return port.RepoRef{}, fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
		case g.installation(ref).covers(r):
			return r.ref(ref.Installation), nil
		case r.public:
			return port.RepoRef{}, fmt.Errorf("%s is not part of the installation: %w", full, port.ErrDenied)
		}
		return port.RepoRef{}, fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
	})
}

// GitHub's limits.
const (
	maxText  = 65536 // characters of a comment, a review, an issue
	maxTitle = 256   // characters
	// Writes of the app in a minute from which on others are left out: those that add nothing to the answer, and answers
	// that can be written later.
	optionalPerMinute = 36
	earlyPerMinute    = 40
	// noticesPerMinute are the notices of commands that wait; they also have the limit of what adds nothing.
	noticesPerMinute = 4
)

// checkBody says why GitHub takes no such text.
func checkBody(body string) error {
	if strings.TrimSpace(body) == "" {
		return callerError("the comment is blank, which GitHub does not accept")
	}
	if n := utf8.RuneCountInString(body); n > maxText {
		return callerError("the comment has %d characters; GitHub accepts at most %d", n, maxText)
	}
	return nil
}

// statusError is a refusal of GitHub's.
type statusError struct {
	status  int
	message string
	kind    error // port.ErrNotFound, port.ErrDenied or nil
}

func (e *statusError) Error() string {
	return fmt.Sprintf("GitHub answered %d: %s", e.status, e.message)
}
func (e *statusError) Unwrap() error { return e.kind }

// Permanent reports whether the same request is answered the same way for ever.
func (e *statusError) Permanent() bool { return e.status == 403 || e.status == 410 || e.status == 422 }

func notFound() error { return &statusError{404, "Not Found", port.ErrNotFound} }

func forbidden(message string) error { return &statusError{403, message, port.ErrDenied} }

func unprocessable(format string, args ...any) error {
	return &statusError{422, fmt.Sprintf(format, args...), nil}
}

// callerError is for a request that GitHub would refuse, so that no adapter sends it.
func callerError(format string, args ...any) error { return unprocessable(format, args...) }
