package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Repository returns the repository with the id of repo, also if its name or owner changed. It returns port.ErrNotFound
// if it was deleted or is no longer part of the installation.
func (c *Client) Repository(ctx context.Context, repo port.RepoRef) (port.RepoRef, error) {
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return port.RepoRef{}, err
	}
	got, _, err := api.Repositories.GetByID(ctx, repo.ID)
	if err != nil {
		return port.RepoRef{}, c.explain(err, "asking for repository %d", repo.ID)
	}
	return fromRepo(repo.Installation, got), nil
}

func fromRepo(installation int64, r *github.Repository) port.RepoRef {
	return port.RepoRef{
		Installation:  installation,
		ID:            r.GetID(),
		NodeID:        r.GetNodeID(),
		Owner:         r.GetOwner().GetLogin(),
		Name:          r.GetName(),
		DefaultBranch: r.GetDefaultBranch(),
		Archived:      r.GetArchived(),
	}
}

// Sibling returns another repository of the same owner. It requests a token to read it, which it keeps. It returns
// port.ErrDenied if the repository is not part of the installation, and port.ErrNotFound if there is none, or if it is
// private and not part of the installation.
func (c *Client) Sibling(ctx context.Context, repo port.RepoRef, name string) (port.RepoRef, error) {
	if err := c.checkRepo(repo); err != nil {
		return port.RepoRef{}, err
	}
	if !isPathSegment(name) {
		return port.RepoRef{}, callerError(fmt.Sprintf("%q is not the name of a repository", name))
	}
	if c.plain != nil {
		return c.plainSibling(ctx, repo, name)
	}
	g := grant{installation: repo.Installation, scope: reading}
	made, err := c.mintFor(ctx, g, &github.InstallationTokenOptions{Repositories: []string{name}})
	var status *statusError
	switch {
	case errors.As(err, &status) && status.status == http.StatusUnprocessableEntity:
		return port.RepoRef{}, c.explainOutside(ctx, repo, name)
	case err != nil:
		return port.RepoRef{}, fmt.Errorf("looking for %s/%s: %w", repo.Owner, name, err)
	case len(made.Repositories) != 1 || made.Repositories[0].GetID() <= 0:
		return port.RepoRef{}, fmt.Errorf("looking for %s/%s: GitHub's answer names %d repositories",
			repo.Owner, name, len(made.Repositories))
	}
	found := fromRepo(repo.Installation, made.Repositories[0])
	g.repo = found.ID
	c.minted.keep(g, c.minted.entry(g), token{value: made.GetToken(), until: made.GetExpiresAt().Time})
	return found, nil
}

// explainOutside returns the error for a repository that is not part of the installation: port.ErrDenied if it is
// public.
func (c *Client) explainOutside(ctx context.Context, repo port.RepoRef, name string) error {
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return err
	}
	full := repo.Owner + "/" + name
	got, _, err := api.Repositories.Get(ctx, repo.Owner, name)
	switch {
	case err != nil:
		return c.explain(err, "looking for %s", full)
	case !strings.EqualFold(got.GetFullName(), full): // a repository that had this name earlier
		return fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
	}
	return fmt.Errorf("%s is not part of the installation: %w", full, port.ErrDenied)
}

// Permission returns the permission of login in repo, which is none after an error. It returns port.ErrNotFound if
// there is no such user, or if the repository is not accessible.
func (c *Client) Permission(ctx context.Context, repo port.RepoRef, login string) (port.Permission, error) {
	if login == "" || login == "." || login == ".." {
		return port.PermissionNone, callerError(fmt.Sprintf("asking for a permission: %q is not a login", login))
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return port.PermissionNone, err
	}
	level, _, err := api.Repositories.GetPermissionLevel(ctx, repo.Owner, repo.Name, url.PathEscape(login))
	if err != nil {
		return port.PermissionNone, c.explain(err, "asking for the permission of %s in %s", login, repo)
	}
	return permission(level), nil
}

// permission evaluates GitHub's two fields. permission is read, write, admin or none, also for custom roles. role_name
// tells triage from read and maintain from write, and is any name for a custom role.
func permission(level *github.RepositoryPermissionLevel) port.Permission {
	switch base, role := level.GetPermission(), level.GetRoleName(); {
	case base == "admin":
		return port.PermissionAdmin
	case base == "write" && role == "maintain":
		return port.PermissionMaintain
	case base == "write":
		return port.PermissionWrite
	case base == "read" && role == "triage":
		return port.PermissionTriage
	case base == "read":
		return port.PermissionRead
	}
	return port.PermissionNone
}

// plainSibling is Sibling with a plain token, which can read what its owner can, and public repositories.
func (c *Client) plainSibling(ctx context.Context, repo port.RepoRef, name string) (port.RepoRef, error) {
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return port.RepoRef{}, err
	}
	full := repo.Owner + "/" + name
	got, _, err := api.Repositories.Get(ctx, repo.Owner, name)
	switch {
	case err != nil:
		return port.RepoRef{}, c.explain(err, "looking for %s", full)
	case !strings.EqualFold(got.GetFullName(), full): // a repository that had this name earlier
		return port.RepoRef{}, fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
	}
	return fromRepo(repo.Installation, got), nil
}
