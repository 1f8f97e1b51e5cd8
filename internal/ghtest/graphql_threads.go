package ghtest

import (
	"fmt"
	"net/http"
	"strings"
)

// repositoryNode returns the field repository of a query. An old name is resolved unless followRenames is false.
func (c *call) repositoryNode(args map[string]any) (any, error) {
	name := fmt.Sprintf("%s/%s", args["owner"], args["name"])
	r, err := c.state.repo(name)
	if err != nil && args["followRenames"] != false {
		r = c.state.formerRepo(name)
	}
	if r == nil || !c.token.covers(r) && !r.public {
		return nil, refuse(http.StatusNotFound, "Could not resolve to a Repository with the name '%s'.", name)
	}
	c.repo = r
	if err := c.permitted(needs("metadata:read"), http.MethodGet); err != nil {
		return nil, err
	}
	return object{"__typename": "Repository", "id": nodeID("R", r.id), "name": r.name, "nameWithOwner": r.fullName(),
		"isArchived": r.archived, "defaultBranchRef": resolver(c.defaultBranchNode),
		"object": resolver(c.objectNode), "pullRequest": resolver(c.pullRequestNode)}, nil
}

// defaultBranchNode returns Ref, with the branch as git has it; null in an empty repository.
func (c *call) defaultBranchNode(map[string]any) (any, error) {
	if err := c.permitted(needs("contents:read"), http.MethodGet); err != nil {
		return nil, err
	}
	tip := c.resolve("refs/heads/" + c.repo.defaultBranch)
	if tip == "" {
		return nil, nil
	}
	return object{"__typename": "Ref", "name": c.repo.defaultBranch, "prefix": "refs/heads/",
		"target": c.commitNode(tip)}, nil
}

func (c *call) pullRequestNode(args map[string]any) (any, error) {
	number, is := wholeNumber(args["number"])
	if !is {
		return nil, refuse(0, "Argument 'number' on Field 'pullRequest' has an invalid value (%v). Expected type 'Int!'.",
			args["number"])
	}
	if err := c.permitted(needs("pull_requests:read"), http.MethodGet); err != nil {
		return nil, err
	}
	pr := c.repo.issues[number]
	if pr == nil || pr.pull == nil {
		return nil, refuse(http.StatusNotFound, "Could not resolve to a PullRequest with the number of %d.", number)
	}
	return c.pullNode(pr), nil
}

// pullNode returns PullRequest.
func (c *call) pullNode(pr *issue) object {
	return object{"__typename": "PullRequest", "id": nodeID("PR", pr.pull.id), "number": pr.number,
		"state": pullRequestState(pr), "locked": pr.locked, "merged": pr.pull.merged != nil, "isDraft": pr.pull.draft,
		"reviewThreads": connection("reviewThreads", pr.pull.threads(), c.threadNode)}
}

// markReadyForReview makes a draft an ordinary pull request. Its permissions are not documented: GitHub refuses an App
// that may write pull requests and not contents.
func (c *call) markReadyForReview(args map[string]any) (any, error) {
	in, _ := args["input"].(map[string]any)
	node, _ := in["pullRequestId"].(string)
	id, _ := nodeNumber(node, "PR")
	for _, r := range c.state.repos {
		for _, is := range r.issues {
			if is.pull == nil || is.pull.id != id {
				continue
			}
			for _, needed := range []string{"pull_requests:write", "contents:write"} {
				if err := c.mayChange(r, needed); err != nil {
					return nil, err
				}
			}
			if !is.open {
				return nil, unprocessable("The pull request is closed.")
			}
			is.pull.draft = false
			return object{"__typename": "MarkPullRequestReadyForReviewPayload", "clientMutationId": in["clientMutationId"],
				"pullRequest": c.pullNode(is)}, nil
		}
	}
	return nil, noNode(node)
}

// pullRequestState returns PullRequestState, which tells a merged pull request from one that was closed.
func pullRequestState(pr *issue) string {
	if pr.pull.merged != nil {
		return "MERGED"
	}
	return strings.ToUpper(stateOf(pr))
}

// threadNode returns PullRequestReviewThread, with the place of its first comment.
func (c *call) threadNode(comments []*reviewComment) object {
	first := comments[0]
	return object{"__typename": "PullRequestReviewThread", "id": nodeID("PRRT", first.thread.id), "path": first.path,
		"isResolved": first.thread.resolved != nil, "resolvedBy": c.actorNode(first.thread.resolved),
		"isOutdated": first.line == 0 && !first.wholeFile, "line": orNull(first.line), "startLine": orNull(first.start),
		"originalLine": orNull(first.originalLine), "comments": connection("comments", comments, c.reviewCommentNode)}
}

// reviewCommentNode returns PullRequestReviewComment.
func (c *call) reviewCommentNode(rc *reviewComment) object {
	return object{"__typename": "PullRequestReviewComment", "id": nodeID("PRRC", rc.id), "databaseId": rc.id,
		"fullDatabaseId": itoa(rc.id),
		"body":           rc.body, "diffHunk": rc.hunk, "author": c.actorNode(rc.user), "createdAt": stamp(rc.created),
		"updatedAt": stamp(rc.updated),
		"url":       fmt.Sprintf("%s#discussion_r%d", c.threadHTML(rc.issue), rc.id)}
}

// actorNode returns Actor. In GraphQL, the login of an App's account is the App's name, without "[bot]" as in REST.
func (c *call) actorNode(u *user) any {
	if u == nil {
		return nil
	}
	return object{"__typename": string(u.kind), "id": nodeID("U", u.id), "login": strings.TrimSuffix(u.login, "[bot]")}
}
