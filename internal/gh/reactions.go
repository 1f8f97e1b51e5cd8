package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// React adds a reaction of the App to a comment of any kind. Adding it again has no effect. Eyes acknowledge a command;
// the other reactions do not wait for GitHub's limits, like Progress.
func (c *Client) React(ctx context.Context, repo port.RepoRef, to port.Comment, r port.Reaction) error {
	of := optional
	if r == port.ReactionEyes {
		of = acknowledgement
	}
	api, err := c.forRepoInClass(repo, answering, of)
	if err != nil {
		return err
	}
	switch to.Kind {
	case port.IssueComment:
		_, _, err = api.Reactions.CreateIssueCommentReaction(ctx, repo.Owner, repo.Name, to.ID, string(r))
	case port.ReviewComment:
		_, _, err = api.Reactions.CreatePullRequestCommentReaction(ctx, repo.Owner, repo.Name, to.ID, string(r))
	case port.IssueBody:
		_, _, err = api.Reactions.CreateIssueReaction(ctx, repo.Owner, repo.Name, int(to.ID), string(r))
	case port.Review:
		err = c.reactToNode(ctx, api, to.NodeID, r)
	default:
		err = callerError(fmt.Sprintf("a %q is not a comment", to.Kind))
	}
	if err != nil {
		return c.explain(err, "adding the reaction %s to %s of %s", r, describe(to), repo)
	}
	return nil
}

const addReaction = `mutation($subject: ID!, $content: ReactionContent!) {
  addReaction(input: {subjectId: $subject, content: $content}) { clientMutationId }
}`

// graphQLReactions are GraphQL's names of reactions.
var graphQLReactions = map[port.Reaction]string{
	port.ReactionEyes: "EYES", port.ReactionRocket: "ROCKET", port.ReactionConfused: "CONFUSED",
	port.ReactionDown: "THUMBS_DOWN",
}

// reactToNode adds a reaction to a review, which REST cannot do.
func (c *Client) reactToNode(ctx context.Context, api *github.Client, id string, r port.Reaction) error {
	content, known := graphQLReactions[r]
	if id == "" || !known {
		return callerError("its global id or the reaction is not known")
	}
	return c.graphQL(repeatable(ctx), api, addReaction, map[string]any{"subject": id, "content": content}, nil)
}
