package simhttp

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

func stateOf(is *model.Issue) string {
	if is.Open {
		return "open"
	}
	return "closed"
}

// issueJSON returns "issue". For a pull request it has a link to that, as in GitHub's payloads.
func (s threadForms) issueJSON(is *model.Issue) model.Object {
	api := sim.Pages(s).IssueURL(is)
	o := model.Object{
		"url": api, "repository_url": sim.Pages(s).APIRepoURL(is.Repo), "labels_url": api + "/labels{/name}",
		"comments_url": api + "/comments", "events_url": api + "/events", "html_url": sim.Pages(s).ThreadHTML(is),
		"id": is.ID, "node_id": sim.NodeID("I", is.ID), "number": is.Number, "title": is.Title,
		"user":   forms(s).userJSON(is.User),
		"labels": forms(s).labelsJSON(is.Repo, is.Labels), "state": stateOf(is), "locked": is.Locked, "assignee": nil,
		"assignees": []model.Object{}, "milestone": nil, "comments": len(is.Comments), "created_at": stamp(is.Created),
		"updated_at": stamp(is.Updated), "closed_at": stampOrNull(is.Closed),
		"author_association": is.Repo.Association(is.User), "active_lock_reason": stringOrNull(is.LockReason),
		"body": stringOrNull(is.Body), "reactions": sim.Threads(s).Rollup(is.Reactions, api),
		"timeline_url":             api + "/timeline",
		"performed_via_github_app": nil, "state_reason": stringOrNull(is.StateReason),
	}
	if p := is.Pull; p != nil {
		html := sim.Pages(s).ThreadHTML(is)
		o["draft"] = p.Draft
		o["pull_request"] = model.Object{"url": sim.Pages(s).PullURL(is), "html_url": html, "diff_url": html + ".diff",
			"patch_url": html + ".patch", "merged_at": stampOrNull(p.Merged)}
	}
	return o
}

// commentJSON returns "issue-comment".
func (s threadForms) commentJSON(c *model.Comment) model.Object {
	api := sim.Pages(s).CommentURL(c)
	var via any
	switch {
	case c.ViaApp:
		via = forms(s).jsonOf(s.App)
	case c.OtherApp != "":
		other := forms(s).jsonOf(s.App)
		other["slug"], other["name"] = c.OtherApp, c.OtherApp
		via = other
	}
	return model.Object{
		"id": c.ID, "node_id": sim.NodeID("IC", c.ID), "url": api, "issue_url": sim.Pages(s).IssueURL(c.Issue),
		"html_url": fmt.Sprintf("%s#issuecomment-%d", sim.Pages(s).ThreadHTML(c.Issue), c.ID), "body": c.Body,
		"user": forms(s).userJSON(c.User), "created_at": stamp(c.Created), "updated_at": stamp(c.Updated),
		"author_association": c.Issue.Repo.Association(c.User), "performed_via_github_app": via,
		"reactions": sim.Threads(s).Rollup(c.Reactions, api),
	}
}

// pullJSON returns "pull-request"; short omits the fields that lists and most payloads do not have.
func (s threadForms) pullJSON(is *model.Issue, short bool) model.Object {
	p, api, html := is.Pull, sim.Pages(s).PullURL(is), sim.Pages(s).ThreadHTML(is)
	o := s.issueJSON(is)
	for _, field := range []string{"repository_url", "labels_url", "events_url", "reactions", "timeline_url",
		"performed_via_github_app", "state_reason", "pull_request", "comments"} {
		delete(o, field)
	}
	statuses := sim.Pages(s).APIRepoURL(is.Repo) + "/statuses/" + p.HeadSHA
	for k, v := range (model.Object{
		"url": api, "id": p.ID, "node_id": sim.NodeID("PR", p.ID), "diff_url": html + ".diff", "patch_url": html + ".patch",
		"issue_url": sim.Pages(s).IssueURL(is), "commits_url": api + "/commits", "review_comments_url": api + "/comments",
		"review_comment_url": sim.Pages(s).APIRepoURL(is.Repo) + "/pulls/comments{/number}",
		"comments_url":       sim.Pages(s).IssueURL(is) + "/comments",
		"statuses_url":       statuses, "requested_reviewers": []model.Object{}, "requested_teams": []model.Object{},
		"draft":     p.Draft,
		"merged_at": stampOrNull(p.Merged), "merge_commit_sha": stringOrNull(p.MergeSHA), "auto_merge": nil,
		"head": s.sideJSON(p.HeadRepo, p.HeadLabel, p.HeadRef, p.HeadSHA),
		"base": s.sideJSON(is.Repo, is.Repo.Owner.Login+":"+p.BaseRef, p.BaseRef, p.BaseSHA),
		"_links": model.Object{"self": href(api), "html": href(html), "issue": href(sim.Pages(s).IssueURL(is)),
			"comments": href(sim.Pages(s).IssueURL(is) + "/comments"), "review_comments": href(api + "/comments"),
			"review_comment": href(sim.Pages(s).APIRepoURL(is.Repo) + "/pulls/comments{/number}"),
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
func (s threadForms) addPullFigures(o model.Object, is *model.Issue) {
	p := is.Pull
	var additions, deletions int
	files, err := sim.PullRequests(s).PullFiles(is)
	if err != nil {
		s.Log.Error("fake GitHub", "error", err)
	}
	for _, f := range files {
		additions, deletions = additions+f.Additions, deletions+f.Deletions
	}
	for k, v := range (model.Object{
		"merged": p.Merged != nil, "mergeable": p.Mergeable, "mergeable_state": p.MergeableState, "rebaseable": p.Mergeable,
		"merged_by": forms(s).userJSON(p.MergedBy), "comments": len(is.Comments), "review_comments": len(p.Comments),
		"maintainer_can_modify": p.CanModify, "commits": sim.PullRequests(s).CountCommits(is), "additions": additions,
		"deletions": deletions, "changed_files": len(files),
	}) {
		o[k] = v
	}
}

// sideJSON returns the head or base of a pull request. For a deleted fork, repo is null, and the branch's name remains.
func (s threadForms) sideJSON(r *model.Repository, label, ref, sha string) model.Object {
	owner, _, _ := strings.Cut(label, ":")
	o := model.Object{"label": label, "ref": ref, "sha": sha,
		"user": forms(s).userJSON(s.State.Users[strings.ToLower(owner)]),
		"repo": nil}
	if r != nil && !r.Deleted {
		o["repo"] = forms(s).repoJSON(r)
	}
	return o
}

func href(u string) model.Object { return model.Object{"href": u} }

// escapePath escapes the segments of a path.
func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}
