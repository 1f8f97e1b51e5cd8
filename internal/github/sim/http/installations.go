package simhttp

import (
	"maps"
	"net/http"
	"slices"
	"sort"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// getMeta answers with "api-overview", of which all but one field is about addresses.
func getMeta(*call) (*answer, error) {
	return ok(entity.Object{"verifiable_password_authentication": false})
}

func getApp(c *call) (*answer, error) { return ok(c.form.Integration(c.App)) }

func listInstallations(c *call) (*answer, error) {
	all := slices.Collect(maps.Values(c.State.Installations))
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return paged(c, all, c.form.Installation)
}

func getInstallation(c *call) (*answer, error) {
	in, err := findInstallation(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Installation(in))
}

func getRepoInstallation(c *call) (*answer, error) {
	if in := c.State.InstallationOf(c.repo.Owner); in != nil && in.Covers(c.repo) {
		return ok(c.form.Installation(in))
	}
	return nil, notFound()
}

// createToken creates a token, restricted as the body says. It never has more permissions than the installation.
func createToken(c *call) (*answer, error) {
	in, err := findInstallation(c)
	if err != nil {
		return nil, err
	}
	if in.Suspended != nil {
		return nil, entity.Refuse(http.StatusForbidden, "This installation has been suspended")
	}
	var want struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if err := c.decode(&want); err != nil {
		return nil, err
	}
	t := &entity.Token{Value: sim.NewTokenValue(), Installation: in, Expires: c.Now().Add(tokenLife)}
	if t.Repos, err = c.narrowRepos(in, want.Repositories, want.RepositoryIDs); err != nil {
		return nil, err
	}
	if t.Permissions, err = narrowPermissions(in, want.Permissions); err != nil {
		return nil, err
	}
	c.State.Tokens[t.Value] = t
	return &answer{status: http.StatusCreated, body: c.form.Token(t)}, nil
}

// tokenLife: "Installation access tokens expire one hour from the time you create them."
const tokenLife = time.Hour

func (c *call) narrowRepos(in *entity.Installation, names []string, ids []int64) (map[int64]bool, error) {
	if names == nil && ids == nil {
		return nil, nil
	}
	absent := entity.Unprocessable(
		"There is at least one repository that does not exist or is not accessible to the parent installation.")
	repos := map[int64]bool{}
	for _, name := range names {
		r, err := c.State.Repo(in.Account.Login + "/" + name)
		if err != nil {
			return nil, absent
		}
		ids = append(ids, r.ID)
	}
	for _, id := range ids {
		r := c.State.Repos[id]
		if r == nil || r.Deleted || !in.Covers(r) {
			return nil, absent
		}
		repos[id] = true
	}
	return repos, nil
}

func narrowPermissions(in *entity.Installation, want map[string]string) (map[string]string, error) {
	if len(want) == 0 {
		return maps.Clone(in.Permissions), nil
	}
	have := entity.Token{Permissions: in.Permissions}
	for name, level := range want {
		if !have.May(name, level) {
			return nil, entity.Unprocessable("The permissions requested are not granted to this installation.")
		}
	}
	narrowed := maps.Clone(want)
	narrowed["metadata"] = "read" // every token has it
	return narrowed, nil
}

func listInstallationRepos(c *call) (*answer, error) {
	all := c.ReposOf(c.token)
	list, header := cut(c, all, c.form.RepositoryObject)
	selection := c.form.Token(c.token)["repository_selection"]
	return &answer{status: http.StatusOK, header: header, body: entity.Object{"total_count": len(all),
		"repositories": list, "repository_selection": selection}}, nil
}

func revokeToken(c *call) (*answer, error) {
	delete(c.State.Tokens, c.token.Value)
	return noContent()
}
