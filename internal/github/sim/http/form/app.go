package form

import (
	"strconv"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Integration returns "integration", of the App itself.
func (s Accounts) Integration(a *entity.App) entity.Object {
	html := s.Base + "/apps/" + a.Slug
	return entity.Object{"id": a.ID, "client_id": a.ClientID, "slug": a.Slug, "node_id": sim.NodeID("A", a.ID),
		"owner": s.User(a.Owner), "name": a.Name, "description": nil, "external_url": html, "html_url": html,
		"created_at": Time(a.Created), "updated_at": Time(a.Created), "permissions": a.Permissions, "events": a.Events}
}

// Installation returns "installation".
func (s Accounts) Installation(in *entity.Installation) entity.Object {
	api := s.Base + "/api/v3/app/installations/" + strconv.FormatInt(in.ID, 10)
	selection := "all"
	if in.Repos != nil {
		selection = "selected"
	}
	var by any
	if in.Suspended != nil {
		by = s.User(in.Account)
	}
	return entity.Object{"id": in.ID, "account": s.User(in.Account), "access_tokens_url": api + "/access_tokens",
		"repositories_url": s.Base + "/api/v3/installation/repositories",
		"html_url":         s.Base + "/settings/installations/" + strconv.FormatInt(in.ID, 10), "app_id": s.App.ID,
		"app_slug": s.App.Slug, "target_id": in.Account.ID, "target_type": string(in.Account.Kind),
		"permissions": in.Permissions, "events": s.App.Events, "created_at": Time(in.Created), "updated_at": Time(in.Created),
		"single_file_name": nil, "repository_selection": selection, "suspended_at": TimeOrNull(in.Suspended),
		"suspended_by": by}
}

// Token returns "installation-token".
func (s Accounts) Token(t *entity.Token) entity.Object {
	o := entity.Object{"token": t.Value, "expires_at": Time(t.Expires), "permissions": t.Permissions,
		"repository_selection": "all"}
	if t.Repos != nil || t.Installation.Repos != nil {
		o["repository_selection"] = "selected"
	}
	if t.Repos != nil {
		list := []entity.Object{}
		for _, r := range (sim.Apps{Core: s.Core}).ReposOf(t) {
			list = append(list, s.RepositoryObject(r))
		}
		o["repositories"] = list
	}
	return o
}
