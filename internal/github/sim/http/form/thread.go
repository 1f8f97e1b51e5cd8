package form

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Issue returns "issue". For a pull request it has a link to that, as in GitHub's payloads.
func (s Threads) Issue(is *entity.Issue) entity.Object {
	api := s.IssueURL(is)
	o := entity.Object{
		"url": api, "repository_url": s.RepoURL(is.Repo), "labels_url": api + "/labels{/name}",
		"comments_url": api + "/comments", "events_url": api + "/events", "html_url": s.ThreadPage(is), "id": is.ID,
		"node_id": sim.NodeID("I", is.ID), "number": is.Number, "title": is.Title, "user": s.User(is.User),
		"labels": s.Labels(is.Repo, is.Labels), "state": State(is), "locked": is.Locked, "assignee": nil,
		"assignees": []entity.Object{}, "milestone": nil, "comments": len(is.Comments), "created_at": Time(is.Created),
		"updated_at": Time(is.Updated), "closed_at": TimeOrNull(is.Closed),
		"author_association": is.Repo.Association(is.User), "active_lock_reason": TextOrNull(is.LockReason),
		"body": TextOrNull(is.Body), "reactions": sim.Threads{Core: s.Core}.Rollup(is.Reactions, api),
		"timeline_url": api + "/timeline", "performed_via_github_app": nil, "state_reason": TextOrNull(is.StateReason),
	}
	if p := is.Pull; p != nil {
		html := s.ThreadPage(is)
		o["draft"] = p.Draft
		o["pull_request"] = entity.Object{"url": s.PullURL(is), "html_url": html, "diff_url": html + ".diff",
			"patch_url": html + ".patch", "merged_at": TimeOrNull(p.Merged)}
	}
	return o
}

// Comment returns "issue-comment".
func (s Threads) Comment(c *entity.Comment) entity.Object {
	api := s.CommentURL(c)
	var via any
	switch {
	case c.ViaApp:
		via = s.Integration(s.App)
	case c.OtherApp != "":
		other := s.Integration(s.App)
		other["slug"], other["name"] = c.OtherApp, c.OtherApp
		via = other
	}
	return entity.Object{
		"id": c.ID, "node_id": sim.NodeID("IC", c.ID), "url": api, "issue_url": s.IssueURL(c.Issue),
		"html_url": fmt.Sprintf("%s#issuecomment-%d", s.ThreadPage(c.Issue), c.ID), "body": c.Body, "user": s.User(c.User),
		"created_at": Time(c.Created), "updated_at": Time(c.Updated), "author_association": c.Issue.Repo.Association(c.User),
		"performed_via_github_app": via, "reactions": sim.Threads{Core: s.Core}.Rollup(c.Reactions, api),
	}
}

// Reaction returns "reaction".
func (s Threads) Reaction(r *entity.Reaction) entity.Object {
	return entity.Object{"id": r.ID, "node_id": sim.NodeID("REA", r.ID), "user": s.User(r.User), "content": r.Content,
		"created_at": Time(r.Created)}
}
