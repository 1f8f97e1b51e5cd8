package ghtest

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// tokenKind is whose token it is.
type tokenKind int

const (
	appToken      tokenKind = iota // of an installation of the App
	jobToken                       // of a job of GitHub Actions
	personalToken                  // of a person, with the permissions that the person chose
)

// Who a job acts as, on github.com: https://api.github.com/users/github-actions[bot].
const (
	jobLogin = actionsApp + "[bot]"
	jobID    = 41898282
)

// jobTokenLife: "The token expires when a job finishes or after a maximum of 24 hours."
const jobTokenLife = 24 * time.Hour

// tokenOwners are what the tokens are of that are none of the App.
type tokenOwners struct {
	jobs   map[*repository]*installation // of GitHub Actions
	people map[*user]*installation
	// pulls are the repositories whose jobs may open pull requests.
	pulls map[*repository]bool
}

func newTokenOwners() tokenOwners {
	return tokenOwners{jobs: map[*repository]*installation{}, people: map[*user]*installation{},
		pulls: map[*repository]bool{}}
}

// JobToken is the token of a job of GitHub Actions.
type JobToken struct {
	Repo string
	// Permissions are those of the workflow, as its `permissions:` has them, such as "pull-requests": "write". What is not
	// named is "none". nil is no such block: the token may read contents and packages.
	Permissions map[string]string
	// FromFork is that of a workflow that runs for a pull request from a fork: its token can only read.
	FromFork bool
}

// jobPermissions are the keys of `permissions:`, of which none is for workflows.
var jobPermissions = []string{"actions", "attestations", "checks", "contents", "deployments", "discussions", "id-token",
	"issues", "models", "packages", "pages", "pull-requests", "security-events", "statuses"}

// NewJobToken returns the token that GitHub gives a job, GITHUB_TOKEN: it is for one repository, and what is done with
// it is done by github-actions[bot], of another App.
func (s *Server) NewJobToken(job JobToken) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(job.Repo)
	if err != nil {
		return "", err
	}
	given := map[string]string{"metadata": "read"}
	if job.Permissions == nil {
		given["contents"], given["packages"] = "read", "read"
	}
	for name, level := range job.Permissions {
		if !slices.Contains(jobPermissions, name) || !slices.Contains([]string{"read", "write", "none"}, level) {
			return "", fmt.Errorf("a workflow has no permission %s: %s", name, level)
		}
		switch {
		case level == "none":
			continue
		case job.FromFork:
			level = "read"
		}
		given[strings.ReplaceAll(name, "-", "_")] = level
	}
	in := s.state.tokensOf.jobs[r]
	if in == nil {
		in = s.ownerOfTokens(r.owner)
		s.state.tokensOf.jobs[r] = in
	}
	return s.addToken(&token{value: newTokenValue(), installation: in, permissions: given,
		repos: map[int64]bool{r.id: true}, expires: s.opts.Now().Add(jobTokenLife), kind: jobToken, by: s.jobBot()}), nil
}

// NewPersonalToken returns a token that a person made, a fine-grained one, with permissions such as "contents": "write"
// for all repositories to which the person has access.
func (s *Server) NewPersonalToken(login string, permissions map[string]string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u, err := s.state.user(login)
	if err != nil {
		return "", err
	}
	in := s.state.tokensOf.people[u]
	if in == nil {
		in = s.ownerOfTokens(u)
		s.state.tokensOf.people[u] = in
	}
	given := map[string]string{"metadata": "read"}
	maps.Copy(given, permissions)
	return s.addToken(&token{value: "github_pat_" + rand.Text() + "_" + rand.Text(), installation: in,
		permissions: given, expires: s.opts.Now().AddDate(1, 0, 0), kind: personalToken, by: u}), nil
}

// EndToken makes a token useless, as the end of its job does, or its owner.
func (s *Server) EndToken(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.state.tokens, value)
}

// AllowJobsToOpenPulls is the setting "Allow GitHub Actions to create and approve pull requests", which is off for new
// repositories.
func (s *Server) AllowJobsToOpenPulls(repo string, yes bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err == nil {
		s.state.tokensOf.pulls[r] = yes
	}
	return err
}

// ownerOfTokens returns what requests are counted of: no installation of the App.
func (s *Server) ownerOfTokens(account *user) *installation {
	return &installation{id: s.state.id("installation"), account: account, created: s.now()}
}

func (s *Server) addToken(t *token) string {
	s.state.tokens[t.value] = t
	return t.value
}

// jobBot returns the account of GitHub Actions.
func (s *Server) jobBot() *user {
	if u, err := s.state.user(jobLogin); err == nil {
		return u
	}
	u := s.state.newUser(jobLogin, userBot, s.now())
	u.id = jobID
	return u
}

// senderOf returns who acts with a token; nil is the App's.
func (s *Server) senderOf(t *token) *user {
	if t != nil && t.by != nil {
		return t.by
	}
	return s.app.bot
}

func (c *call) sender() *user { return c.senderOf(c.token) }

// appOf returns the slug of the other App that an account is of, "" if it is none.
func (s *Server) appOf(by *user) string {
	if by.login == jobLogin {
		return actionsApp
	}
	return ""
}

// integration returns the App of the check runs that the token makes; nil is the App itself.
func (c *call) integration() *integration {
	if c.token.kind == jobToken {
		return c.integrationOf(actionsApp)
	}
	return nil
}

// mayRead reports whether a person has access to a repository.
func (u *user) mayRead(r *repository) bool { return r.roleOf(u).atLeast(RoleRead) }

// tokenMay reports whether the token has a permission in the repository of the call.
func (c *call) tokenMay(permission, level string) bool {
	if level == "write" && c.repo != nil {
		return c.mayWrite(c.token, c.repo, permission)
	}
	return c.token.may(permission, level)
}

// mayWrite reports whether a token may write something of a repository. That of a person may do what the person may:
// with read permission, write comments.
func (s *Server) mayWrite(t *token, r *repository, permission string) bool {
	if t.kind == personalToken && permission != "issues" && permission != "pull_requests" &&
		!r.roleOf(t.by).atLeast(RoleWrite) {
		return false
	}
	return t.may(permission, "write")
}

// lacks returns the error for a token without any of these permissions, which a header names: "you can use the
// X-Accepted-GitHub-Permissions header to identify the permissions that are required".
func (c *call) lacks(alternatives []string) *apiError {
	e := notAccessible()
	if c.token.kind == personalToken {
		e = refuse(http.StatusForbidden, "Resource not accessible by personal access token")
	}
	e.header = http.Header{}
	e.header.Set("X-Accepted-GitHub-Permissions", strings.ReplaceAll(strings.Join(alternatives, "; "), ":", "="))
	return e
}

// mayOpenPulls returns the error of a job where the repository does not allow it.
func (c *call) mayOpenPulls() error {
	if c.token.kind == jobToken && !c.state.tokensOf.pulls[c.repo] {
		return refuse(http.StatusForbidden, "GitHub Actions is not permitted to create or approve pull requests.")
	}
	return nil
}

// requestLimit returns how many requests an hour has for the token.
func (c *call) requestLimit() int {
	if c.token.kind == jobToken {
		return c.opts.RequestsPerHourOfJobs
	}
	return c.opts.RequestsPerHour
}

// viewerNode returns the User whose token it is; the account of an App counts as one here, with "[bot]" in its login.
func (c *call) viewerNode() object {
	u := c.sender()
	return object{"__typename": "User", "id": nodeID("U", u.id), "databaseId": u.id, "login": u.login}
}

// refuseWorkflows returns the error of a move of a branch to commits that change the file of a workflow.
func (c *call) refuseWorkflows(file string) error {
	if c.token.kind != jobToken {
		return notAccessible()
	}
	return refuse(http.StatusForbidden,
		"refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission", file)
}
