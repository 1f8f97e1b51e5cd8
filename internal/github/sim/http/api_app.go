package simhttp

import (
	"maps"
	"net/http"
	"slices"
	"sort"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// jsonOf returns "integration".
func (s forms) jsonOf(a *model.App) model.Object {
	html := s.Base + "/apps/" + a.Slug
	return model.Object{"id": a.ID, "client_id": a.ClientID, "slug": a.Slug, "node_id": sim.NodeID("A", a.ID),
		"owner": s.userJSON(a.Owner), "name": a.Name, "description": nil,
		"external_url": html, "html_url": html, "created_at": stamp(a.Created),
		"updated_at": stamp(a.Created), "permissions": a.Permissions, "events": a.Events}
}

// getMeta answers with "api-overview", of which all but one field is about addresses.
func getMeta(*call) (*answer, error) {
	return ok(model.Object{"verifiable_password_authentication": false})
}

func getApp(c *call) (*answer, error) { return ok(c.jsonOf(c.App)) }

func (s forms) installationJSON(in *model.Installation) model.Object {
	api := s.Base + "/api/v3/app/installations/" + itoa(in.ID)
	selection := "all"
	if in.Repos != nil {
		selection = "selected"
	}
	var by any
	if in.Suspended != nil {
		by = s.userJSON(in.Account)
	}
	return model.Object{"id": in.ID, "account": s.userJSON(in.Account), "access_tokens_url": api + "/access_tokens",
		"repositories_url": s.Base + "/api/v3/installation/repositories",
		"html_url":         s.Base + "/settings/installations/" + itoa(in.ID),
		"app_id":           s.App.ID, "app_slug": s.App.Slug, "target_id": in.Account.ID,
		"target_type": string(in.Account.Kind),
		"permissions": in.Permissions, "events": s.App.Events, "created_at": stamp(in.Created),
		"updated_at":       stamp(in.Created),
		"single_file_name": nil, "repository_selection": selection, "suspended_at": stampOrNull(in.Suspended),
		"suspended_by": by}
}

func listInstallations(c *call) (*answer, error) {
	all := slices.Collect(maps.Values(c.State.Installations))
	sort.Slice(all, func(i, j int) bool { return all[i].ID < all[j].ID })
	return paged(c, all, c.installationJSON)
}

func (c named) installation() (*model.Installation, error) {
	id, err := c.number("installation_id")
	if err != nil {
		return nil, err
	}
	if in := c.State.Installations[id]; in != nil {
		return in, nil
	}
	return nil, notFound()
}

func getInstallation(c *call) (*answer, error) {
	in, err := c.installation()
	if err != nil {
		return nil, err
	}
	return ok(c.installationJSON(in))
}

func getRepoInstallation(c *call) (*answer, error) {
	if in := c.State.InstallationOf(c.repo.Owner); in != nil && in.Covers(c.repo) {
		return ok(c.installationJSON(in))
	}
	return nil, notFound()
}

// createToken creates a token, restricted as the body says. It never has more permissions than the installation.
func createToken(c *call) (*answer, error) {
	in, err := c.installation()
	if err != nil {
		return nil, err
	}
	if in.Suspended != nil {
		return nil, model.Refuse(http.StatusForbidden, "This installation has been suspended")
	}
	var want struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if err := c.decode(&want); err != nil {
		return nil, err
	}
	t := &model.Token{Value: sim.NewTokenValue(), Installation: in, Expires: c.Now().Add(tokenLife)}
	if t.Repos, err = c.narrowRepos(in, want.Repositories, want.RepositoryIDs); err != nil {
		return nil, err
	}
	if t.Permissions, err = narrowPermissions(in, want.Permissions); err != nil {
		return nil, err
	}
	c.State.Tokens[t.Value] = t
	return &answer{status: http.StatusCreated, body: c.tokenJSON(t)}, nil
}

func (c *call) narrowRepos(in *model.Installation, names []string, ids []int64) (map[int64]bool, error) {
	if names == nil && ids == nil {
		return nil, nil
	}
	absent := model.Unprocessable(
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

func narrowPermissions(in *model.Installation, want map[string]string) (map[string]string, error) {
	if len(want) == 0 {
		return maps.Clone(in.Permissions), nil
	}
	have := model.Token{Permissions: in.Permissions}
	for name, level := range want {
		if !have.May(name, level) {
			return nil, model.Unprocessable("The permissions requested are not granted to this installation.")
		}
	}
	narrowed := maps.Clone(want)
	narrowed["metadata"] = "read" // every token has it
	return narrowed, nil
}

func (s forms) tokenJSON(t *model.Token) model.Object {
	o := model.Object{"token": t.Value, "expires_at": stamp(t.Expires), "permissions": t.Permissions,
		"repository_selection": "all"}
	if t.Repos != nil || t.Installation.Repos != nil {
		o["repository_selection"] = "selected"
	}
	if t.Repos != nil {
		list := []model.Object{}
		for _, r := range (sim.Apps(s)).ReposOf(t) {
			list = append(list, s.repoObject(r))
		}
		o["repositories"] = list
	}
	return o
}

func listInstallationRepos(c *call) (*answer, error) {
	all := c.ReposOf(c.token)
	page, header := cut(c, all)
	list := []model.Object{}
	for _, r := range page {
		list = append(list, c.repoObject(r))
	}
	selection := c.tokenJSON(c.token)["repository_selection"]
	return &answer{status: http.StatusOK, header: header, body: model.Object{"total_count": len(all), "repositories": list,
		"repository_selection": selection}}, nil
}

func revokeToken(c *call) (*answer, error) {
	delete(c.State.Tokens, c.token.Value)
	return noContent()
}
