package simhttp

import (
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func (c allowed) sender() *model.User { return c.SenderOf(c.token) }

// integration returns the App of the check runs that the token makes; nil is the App itself.
func (c allowed) integration() *model.Integration {
	if c.token.Kind == model.JobToken {
		return c.IntegrationOf(model.ActionsApp)
	}
	return nil
}

// tokenMay reports whether the token has a permission in the repository of the call.
func (c allowed) tokenMay(permission, level string) bool {
	if level == "write" && c.repo != nil {
		return c.MayWrite(c.token, c.repo, permission)
	}
	return c.token.May(permission, level)
}

// lacks returns the error for a token without any of these permissions, which a header names: "you can use the
// X-Accepted-GitHub-Permissions header to identify the permissions that are required".
func (c allowed) lacks(alternatives []string) *model.APIError {
	e := notAccessible()
	if c.token.Kind == model.PersonalToken {
		e = model.Refuse(http.StatusForbidden, "Resource not accessible by personal access token")
	}
	e.Header = http.Header{}
	e.Header.Set("X-Accepted-GitHub-Permissions", strings.ReplaceAll(strings.Join(alternatives, "; "), ":", "="))
	return e
}

// mayOpenPulls returns the error of a job where the repository does not allow it.
func (c allowed) mayOpenPulls() error {
	if c.token.Kind == model.JobToken && !c.State.TokensOf.Pulls[c.repo] {
		return model.Refuse(http.StatusForbidden, "GitHub Actions is not permitted to create or approve pull requests.")
	}
	return nil
}

// requestLimit returns how many requests an hour has for the token.
func (c spending) requestLimit() int {
	if c.token.Kind == model.JobToken {
		return c.opts.RequestsPerHourOfJobs
	}
	return c.opts.RequestsPerHour
}

// viewerNode returns the User whose token it is; the account of an App counts as one here, with "[bot]" in its login.
func (c allowed) viewerNode() model.Object {
	u := c.sender()
	return model.Object{"__typename": "User", "id": sim.NodeID("U", u.ID), "databaseId": u.ID, "login": u.Login}
}

// refuseWorkflows returns the error of a move of a branch to commits that change the file of a workflow.
func (c allowed) refuseWorkflows(file string) error {
	if c.token.Kind != model.JobToken {
		return notAccessible()
	}
	return model.Refuse(http.StatusForbidden,
		"refusing to allow a GitHub App to create or update workflow `%s` without `workflows` permission", file)
}
