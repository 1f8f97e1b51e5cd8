package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Repository asks for the repository by its id, which a new name and a new owner leave as it is. bot.ErrNotFound: it is gone, or
// no longer part of the installation.
func (c *Client) Repository(ctx context.Context, repo port.RepoRef) (port.RepoRef, error) {
	api, err := c.as(repo, reading)
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

// Sibling finds another repository of the same owner by asking for a token to read it, which it keeps. bot.ErrDenied: there is
// one, which is not part of the installation; bot.ErrNotFound: none that can be seen, which a private one outside the
// installation cannot.
func (c *Client) Sibling(ctx context.Context, repo port.RepoRef, name string) (port.RepoRef, error) {
	if err := check(repo); err != nil {
		return port.RepoRef{}, err
	}
	if odd(name) {
		return port.RepoRef{}, callerError(fmt.Sprintf("%q is no name of a repository", name))
	}
	g := grant{installation: repo.Installation, scope: reading}
	token, err := c.mintFor(ctx, g, &github.InstallationTokenOptions{Repositories: []string{name}})
	var no *statusError
	switch {
	case errors.As(err, &no) && no.status == http.StatusUnprocessableEntity:
		return port.RepoRef{}, c.outside(ctx, repo, name)
	case err != nil:
		return port.RepoRef{}, fmt.Errorf("looking for %s/%s: %w", repo.Owner, name, err)
	case len(token.Repositories) != 1 || token.Repositories[0].GetID() <= 0:
		return port.RepoRef{}, fmt.Errorf("looking for %s/%s: GitHub's answer names %d repositories", repo.Owner, name, len(token.Repositories))
	}
	found := fromRepo(repo.Installation, token.Repositories[0])
	g.repo = found.ID
	c.tokens.keep(c.tokens.entry(g), token.GetToken(), token.GetExpiresAt().Time)
	return found, nil
}

// outside says whether a repository that the installation does not reach is there for all to see.
func (c *Client) outside(ctx context.Context, repo port.RepoRef, name string) error {
	api, err := c.as(repo, reading)
	if err != nil {
		return err
	}
	full := repo.Owner + "/" + name
	got, _, err := api.Repositories.Get(ctx, repo.Owner, name)
	switch {
	case err != nil:
		return c.explain(err, "looking for %s", full)
	case !strings.EqualFold(got.GetFullName(), full): // one that had this name
		return fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
	}
	return fmt.Errorf("%s is not part of the installation: %w", full, port.ErrDenied)
}
