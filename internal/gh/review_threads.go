package gh

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxThreads is the limit of port.Pulls; maxThreadPages is how many pages of resolved and unresolved threads are read.
	maxThreads     = 100
	maxThreadPages = 20
)

// reviewThreads requests 50 threads of 100 comments, which costs one of the 5,000 points of an hour.
const reviewThreads = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 50, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id isResolved isOutdated path line
          comments(first: 100) {
            nodes { id fullDatabaseId url body updatedAt diffHunk author { login __typename } }
          }
        }
      }
    }
  }
}`

type threadPage struct {
	Repository struct {
		PullRequest struct {
			ReviewThreads struct {
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []threadNode
			}
		}
	}
}

type threadNode struct {
	ID                     string
	IsResolved, IsOutdated bool
	Path                   string
	Line                   int
	Comments               struct{ Nodes []commentNode }
}

type commentNode struct {
	ID string
	// FullDatabaseID is the id in REST; databaseId is too small for it.
	FullDatabaseID json.Number `json:"fullDatabaseId"`
	URL, Body      string
	DiffHunk       string
	UpdatedAt      time.Time
	// Author is nil if the account was deleted.
	Author *struct {
		Login string
		Type  string `json:"__typename"`
	}
}

// UnresolvedThreads returns the unresolved review threads of a pull request, in GitHub's order: at most a hundred of
// the first thousand, with the first hundred comments of each.
func (c *Client) UnresolvedThreads(ctx context.Context, repo port.RepoRef, number int) ([]port.ReviewThread, error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	var list []port.ReviewThread
	vars := map[string]any{"owner": repo.Owner, "name": repo.Name, "number": number}
	for range maxThreadPages {
		var page threadPage
		if err := c.graphQL(ctx, api, reviewThreads, vars, &page); err != nil {
			return nil, c.explain(err, "listing the review threads of %s#%d", repo, number)
		}
		threads := page.Repository.PullRequest.ReviewThreads
		for _, t := range threads.Nodes {
			if !t.IsResolved && len(list) < maxThreads {
				list = append(list, t.thread())
			}
		}
		if !threads.PageInfo.HasNextPage || len(list) == maxThreads {
			break
		}
		vars["after"] = threads.PageInfo.EndCursor
	}
	return list, nil
}

func (t threadNode) thread() port.ReviewThread {
	out := port.ReviewThread{NodeID: t.ID, Outdated: t.IsOutdated, Path: t.Path, Line: t.Line}
	if t.IsOutdated {
		out.Line = 0
	}
	for _, n := range t.Comments.Nodes {
		c := n.comment()
		c.Path, c.Line = out.Path, out.Line
		if len(out.Comments) > 0 {
			c.InReplyTo = out.Comments[0].ID
		}
		out.Comments = append(out.Comments, c)
	}
	return out
}

func (n commentNode) comment() port.Comment {
	id, _ := n.FullDatabaseID.Int64()
	c := port.Comment{
		Kind: port.ReviewComment, ID: id, NodeID: n.ID, URL: n.URL, Body: n.Body, Updated: n.UpdatedAt, Hunk: n.DiffHunk,
	}
	if n.Author != nil {
		c.Author = port.User{Login: n.Author.Login, Bot: n.Author.Type == "Bot"}
	}
	// REST, and GitHub's pages, use "name[bot]".
	if c.Author.Bot && !strings.HasSuffix(c.Author.Login, "[bot]") {
		c.Author.Login += "[bot]"
	}
	return c
}
