package simhttp

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/http/graphql"
)

// repositoryNode returns the field repository of a query. An old name is resolved unless followRenames is false.
func (c nodes) repositoryNode(args map[string]any) (any, error) {
	name := fmt.Sprintf("%s/%s", args["owner"], args["name"])
	r, err := c.State.Repo(name)
	if err != nil && args["followRenames"] != false {
		r = c.State.FormerRepo(name)
	}
	if r == nil || !c.token.Covers(r) && !r.Public {
		return nil, entity.Refuse(http.StatusNotFound, "Could not resolve to a Repository with the name '%s'.", name)
	}
	c.repo = r
	if err := c.lacking("metadata:read"); err != nil {
		return nil, err
	}
	return entity.Object{"__typename": "Repository", "id": sim.NodeID("R", r.ID), "name": r.Name,
		"nameWithOwner": r.FullName(), "isArchived": r.Archived, "defaultBranchRef": graphql.Resolver(c.defaultBranchNode),
		"object": graphql.Resolver(c.objectNode), "pullRequest": graphql.Resolver(c.pullRequestNode)}, nil
}

// defaultBranchNode returns Ref, with the branch as git has it; null in an empty repository.
func (c nodes) defaultBranchNode(map[string]any) (any, error) {
	if err := c.lacking("contents:read"); err != nil {
		return nil, err
	}
	tip := c.resolve("refs/heads/" + c.repo.DefaultBranch)
	if tip == "" {
		return nil, nil
	}
	return entity.Object{"__typename": "Ref", "name": c.repo.DefaultBranch, "prefix": "refs/heads/",
		"target": c.commitNode(tip)}, nil
}

// objectNode returns GitObject: a commit by its id, or null. Other objects and expressions are not supported here.
func (c nodes) objectNode(args map[string]any) (any, error) {
	if err := c.lacking("contents:read"); err != nil {
		return nil, err
	}
	oid, _ := args["oid"].(string)
	switch {
	case oid == "":
		return nil, entity.Unprocessable("Only objects by their oid are supported")
	case !wholeSHA.MatchString(oid):
		return nil, entity.Refuse(0,
			"Argument 'oid' on Field 'object' has an invalid value (%s). Expected type 'GitObjectID'.", oid)
	case !c.hasObject(oid, git.KindCommit):
		return nil, nil
	}
	return c.commitNode(oid), nil
}

// commitNode returns Commit.
func (c nodes) commitNode(sha string) entity.Object {
	return entity.Object{"__typename": "Commit", "id": sim.NodeID("C", c.repo.ID) + sha[:8], "oid": sha,
		"url":             c.RepoPage(c.repo) + "/commit/" + sha,
		"messageHeadline": graphql.Resolver(func(map[string]any) (any, error) { return c.headline(sha) }),
		"history": graphql.Pager(func(args map[string]any, items bool) (any, error) {
			list, err := c.repo.Git.Log(sha, git.Filter{Max: sim.MaxLog})
			if err != nil {
				return nil, err
			}
			return graphql.Connection("history", list, func(one git.Commit) any { return c.commitNode(one.SHA) })(args, items)
		}),
		"parents": graphql.Pager(func(args map[string]any, items bool) (any, error) {
			one, err := c.repo.Git.Commit(sha)
			if err != nil {
				return nil, err
			}
			return graphql.Connection("parents", one.Parents, func(p string) any { return c.commitNode(p) })(args, items)
		}),
		"statusCheckRollup": graphql.Resolver(func(map[string]any) (any, error) { return c.rollupNode(sha) })}
}

// headline returns the first line of a commit's message.
func (c nodes) headline(sha string) (any, error) {
	one, err := c.repo.Git.Commit(sha)
	line, _, _ := strings.Cut(one.Message, "\n")
	return line, err
}
