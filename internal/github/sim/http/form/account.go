package form

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// User returns "simple-user", or null for nobody.
func (s Accounts) User(u *entity.User) any {
	if u == nil {
		return nil
	}
	return cachedJSON(s.cache, u, userFields{s.Base, u.Login}, func() entity.Object { return s.UserObject(u) })
}

// UserObject returns "simple-user" for a caller that adds fields.
func (s Accounts) UserObject(u *entity.User) entity.Object {
	api, html := s.Base+"/api/v3/users/"+u.Login, s.Base+"/"+u.Login
	if u.Kind == entity.UserBot {
		html = s.Base + "/apps/" + strings.TrimSuffix(u.Login, "[bot]")
	}
	return entity.Object{
		"login": u.Login, "id": u.ID, "node_id": sim.NodeID("U", u.ID), "type": string(u.Kind), "site_admin": false,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, u.ID), "gravatar_id": "", "url": api, "html_url": html,
		"followers_url": api + "/followers", "following_url": api + "/following{/other_user}",
		"gists_url": api + "/gists{/gist_id}", "starred_url": api + "/starred{/owner}{/repo}",
		"subscriptions_url": api + "/subscriptions", "organizations_url": api + "/orgs", "repos_url": api + "/repos",
		"events_url": api + "/events{/privacy}", "received_events_url": api + "/received_events",
	}
}

// Organization returns "organization-simple".
func (s Accounts) Organization(u *entity.User) entity.Object {
	api := s.Base + "/api/v3/orgs/" + u.Login
	return entity.Object{"login": u.Login, "id": u.ID, "node_id": sim.NodeID("O", u.ID), "url": api,
		"repos_url": api + "/repos", "events_url": api + "/events", "hooks_url": api + "/hooks",
		"issues_url": api + "/issues", "members_url": api + "/members{/member}",
		"public_members_url": api + "/public_members{/member}", "avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, u.ID),
		"description": nil}
}
