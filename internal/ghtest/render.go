package ghtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// nodeID returns a global node id in GitHub's form, which contains the kind and the id.
func nodeID(kind string, id int64) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", kind, id))
}

// nodeNumber returns the id in a global node id of a kind.
func nodeNumber(node, kind string) (id int64, is bool) {
	encoded, is := strings.CutPrefix(node, kind+"_")
	text, err := base64.RawURLEncoding.DecodeString(encoded)
	if !is || err != nil {
		return 0, false
	}
	_, err = fmt.Sscanf(string(text), kind+":%d", &id)
	return id, err == nil && nodeID(kind, id) == node
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

// rendered is the JSON of something of which most never changes, as long as some fields are the same.
type rendered[T comparable] struct {
	of   T
	json json.RawMessage
}

// with returns the JSON for the fields, which render returns if it is not known.
func (r *rendered[T]) with(fields T, render func() object) json.RawMessage {
	if r.json == nil || r.of != fields {
		data, err := json.Marshal(render())
		if err != nil {
			panic(err) // there is nothing in it that has no JSON
		}
		r.of, r.json = fields, data
	}
	return r.json
}

// userFields are what the JSON of an account depends on.
type userFields struct{ base, login string }

// userJSON returns "simple-user", or null for nobody.
func (s *Server) userJSON(u *user) any {
	if u == nil {
		return nil
	}
	return u.json.with(userFields{s.base, u.login}, func() object { return s.userObject(u) })
}

// userObject returns "simple-user".
func (s *Server) userObject(u *user) object {
	api, html := s.base+"/api/v3/users/"+u.login, s.base+"/"+u.login
	if u.kind == userBot {
		html = s.base + "/apps/" + strings.TrimSuffix(u.login, "[bot]")
	}
	return object{
		"login": u.login, "id": u.id, "node_id": nodeID("U", u.id), "type": string(u.kind), "site_admin": false,
		"avatar_url": fmt.Sprintf("%s/avatars/u/%d", s.base, u.id), "gravatar_id": "", "url": api, "html_url": html,
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

// repoFields are what the JSON of a repository depends on.
type repoFields struct {
	base, name, defaultBranch  string
	public, archived, noIssues bool
	pushed                     time.Time
	open                       int
}

// repoJSON returns "repository", the form in payloads and lists.
func (s *Server) repoJSON(r *repository) json.RawMessage {
	fields := repoFields{s.base, r.fullName(), r.defaultBranch, r.public, r.archived, r.noIssues, r.pushed, r.openIssues()}
	return r.json.with(fields, func() object { return s.repoObject(r) })
}

// openIssues counts the open issues and pull requests.
func (r *repository) openIssues() (n int) {
	for _, is := range r.issues {
		if is.open && !is.gone {
			n++
		}
	}
	return n
}

// repoObject returns "repository".
func (s *Server) repoObject(r *repository) object {
	api, html, open := s.apiRepoURL(r), s.htmlRepoURL(r), r.openIssues()
	visibility := "private"
	if r.public {
		visibility = "public"
	}
	o := object{
		"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": !r.public,
		"owner": s.userJSON(r.owner), "html_url": html, "description": nil, "fork": r.parent != nil, "url": api,
		"git_url": "git:" + html[strings.Index(html, "//"):] + ".git", "ssh_url": "git@127.0.0.1:" + r.fullName() + ".git",
		"clone_url": html + ".git", "svn_url": html, "homepage": nil, "mirror_url": nil, "size": 1, "language": nil,
		"created_at": stamp(r.created), "updated_at": stamp(r.pushed), "pushed_at": stamp(r.pushed),
		"stargazers_count": 0, "watchers_count": 0, "watchers": 0, "forks_count": 0, "forks": 0,
		"open_issues_count": open, "open_issues": open, "has_issues": !r.noIssues, "has_projects": true,
		"has_downloads": true, "has_wiki": true, "has_pages": false, "has_discussions": false, "archived": r.archived,
		"disabled": false, "license": nil, "allow_forking": true, "is_template": false,
		"web_commit_signoff_required": false, "topics": []string{}, "visibility": visibility,
		"default_branch": r.defaultBranch,
	}
	for name, path := range repoURLs {
		o[name] = api + path
	}
	return o
}

// fullRepoJSON returns "full-repository", the answer to GET /repos/{owner}/{repo}.
func (s *Server) fullRepoJSON(r *repository) object {
	o := s.repoObject(r)
	o["network_count"], o["subscribers_count"] = 0, 0
	if r.parent != nil {
		o["parent"], o["source"] = s.repoJSON(r.parent), s.repoJSON(r.parent)
	}
	return o
}

func (s *Server) labelsJSON(r *repository, labels []*label) []object {
	list := make([]object, len(labels))
	for i, l := range labels {
		list[i] = s.labelJSON(r, l)
	}
	return list
}

func (s *Server) labelJSON(r *repository, l *label) object {
	return object{"id": l.id, "node_id": nodeID("LA", l.id), "url": s.apiRepoURL(r) + "/labels/" + escapePath(l.name),
		"name": l.name, "color": l.color, "default": false, "description": stringOrNull(l.description)}
}
