package simhttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// repositoryNode returns the field repository of a query. An old name is resolved unless followRenames is false.
func (c nodes) repositoryNode(args map[string]any) (any, error) {
	name := fmt.Sprintf("%s/%s", args["owner"], args["name"])
	r, err := c.State.Repo(name)
	if err != nil && args["followRenames"] != false {
		r = c.State.FormerRepo(name)
	}
	if r == nil || !c.token.Covers(r) && !r.Public {
		return nil, model.Refuse(http.StatusNotFound, "Could not resolve to a Repository with the name '%s'.", name)
	}
	c.repo = r
	if err := c.permitted(needs("metadata:read"), http.MethodGet); err != nil {
		return nil, err
	}
	return model.Object{"__typename": "Repository", "id": sim.NodeID("R", r.ID), "name": r.Name,
		"nameWithOwner": r.FullName(),
		"isArchived":    r.Archived, "defaultBranchRef": resolver(c.defaultBranchNode),
		"object": resolver(c.objectNode), "pullRequest": resolver(c.pullRequestNode)}, nil
}

// defaultBranchNode returns Ref, with the branch as git has it; null in an empty repository.
func (c nodes) defaultBranchNode(map[string]any) (any, error) {
	if err := c.permitted(needs("contents:read"), http.MethodGet); err != nil {
		return nil, err
	}
	tip := c.resolve("refs/heads/" + c.repo.DefaultBranch)
	if tip == "" {
		return nil, nil
	}
	return model.Object{"__typename": "Ref", "name": c.repo.DefaultBranch, "prefix": "refs/heads/",
		"target": c.commitNode(tip)}, nil
}

func (c nodes) pullRequestNode(args map[string]any) (any, error) {
	number, is := wholeNumber(args["number"])
	if !is {
		return nil, model.Refuse(0,
			"Argument 'number' on Field 'pullRequest' has an invalid value (%v). Expected type 'Int!'.",
			args["number"])
	}
	if err := c.permitted(needs("pull_requests:read"), http.MethodGet); err != nil {
		return nil, err
	}
	pr := c.repo.Issues[number]
	if pr == nil || pr.Pull == nil {
		return nil, model.Refuse(http.StatusNotFound, "Could not resolve to a PullRequest with the number of %d.", number)
	}
	return c.pullNode(pr), nil
}

// pullNode returns PullRequest.
func (c nodes) pullNode(pr *model.Issue) model.Object {
	return model.Object{"__typename": "PullRequest", "id": sim.NodeID("PR", pr.Pull.ID), "number": pr.Number,
		"state": pullRequestState(pr), "locked": pr.Locked, "merged": pr.Pull.Merged != nil, "isDraft": pr.Pull.Draft,
		"reviewThreads": connection("reviewThreads", pr.Pull.Threads(), c.threadNode)}
}

// markReadyForReview makes a draft an ordinary pull request. Its permissions are not documented: GitHub refuses an App
// that may write pull requests and not contents.
func (c mutations) markReadyForReview(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	node, _ := in["pullRequestId"].(string)
	id, _ := nodeNumber(node, "PR")
	for _, r := range c.State.Repos {
		for _, is := range r.Issues {
			if is.Pull == nil || is.Pull.ID != id {
				continue
			}
			for _, needed := range []string{"pull_requests:write", "contents:write"} {
				if err := c.mayChange(r, needed); err != nil {
					return nil, err
				}
			}
			if !is.Open {
				return nil, model.Unprocessable("The pull request is closed.")
			}
			is.Pull.Draft = false
			return model.Object{"__typename": "MarkPullRequestReadyForReviewPayload", "clientMutationId": in["clientMutationId"],
				"pullRequest": c.pullNode(is)}, nil
		}
	}
	return nil, noNode(node)
}

// pullRequestState returns PullRequestState, which tells a merged pull request from one that was closed.
func pullRequestState(pr *model.Issue) string {
	if pr.Pull.Merged != nil {
		return "MERGED"
	}
	return strings.ToUpper(stateOf(pr))
}

// threadNode returns PullRequestReviewThread, with the place of its first comment.
func (c nodes) threadNode(comments []*model.ReviewComment) model.Object {
	first := comments[0]
	return model.Object{"__typename": "PullRequestReviewThread", "id": sim.NodeID("PRRT", first.Thread.ID),
		"path":       first.Path,
		"isResolved": first.Thread.Resolved != nil, "resolvedBy": c.actorNode(first.Thread.Resolved),
		"isOutdated": first.Line == 0 && !first.WholeFile, "line": orNull(first.Line), "startLine": orNull(first.Start),
		"originalLine": orNull(first.OriginalLine), "comments": connection("comments", comments, c.reviewCommentNode)}
}

// reviewCommentNode returns PullRequestReviewComment.
func (c nodes) reviewCommentNode(rc *model.ReviewComment) model.Object {
	return model.Object{"__typename": "PullRequestReviewComment", "id": sim.NodeID("PRRC", rc.ID), "databaseId": rc.ID,
		"fullDatabaseId": itoa(rc.ID),
		"body":           rc.Body, "diffHunk": rc.Hunk, "author": c.actorNode(rc.User), "createdAt": stamp(rc.Created),
		"updatedAt": stamp(rc.Updated),
		"url":       fmt.Sprintf("%s#discussion_r%d", c.ThreadHTML(rc.Issue), rc.ID)}
}

// actorNode returns Actor. In GraphQL, the login of an App's account is the App's name, without "[bot]" as in REST.
func (c nodes) actorNode(u *model.User) any {
	if u == nil {
		return nil
	}
	return model.Object{"__typename": string(u.Kind), "id": sim.NodeID("U", u.ID), "login": strings.TrimSuffix(u.Login,
		"[bot]")}
}
