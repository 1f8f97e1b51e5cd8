package ghtest

import (
	"fmt"
	"net/url"
	"strings"
)

func (s *Server) issueURL(is *issue) string {
	return fmt.Sprintf("%s/issues/%d", s.apiRepoURL(is.repo), is.number)
}

func (s *Server) pullURL(is *issue) string {
	return fmt.Sprintf("%s/pulls/%d", s.apiRepoURL(is.repo), is.number)
}

func (s *Server) threadHTML(is *issue) string {
	kind := "issues"
	if is.pull != nil {
		kind = "pull"
	}
	return fmt.Sprintf("%s/%s/%d", s.htmlRepoURL(is.repo), kind, is.number)
}

func stateOf(is *issue) string {
	if is.open {
		return "open"
	}
	return "closed"
}

// issueJSON returns "issue". For a pull request it has a link to that, as in GitHub's payloads.
func (s *Server) issueJSON(is *issue) object {
	api := s.issueURL(is)
	o := object{
		"url": api, "repository_url": s.apiRepoURL(is.repo), "labels_url": api + "/labels{/name}",
		"comments_url": api + "/comments", "events_url": api + "/events", "html_url": s.threadHTML(is),
		"id": is.id, "node_id": nodeID("I", is.id), "number": is.number, "title": is.title, "user": s.userJSON(is.user),
		"labels": s.labelsJSON(is.repo, is.labels), "state": stateOf(is), "locked": is.locked, "assignee": nil,
		"assignees": []object{}, "milestone": nil, "comments": len(is.comments), "created_at": stamp(is.created),
		"updated_at": stamp(is.updated), "closed_at": stampOrNull(is.closed),
		"author_association": is.repo.association(is.user), "active_lock_reason": stringOrNull(is.lockReason),
		"body": stringOrNull(is.body), "reactions": s.rollup(is.reactions, api), "timeline_url": api + "/timeline",
		"performed_via_github_app": nil, "state_reason": stringOrNull(is.stateReason),
	}
	if p := is.pull; p != nil {
		html := s.threadHTML(is)
		o["draft"] = p.draft
		o["pull_request"] = object{"url": s.pullURL(is), "html_url": html, "diff_url": html + ".diff",
			"patch_url": html + ".patch", "merged_at": stampOrNull(p.merged)}
	}
	return o
}

// commentJSON returns "issue-comment".
func (s *Server) commentJSON(c *comment) object {
	api := s.commentURL(c)
	var via any
	switch {
	case c.viaApp:
		via = s.jsonOf(s.app)
	case c.otherApp != "":
		other := s.jsonOf(s.app)
		other["slug"], other["name"] = c.otherApp, c.otherApp
		via = other
	}
	return object{
		"id": c.id, "node_id": nodeID("IC", c.id), "url": api, "issue_url": s.issueURL(c.issue),
		"html_url": fmt.Sprintf("%s#issuecomment-%d", s.threadHTML(c.issue), c.id), "body": c.body,
		"user": s.userJSON(c.user), "created_at": stamp(c.created), "updated_at": stamp(c.updated),
		"author_association": c.issue.repo.association(c.user), "performed_via_github_app": via,
		"reactions": s.rollup(c.reactions, api),
	}
}

func (s *Server) commentURL(c *comment) string {
	return fmt.Sprintf("%s/issues/comments/%d", s.apiRepoURL(c.issue.repo), c.id)
}

// pullJSON returns "pull-request"; short omits the fields that lists and most payloads do not have.
func (s *Server) pullJSON(is *issue, short bool) object {
	p, api, html := is.pull, s.pullURL(is), s.threadHTML(is)
	o := s.issueJSON(is)
	for _, field := range []string{"repository_url", "labels_url", "events_url", "reactions", "timeline_url",
		"performed_via_github_app", "state_reason", "pull_request", "comments"} {
		delete(o, field)
	}
	statuses := s.apiRepoURL(is.repo) + "/statuses/" + p.headSHA
	for k, v := range (object{
		"url": api, "id": p.id, "node_id": nodeID("PR", p.id), "diff_url": html + ".diff", "patch_url": html + ".patch",
		"issue_url": s.issueURL(is), "commits_url": api + "/commits", "review_comments_url": api + "/comments",
		"review_comment_url": s.apiRepoURL(is.repo) + "/pulls/comments{/number}",
		"comments_url":       s.issueURL(is) + "/comments",
		"statuses_url":       statuses, "requested_reviewers": []object{}, "requested_teams": []object{}, "draft": p.draft,
		"merged_at": stampOrNull(p.merged), "merge_commit_sha": stringOrNull(p.mergeSHA), "auto_merge": nil,
		"head": s.sideJSON(p.headRepo, p.headLabel, p.headRef, p.headSHA),
		"base": s.sideJSON(is.repo, is.repo.owner.login+":"+p.baseRef, p.baseRef, p.baseSHA),
		"_links": object{"self": href(api), "html": href(html), "issue": href(s.issueURL(is)),
			"comments": href(s.issueURL(is) + "/comments"), "review_comments": href(api + "/comments"),
			"review_comment": href(s.apiRepoURL(is.repo) + "/pulls/comments{/number}"),
			"commits":        href(api + "/commits"), "statuses": href(statuses)},
	}) {
		o[k] = v
	}
	if !short {
		s.addPullFigures(o, is)
	}
	return o
}

// addPullFigures adds the fields with numbers of commits, comments and lines.
func (s *Server) addPullFigures(o object, is *issue) {
	p := is.pull
	var additions, deletions int
	files, err := s.pullFiles(is)
	if err != nil {
		s.log.Error("fake GitHub", "error", err)
	}
	for _, f := range files {
		additions, deletions = additions+f.Additions, deletions+f.Deletions
	}
	for k, v := range (object{
		"merged": p.merged != nil, "mergeable": p.mergeable, "mergeable_state": p.mergeableState, "rebaseable": p.mergeable,
		"merged_by": s.userJSON(p.mergedBy), "comments": len(is.comments), "review_comments": len(p.comments),
		"maintainer_can_modify": p.canModify, "commits": s.countCommits(is), "additions": additions,
		"deletions": deletions, "changed_files": len(files),
	}) {
		o[k] = v
	}
}

// sideJSON returns the head or base of a pull request. For a deleted fork, repo is null, and the branch's name remains.
func (s *Server) sideJSON(r *repository, label, ref, sha string) object {
	owner, _, _ := strings.Cut(label, ":")
	o := object{"label": label, "ref": ref, "sha": sha, "user": s.userJSON(s.state.users[strings.ToLower(owner)]),
		"repo": nil}
	if r != nil && !r.deleted {
		o["repo"] = s.repoJSON(r)
	}
	return o
}

func href(u string) object { return object{"href": u} }

// escapePath escapes the segments of a path.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
