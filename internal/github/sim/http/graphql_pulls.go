package simhttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/graphql"
)

func (c nodes) pullRequestNode(args map[string]any) (any, error) {
	number, is := graphql.Int(args["number"])
	if !is {
		return nil, entity.Refuse(0,
			"Argument 'number' on Field 'pullRequest' has an invalid value (%v). Expected type 'Int!'.",
			args["number"])
	}
	if err := c.lacking("pull_requests:read"); err != nil {
		return nil, err
	}
	pr := c.repo.Issues[number]
	if pr == nil || pr.Pull == nil {
		return nil, entity.Refuse(http.StatusNotFound, "Could not resolve to a PullRequest with the number of %d.", number)
	}
	return c.pullNode(pr), nil
}

// pullNode returns PullRequest.
func (c nodes) pullNode(pr *entity.Issue) entity.Object {
	return entity.Object{"__typename": "PullRequest", "id": sim.NodeID("PR", pr.Pull.ID), "number": pr.Number,
		"state": pullRequestState(pr), "locked": pr.Locked, "merged": pr.Pull.Merged != nil, "isDraft": pr.Pull.Draft,
		"baseRefName":   pr.Pull.BaseRef,
		"reviewThreads": graphql.Connection("reviewThreads", pr.Pull.Threads(), c.threadNode)}
}

// pullRequestState returns PullRequestState, which tells a merged pull request from one that was closed.
func pullRequestState(pr *entity.Issue) string {
	if pr.Pull.Merged != nil {
		return "MERGED"
	}
	return strings.ToUpper(form.State(pr))
}

// threadNode returns PullRequestReviewThread, with the place of its first comment.
func (c nodes) threadNode(comments []*entity.ReviewComment) entity.Object {
	first := comments[0]
	return entity.Object{"__typename": "PullRequestReviewThread", "id": sim.NodeID("PRRT", first.Thread.ID),
		"path": first.Path, "isResolved": first.Thread.Resolved != nil, "resolvedBy": c.actorNode(first.Thread.Resolved),
		"isOutdated": first.Line == 0 && !first.WholeFile, "line": form.NumberOrNull(first.Line),
		"startLine": form.NumberOrNull(first.Start), "originalLine": form.NumberOrNull(first.OriginalLine),
		"comments": graphql.Connection("comments", comments, c.reviewCommentNode)}
}

// reviewCommentNode returns PullRequestReviewComment.
func (c nodes) reviewCommentNode(rc *entity.ReviewComment) entity.Object {
	return entity.Object{"__typename": "PullRequestReviewComment", "id": sim.NodeID("PRRC", rc.ID), "databaseId": rc.ID,
		"fullDatabaseId": itoa(rc.ID), "body": rc.Body, "diffHunk": rc.Hunk, "author": c.actorNode(rc.User),
		"createdAt": form.Time(rc.Created), "updatedAt": form.Time(rc.Updated),
		"url": fmt.Sprintf("%s#discussion_r%d", c.ThreadPage(rc.Issue), rc.ID)}
}

// actorNode returns Actor. In GraphQL, the login of an App's account is the App's name, without "[bot]" as in REST.
func (c nodes) actorNode(u *entity.User) any {
	if u == nil {
		return nil
	}
	return entity.Object{"__typename": string(u.Kind), "id": sim.NodeID("U", u.ID), "login": strings.TrimSuffix(u.Login,
		"[bot]")}
}
