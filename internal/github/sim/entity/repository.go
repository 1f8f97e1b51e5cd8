package entity

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// Repository is a repository with its issues and pull requests.
type Repository struct {
	ID            int64
	Owner         *User
	Name          string
	Git           *git.Repository
	Public        bool
	Archived      bool
	Deleted       bool
	NoIssues      bool        // issues are disabled
	NoDrafts      bool        // its plan has no draft pull requests
	NoMaintainers bool        // a fork that refuses its base's maintainers
	Parent        *Repository // of a fork
	DefaultBranch string
	Roles         map[string]Role        // by lower-case login
	Protected     map[string]*Protection // by branch
	Labels        []*Label
	Issues        map[int]*Issue // pull requests too
	LastNumber    int            // of its issues and pull requests
	Created       time.Time
	Pushed        time.Time                  // when its branches moved last
	Diffs         map[string][]*git.FileDiff // of pull requests, by "base...head"
	Lag           *Lag                       // nil if GitHub has caught up with the branches
	Tips          map[string]string          // the branches after the last push
}

// FullName returns "owner/name".
func (r *Repository) FullName() string { return r.Owner.Login + "/" + r.Name }

// writable returns an error for an archived repository.
func (r *Repository) writable() error {
	if r.Archived {
		return fmt.Errorf("%s is archived and read-only", r.FullName())
	}
	return nil
}

// RoleOf returns a user's role: admin for the owner and an organisation's owners, read for anybody in a public
// repository.
func (r *Repository) RoleOf(u *User) Role {
	login := strings.ToLower(u.Login)
	if u == r.Owner || r.Owner.Owners[login] {
		return RoleAdmin
	}
	if role, ok := r.Roles[login]; ok && role != RoleNone {
		return role
	}
	if r.Public {
		return RoleRead
	}
	return RoleNone
}

// Association returns the author_association of GitHub's payloads.
func (r *Repository) Association(u *User) string {
	login := strings.ToLower(u.Login)
	switch {
	case u == r.Owner:
		return "OWNER"
	case r.Owner.Owners[login]:
		return "MEMBER"
	case r.Roles[login] != "" && r.Roles[login] != RoleNone:
		return "COLLABORATOR"
	}
	return "NONE"
}

// OpenIssues counts the open issues and pull requests.
func (r *Repository) OpenIssues() (n int) {
	for _, is := range r.Issues {
		if is.Open && !is.Gone {
			n++
		}
	}
	return n
}

// Protection is why a branch cannot be moved: its protection, or a rule of the repository.
type Protection struct {
	Reason string
	ByRule bool
}

// Refusal returns the error of the API.
func (p *Protection) Refusal() string {
	if p.ByRule {
		return "Repository rule violations found\n\n" + p.Reason + "\n\n"
	}
	return p.Reason
}

// Report returns git's output, and the reason beside the ref.
func (p *Protection) Report(page, branch string) (lines []string, beside string) {
	ref := "refs/heads/" + branch
	if !p.ByRule {
		return []string{"error: GH006: Protected branch update failed for " + ref + ".", "", "- " + p.Reason},
			"protected branch hook declined"
	}
	return []string{"error: GH013: Repository rule violations found for " + ref + ".",
			"Review all repository rules at " + page + "/rules?ref=" + url.QueryEscape(ref), "", "- " + p.Reason, ""},
		"push declined due to repository rule violations"
}

// Lag is what GitHub knows of the branches of a repository while it has not caught up with them.
type Lag struct {
	// Branches are the tips of the branches when it began, by name.
	Branches map[string]string
	// Opened are the pull requests that were opened meanwhile.
	Opened map[*Issue]bool
	// Dispatched start the runs of workflows that were asked for meanwhile.
	Dispatched []func()
}
