package form

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Pull returns "pull-request"; short omits the fields that lists and most payloads do not have.
func (s Threads) Pull(is *entity.Issue, short bool) entity.Object {
	p, api, html := is.Pull, s.PullURL(is), s.ThreadPage(is)
	o := s.Issue(is)
	for _, field := range []string{"repository_url", "labels_url", "events_url", "reactions", "timeline_url",
		"performed_via_github_app", "state_reason", "pull_request", "comments"} {
		delete(o, field)
	}
	statuses := s.RepoURL(is.Repo) + "/statuses/" + p.HeadSHA
	for k, v := range (entity.Object{
		"url": api, "id": p.ID, "node_id": sim.NodeID("PR", p.ID), "diff_url": html + ".diff", "patch_url": html + ".patch",
		"issue_url": s.IssueURL(is), "commits_url": api + "/commits", "review_comments_url": api + "/comments",
		"review_comment_url": s.RepoURL(is.Repo) + "/pulls/comments{/number}",
		"comments_url":       s.IssueURL(is) + "/comments", "statuses_url": statuses,
		"requested_reviewers": []entity.Object{}, "requested_teams": []entity.Object{},
		"draft": p.Draft, "merged_at": TimeOrNull(p.Merged),
		"merge_commit_sha": TextOrNull(p.MergeSHA), "auto_merge": nil,
		"head": s.side(p.HeadRepo, p.HeadLabel, p.HeadRef, p.HeadSHA),
		"base": s.side(is.Repo, is.Repo.Owner.Login+":"+p.BaseRef, p.BaseRef, p.BaseSHA),
		"_links": entity.Object{"self": href(api), "html": href(html), "issue": href(s.IssueURL(is)),
			"comments": href(s.IssueURL(is) + "/comments"), "review_comments": href(api + "/comments"),
			"review_comment": href(s.RepoURL(is.Repo) + "/pulls/comments{/number}"), "commits": href(api + "/commits"),
			"statuses": href(statuses)},
	}) {
		o[k] = v
	}
	if !short {
		s.addPullFigures(o, is)
	}
	return o
}

// addPullFigures adds the fields with numbers of commits, comments and lines.
func (s Threads) addPullFigures(o entity.Object, is *entity.Issue) {
	p := is.Pull
	var additions, deletions int
	files, err := sim.PullRequests{Core: s.Core}.PullFiles(is)
	if err != nil {
		s.Log.Error("fake GitHub", "error", err)
	}
	for _, f := range files {
		additions, deletions = additions+f.Additions, deletions+f.Deletions
	}
	for k, v := range (entity.Object{
		"merged": p.Merged != nil, "mergeable": p.Mergeable, "mergeable_state": p.MergeableState, "rebaseable": p.Mergeable,
		"merged_by": s.User(p.MergedBy), "comments": len(is.Comments), "review_comments": len(p.Comments),
		"maintainer_can_modify": p.CanModify, "commits": sim.PullRequests{Core: s.Core}.CountCommits(is),
		"additions": additions, "deletions": deletions, "changed_files": len(files),
	}) {
		o[k] = v
	}
}

// side returns the head or base of a pull request. For a deleted fork, repo is null, and the branch's name remains.
func (s Threads) side(r *entity.Repository, label, ref, sha string) entity.Object {
	owner, _, _ := strings.Cut(label, ":")
	o := entity.Object{"label": label, "ref": ref, "sha": sha, "user": s.User(s.State.Users[strings.ToLower(owner)]),
		"repo": nil}
	if r != nil && !r.Deleted {
		o["repo"] = s.Repository(r)
	}
	return o
}
