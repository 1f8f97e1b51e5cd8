package form

import (
	"encoding/json"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Repository returns "repository", the form in payloads and lists.
func (s Accounts) Repository(r *entity.Repository) json.RawMessage {
	fields := repoFields{s.Base, r.FullName(), r.DefaultBranch, r.Public, r.Archived, r.NoIssues, r.Pushed, r.OpenIssues()}
	return cachedJSON(s.cache, r, fields, func() entity.Object { return s.RepositoryObject(r) })
}

// RepositoryObject returns "repository" for a caller that adds fields.
func (s Accounts) RepositoryObject(r *entity.Repository) entity.Object {
	api, html, open := s.RepoURL(r), s.RepoPage(r), r.OpenIssues()
	visibility := "private"
	if r.Public {
		visibility = "public"
	}
	o := entity.Object{
		"id": r.ID, "node_id": sim.NodeID("R", r.ID), "name": r.Name, "full_name": r.FullName(), "private": !r.Public,
		"owner": s.User(r.Owner), "html_url": html, "description": nil, "fork": r.Parent != nil, "url": api,
		"git_url": "git:" + html[strings.Index(html, "//"):] + ".git", "ssh_url": "git@127.0.0.1:" + r.FullName() + ".git",
		"clone_url": html + ".git", "svn_url": html, "homepage": nil, "mirror_url": nil, "size": 1, "language": nil,
		"created_at": Time(r.Created), "updated_at": Time(r.Pushed), "pushed_at": Time(r.Pushed), "stargazers_count": 0,
		"watchers_count": 0, "watchers": 0, "forks_count": 0, "forks": 0, "open_issues_count": open, "open_issues": open,
		"has_issues": !r.NoIssues, "has_projects": true, "has_downloads": true, "has_wiki": true, "has_pages": false,
		"has_discussions": false, "archived": r.Archived, "disabled": false, "license": nil, "allow_forking": true,
		"is_template": false, "web_commit_signoff_required": false, "topics": []string{}, "visibility": visibility,
		"default_branch": r.DefaultBranch,
	}
	for name, path := range repoURLs {
		o[name] = api + path
	}
	return o
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

// FullRepository returns "full-repository", the answer to GET /repos/{owner}/{repo}.
func (s Accounts) FullRepository(r *entity.Repository) entity.Object {
	o := s.RepositoryObject(r)
	o["network_count"], o["subscribers_count"] = 0, 0
	if r.Parent != nil {
		o["parent"], o["source"] = s.Repository(r.Parent), s.Repository(r.Parent)
	}
	return o
}

// Briefly returns the repositories as the payloads about an installation name them.
func (s Accounts) Briefly(repos []*entity.Repository) []entity.Object {
	list := []entity.Object{}
	for _, r := range repos {
		list = append(list, entity.Object{"id": r.ID, "node_id": sim.NodeID("R", r.ID), "name": r.Name,
			"full_name": r.FullName(), "private": !r.Public})
	}
	return list
}

// Labels returns a list of "label".
func (s Accounts) Labels(r *entity.Repository, labels []*entity.Label) []entity.Object {
	list := make([]entity.Object, len(labels))
	for i, l := range labels {
		list[i] = s.Label(r, l)
	}
	return list
}

// Label returns "label".
func (s Accounts) Label(r *entity.Repository, l *entity.Label) entity.Object {
	return entity.Object{"id": l.ID, "node_id": sim.NodeID("LA", l.ID),
		"url": s.RepoURL(r) + "/labels/" + EscapePath(l.Name), "name": l.Name, "color": l.Color, "default": false,
		"description": TextOrNull(l.Description)}
}
