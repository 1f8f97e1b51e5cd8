package simhttp

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// nodeNumber returns the id in a global node id of a kind.
func nodeNumber(node, kind string) (id int64, is bool) {
	encoded, is := strings.CutPrefix(node, kind+"_")
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	if !is || err != nil {
		return 0, false
	}
	_, err = fmt.Sscanf(string(text), kind+":%d", &id)
	return id, err == nil && sim.NodeID(kind, id) == node
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func stampOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return stamp(*t)
}

func stringOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// userJSON returns "simple-user", or null for nobody.
func (s forms) userJSON(u *model.User) any {
	if u == nil {
		return nil
	}
	return u.Json.With(model.UserFields{Base: s.Base, Login: u.Login}, func() model.Object { return s.userObject(u) })
}

// userObject returns "simple-user".
func (s forms) userObject(u *model.User) model.Object {
	api, html := s.Base+"/api/v3/users/"+u.Login, s.Base+"/"+u.Login
	if u.Kind == sim.UserBot {
		html = s.Base + "/apps/" + strings.TrimSuffix(u.Login, "[bot]")
	}
	return model.Object{
		"login": u.Login, "id": u.ID, "node_id": sim.NodeID("U", u.ID), "type": string(u.Kind), "site_admin": false,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.Base, u.ID), "gravatar_id": "", "url": api, "html_url": html,
		"followers_url": api + "/followers", "following_url": api + "/following{/other_user}",
		"gists_url": api + "/gists{/gist_id}", "starred_url": api + "/starred{/owner}{/repo}",
		"subscriptions_url": api + "/subscriptions", "organizations_url": api + "/orgs", "repos_url": api + "/repos",
		"events_url": api + "/events{/privacy}", "received_events_url": api + "/received_events",
	}
}

// repoURLs are the links of a repository: the name, and the path below its API URL.
var repoURLs = map[string]string{
	"forks_url": "/forks", "keys_url": "/keys{/key_id}", "collaborators_url": "/collaborators{/collaborator}",
	"teams_url": "/teams", "hooks_url": "/hooks", "issue_events_url": "/issues/events{/number}", "events_url": "/events",
	"assignees_url": "/assignees{/user}", "branches_url": "/branches{/branch}", "tags_url": "/tags",
	"blobs_url": "/git/blobs{/sha}", "git_tags_url": "/git/tags{/sha}", "git_refs_url": "/git/refs{/sha}",
	"trees_url": "/git/trees{/sha}", "statuses_url": "/statuses/{sha}", "languages_url": "/languages",
	"stargazers_url": "/stargazers", "contributors_url": "/contributors", "subscribers_url": "/subscribers",
	"subscription_url": "/subscription", "commits_url": "/commits{/sha}", "git_commits_url": "/git/commits{/sha}",
	"comments_url": "/comments{/number}", "issue_comment_url": "/issues/comments{/number}",
	"contents_url": "/contents/{+path}", "compare_url": "/compare/{base}...{head}", "merges_url": "/merges",
	"archive_url": "/{archive_format}{/ref}", "downloads_url": "/downloads", "issues_url": "/issues{/number}",
	"pulls_url": "/pulls{/number}", "milestones_url": "/milestones{/number}",
	"notifications_url": "/notifications{?since,all,participating}", "labels_url": "/labels{/name}",
	"releases_url": "/releases{/id}", "deployments_url": "/deployments",
}

// repoJSON returns "repository", the form in payloads and lists.
func (s forms) repoJSON(r *model.Repository) json.RawMessage {
	fields := model.RepoFields{Base: s.Base, Name: r.FullName(), DefaultBranch: r.DefaultBranch, Public: r.Public,
		Archived: r.Archived, NoIssues: r.NoIssues, Pushed: r.Pushed, Open: r.OpenIssues()}
	return r.Json.With(fields, func() model.Object { return s.repoObject(r) })
}

// repoObject returns "repository".
func (s forms) repoObject(r *model.Repository) model.Object {
	api, html, open := sim.Pages(s).APIRepoURL(r), sim.Pages(s).HTMLRepoURL(r), r.OpenIssues()
	visibility := "private"
	if r.Public {
		visibility = "public"
	}
	o := model.Object{
		"id": r.ID, "node_id": sim.NodeID("R", r.ID), "name": r.Name, "full_name": r.FullName(), "private": !r.Public,
		"owner": s.userJSON(r.Owner), "html_url": html, "description": nil, "fork": r.Parent != nil, "url": api,
		"git_url": "git:" + html[strings.Index(html, "//"):] + ".git", "ssh_url": "git@127.0.0.1:" + r.FullName() + ".git",
		"clone_url": html + ".git", "svn_url": html, "homepage": nil, "mirror_url": nil, "size": 1, "language": nil,
		"created_at": stamp(r.Created), "updated_at": stamp(r.Pushed), "pushed_at": stamp(r.Pushed),
		"stargazers_count": 0, "watchers_count": 0, "watchers": 0, "forks_count": 0, "forks": 0,
		"open_issues_count": open, "open_issues": open, "has_issues": !r.NoIssues, "has_projects": true,
		"has_downloads": true, "has_wiki": true, "has_pages": false, "has_discussions": false, "archived": r.Archived,
		"disabled": false, "license": nil, "allow_forking": true, "is_template": false,
		"web_commit_signoff_required": false, "topics": []string{}, "visibility": visibility,
		"default_branch": r.DefaultBranch,
	}
	for name, path := range repoURLs {
		o[name] = api + path
	}
	return o
}

// fullRepoJSON returns "full-repository", the answer to GET /repos/{owner}/{repo}.
func (s forms) fullRepoJSON(r *model.Repository) model.Object {
	o := s.repoObject(r)
	o["network_count"], o["subscribers_count"] = 0, 0
	if r.Parent != nil {
		o["parent"], o["source"] = s.repoJSON(r.Parent), s.repoJSON(r.Parent)
	}
	return o
}

func (s forms) labelsJSON(r *model.Repository, labels []*model.Label) []model.Object {
	list := make([]model.Object, len(labels))
	for i, l := range labels {
		list[i] = s.labelJSON(r, l)
	}
	return list
}

func (s forms) labelJSON(r *model.Repository, l *model.Label) model.Object {
	return model.Object{"id": l.ID, "node_id": sim.NodeID("LA", l.ID),
		"url":  sim.Pages(s).APIRepoURL(r) + "/labels/" + escapePath(l.Name),
		"name": l.Name, "color": l.Color, "default": false, "description": stringOrNull(l.Description)}
}
