package ghtest

import (
	"maps"
	"net/http"
	"slices"
	"sort"
	"strings"
)

// jsonOf returns "integration".
func (s *Server) jsonOf(a *app) object {
	html := s.base + "/apps/" + a.slug
	return object{"id": a.id, "client_id": a.clientID, "slug": a.slug, "node_id": nodeID("A", a.id),
		"owner": s.userJSON(a.owner), "name": a.name, "description": nil,
		"external_url": html, "html_url": html, "created_at": stamp(a.created),
		"updated_at": stamp(a.created), "permissions": a.permissions, "events": a.events}
}

// getMeta answers with "api-overview", of which all but one field is about addresses.
func getMeta(*call) (*answer, error) { return ok(object{"verifiable_password_authentication": false}) }

func getApp(c *call) (*answer, error) { return ok(c.jsonOf(c.app)) }

func (s *Server) installationJSON(in *installation) object {
	api := s.base + "/api/v3/app/installations/" + itoa(in.id)
	selection := "all"
	if in.repos != nil {
		selection = "selected"
	}
	var by any
	if in.suspended != nil {
		by = s.userJSON(in.account)
	}
	return object{"id": in.id, "account": s.userJSON(in.account), "access_tokens_url": api + "/access_tokens",
		"repositories_url": s.base + "/api/v3/installation/repositories",
		"html_url":         s.base + "/settings/installations/" + itoa(in.id),
		"app_id":           s.app.id, "app_slug": s.app.slug, "target_id": in.account.id,
		"target_type": string(in.account.kind),
		"permissions": in.permissions, "events": s.app.events, "created_at": stamp(in.created),
		"updated_at":       stamp(in.created),
		"single_file_name": nil, "repository_selection": selection, "suspended_at": stampOrNull(in.suspended),
		"suspended_by": by}
}

func listInstallations(c *call) (*answer, error) {
	all := slices.Collect(maps.Values(c.state.installations))
	sort.Slice(all, func(i, j int) bool { return all[i].id < all[j].id })
	return paged(c, all, c.installationJSON)
}

func (c *call) installation() (*installation, error) {
	id, err := c.number("installation_id")
	if err != nil {
		return nil, err
	}
	if in := c.state.installations[id]; in != nil {
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
	if in := c.state.installationOf(c.repo.owner); in != nil && in.covers(c.repo) {
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
	if in.suspended != nil {
		return nil, refuse(http.StatusForbidden, "This installation has been suspended")
	}
	var want struct {
		Repositories  []string          `json:"repositories"`
		RepositoryIDs []int64           `json:"repository_ids"`
		Permissions   map[string]string `json:"permissions"`
	}
	if err := c.decode(&want); err != nil {
		return nil, err
	}
	t := &token{value: newTokenValue(), installation: in, expires: c.now().Add(tokenLife)}
	if t.repos, err = c.narrowRepos(in, want.Repositories, want.RepositoryIDs); err != nil {
		return nil, err
	}
	if t.permissions, err = narrowPermissions(in, want.Permissions); err != nil {
		return nil, err
	}
	c.state.tokens[t.value] = t
	return &answer{status: http.StatusCreated, body: c.tokenJSON(t)}, nil
}

func (c *call) narrowRepos(in *installation, names []string, ids []int64) (map[int64]bool, error) {
	if names == nil && ids == nil {
		return nil, nil
	}
	absent := unprocessable(
		"There is at least one repository that does not exist or is not accessible to the parent installation.")
	repos := map[int64]bool{}
	for _, name := range names {
		r, err := c.state.repo(in.account.login + "/" + name)
		if err != nil {
			return nil, absent
		}
		ids = append(ids, r.id)
	}
	for _, id := range ids {
		r := c.state.repos[id]
		if r == nil || r.deleted || !in.covers(r) {
			return nil, absent
		}
		repos[id] = true
	}
	return repos, nil
}

func narrowPermissions(in *installation, want map[string]string) (map[string]string, error) {
	if len(want) == 0 {
		return maps.Clone(in.permissions), nil
	}
	have := token{permissions: in.permissions}
	for name, level := range want {
		if !have.may(name, level) {
			return nil, unprocessable("The permissions requested are not granted to this installation.")
		}
	}
	narrowed := maps.Clone(want)
	narrowed["metadata"] = "read" // every token has it
	return narrowed, nil
}

func (s *Server) tokenJSON(t *token) object {
	o := object{"token": t.value, "expires_at": stamp(t.expires), "permissions": t.permissions,
		"repository_selection": "all"}
	if t.repos != nil || t.installation.repos != nil {
		o["repository_selection"] = "selected"
	}
	if t.repos != nil {
		list := []object{}
		for _, r := range s.reposOf(t) {
			list = append(list, s.repoObject(r))
		}
		o["repositories"] = list
	}
	return o
}

// reposOf returns the repositories that a token can access, by name.
func (s *Server) reposOf(t *token) []*repository {
	var list []*repository
	for _, r := range s.state.repos {
		if !r.deleted && t.covers(r) {
			list = append(list, r)
		}
	}
	sort.Slice(list, func(i, j int) bool { return strings.Compare(list[i].name, list[j].name) < 0 })
	return list
}

func listInstallationRepos(c *call) (*answer, error) {
	all := c.reposOf(c.token)
	page, header := cut(c, all)
	list := []object{}
	for _, r := range page {
		list = append(list, c.repoObject(r))
	}
	selection := c.tokenJSON(c.token)["repository_selection"]
	return &answer{status: http.StatusOK, header: header, body: object{"total_count": len(all), "repositories": list,
		"repository_selection": selection}}, nil
}

func revokeToken(c *call) (*answer, error) {
	delete(c.state.tokens, c.token.value)
	return noContent()
}
