package sim

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// tokens makes the tokens of jobs and people, and knows what each token may do.
type tokens struct{ *entity.Core }

// NewTokenValue returns a token in GitHub's form: "ghs_" and 36 letters and digits.
func NewTokenValue() string { return "ghs_" + rand.Text() + rand.Text()[:10] }

// CheckToken returns the token with a value, or the 401 or 403 of one that is unknown, expired or suspended.
func (s tokens) CheckToken(value string) (*entity.Token, error) {
	t := s.State.Tokens[value]
	if t == nil || !s.Clock().Before(t.Expires) {
		return nil, entity.Refuse(http.StatusUnauthorized, "Bad credentials")
	}
	if t.Installation.Suspended != nil {
		return nil, entity.Refuse(http.StatusForbidden, "This installation has been suspended")
	}
	return t, nil
}

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
	granted := map[string]string{"metadata": "read"}
	if job.Permissions == nil {
		granted["contents"], granted["packages"] = "read", "read"
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
		granted[strings.ReplaceAll(name, "-", "_")] = level
	}
	in := s.State.TokensOf.Jobs[r]
	if in == nil {
		in = s.ownerOfTokens(r.Owner)
		s.State.TokensOf.Jobs[r] = in
	}
	return s.addToken(&entity.Token{Value: NewTokenValue(), Installation: in, Permissions: granted,
		Repos: map[int64]bool{r.ID: true}, Expires: s.Clock().Add(jobTokenLife), Kind: entity.JobToken,
		By: people(s).jobBot()}), nil
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
	granted := map[string]string{"metadata": "read"}
	maps.Copy(granted, permissions)
	return s.addToken(&entity.Token{Value: "github_pat_" + rand.Text() + "_" + rand.Text(), Installation: in,
		Permissions: granted, Expires: s.Clock().AddDate(1, 0, 0), Kind: entity.PersonalToken, By: u}), nil
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

// ownerOfTokens returns an installation for counting requests, which is none of the App.
func (s tokens) ownerOfTokens(account *entity.User) *entity.Installation {
	return &entity.Installation{ID: s.State.ID("installation"), Account: account, Created: s.Now()}
}

func (s tokens) addToken(t *entity.Token) string {
	s.State.Tokens[t.Value] = t
	return t.Value
}

// SenderOf returns who acts with a token; a nil token is the App's.
func (s tokens) SenderOf(t *entity.Token) *entity.User {
	if t != nil && t.By != nil {
		return t.By
	}
	return s.App.Bot
}

// MayWrite reports whether a token may write something of a repository. That of a person may do what the person may:
// with read permission, write comments.
func (s tokens) MayWrite(t *entity.Token, r *entity.Repository, permission string) bool {
	if t.Kind == entity.PersonalToken && permission != "issues" && permission != "pull_requests" &&
		!r.RoleOf(t.By).AtLeast(entity.RoleWrite) {
		return false
	}
	return t.May(permission, "write")
}
