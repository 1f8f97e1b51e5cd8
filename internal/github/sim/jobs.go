package sim

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Who a job acts as, on github.com: https://api.github.com/users/github-actions[bot].
const (
	jobLogin = model.ActionsApp + "[bot]"
	jobID    = 41898282
)

// jobTokenLife: "The token expires when a job finishes or after a maximum of 24 hours."
const jobTokenLife = 24 * time.Hour

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
func (s tokens) NewJobToken(job JobToken) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(job.Repo)
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
	in := s.State.TokensOf.Jobs[r]
	if in == nil {
		in = s.ownerOfTokens(r.Owner)
		s.State.TokensOf.Jobs[r] = in
	}
	return s.addToken(&model.Token{Value: NewTokenValue(), Installation: in, Permissions: given,
		Repos: map[int64]bool{r.ID: true}, Expires: s.Clock().Add(jobTokenLife), Kind: model.JobToken, By: s.jobBot()}), nil
}

// NewPersonalToken returns a token that a person made, a fine-grained one, with permissions such as "contents": "write"
// for all repositories to which the person has access.
func (s tokens) NewPersonalToken(login string, permissions map[string]string) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	u, err := s.State.User(login)
	if err != nil {
		return "", err
	}
	in := s.State.TokensOf.People[u]
	if in == nil {
		in = s.ownerOfTokens(u)
		s.State.TokensOf.People[u] = in
	}
	given := map[string]string{"metadata": "read"}
	maps.Copy(given, permissions)
	return s.addToken(&model.Token{Value: "github_pat_" + rand.Text() + "_" + rand.Text(), Installation: in,
		Permissions: given, Expires: s.Clock().AddDate(1, 0, 0), Kind: model.PersonalToken, By: u}), nil
}

// EndToken makes a token useless, as the end of its job does, or its owner.
func (s tokens) EndToken(value string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	delete(s.State.Tokens, value)
}

// AllowJobsToOpenPulls is the setting "Allow GitHub Actions to create and approve pull requests", which is off for new
// repositories.
func (s tokens) AllowJobsToOpenPulls(repo string, yes bool) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err == nil {
		s.State.TokensOf.Pulls[r] = yes
	}
	return err
}

// ownerOfTokens returns what requests are counted of: no installation of the App.
func (s tokens) ownerOfTokens(account *model.User) *model.Installation {
	return &model.Installation{ID: s.State.ID("installation"), Account: account, Created: s.Now()}
}

func (s tokens) addToken(t *model.Token) string {
	s.State.Tokens[t.Value] = t
	return t.Value
}

// jobBot returns the account of GitHub Actions.
func (s tokens) jobBot() *model.User {
	if u, err := s.State.User(jobLogin); err == nil {
		return u
	}
	u := s.State.NewUser(jobLogin, UserBot, s.Now())
	u.ID = jobID
	return u
}

// senderOf returns who acts with a token; nil is the App's.
func (s tokens) SenderOf(t *model.Token) *model.User {
	if t != nil && t.By != nil {
		return t.By
	}
	return s.App.Bot
}

// appOf returns the slug of the other App that an account is of, "" if it is none.
func (s tokens) appOf(by *model.User) string {
	if by.Login == jobLogin {
		return model.ActionsApp
	}
	return ""
}

// mayWrite reports whether a token may write something of a repository. That of a person may do what the person may:
// with read permission, write comments.
func (s tokens) MayWrite(t *model.Token, r *model.Repository, permission string) bool {
	if t.Kind == model.PersonalToken && permission != "issues" && permission != "pull_requests" &&
		!r.RoleOf(t.By).AtLeast(model.RoleWrite) {
		return false
	}
	return t.May(permission, "write")
}
