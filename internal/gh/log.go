package gh

import (
	"context"
	"fmt"

	"github.com/tenon-bot/tenon/bot/port"
)

// logs asks for the history of two commits by one request, which REST has one by one, with all that it knows of each
// commit.
const logs = `query($owner: String!, $name: String!, $a: GitObjectID!, $b: GitObjectID!) {
  repository(owner: $owner, name: $name) {
    a: object(oid: $a) { ...log }
    b: object(oid: $b) { ...log }
  }
}
fragment log on Commit {
  history(first: 50) { nodes { oid messageHeadline parents(first: 3) { nodes { oid } } } }
}`

// logAnswer is one of the objects of logs; nil for a commit that GitHub does not know.
type logAnswer struct {
	History struct {
		Nodes []struct {
			OID             string `json:"oid"`
			MessageHeadline string
			Parents         struct {
				Nodes []struct {
					OID string `json:"oid"`
				}
			}
		}
	}
}

// Logs returns the history of two commits, named by their SHAs: each itself and the newest before it, 50 in all, with
// the first line of the message and without the author. It returns port.ErrNotFound if GitHub does not know one of
// them.
func (c *Client) Logs(ctx context.Context, repo port.RepoRef, a, b string) (logA, logB []port.LoggedCommit, err error) {
	if !isSHA(a) || !isSHA(b) {
		return nil, nil, callerError(fmt.Sprintf("listing commits: %.50q or %.50q is not the name of a commit", a, b))
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return nil, nil, err
	}
	var answer struct{ Repository *struct{ A, B *logAnswer } }
	err = c.graphQL(ctx, api, logs, map[string]any{"owner": repo.Owner, "name": repo.Name, "a": a, "b": b}, &answer)
	switch {
	case err != nil:
		return nil, nil, c.explain(err, "listing the commits before %s and %s in %s", a, b, repo)
	case answer.Repository == nil || answer.Repository.A == nil || answer.Repository.B == nil:
		return nil, nil, fmt.Errorf("listing the commits before %s and %s in %s: %w", a, b, repo, port.ErrNotFound)
	}
	return answer.Repository.A.commits(), answer.Repository.B.commits(), nil
}

func (l logAnswer) commits() []port.LoggedCommit {
	out := make([]port.LoggedCommit, len(l.History.Nodes))
	for i, n := range l.History.Nodes {
		out[i] = port.LoggedCommit{SHA: n.OID, Message: n.MessageHeadline}
		for _, p := range n.Parents.Nodes {
			out[i].Parents = append(out[i].Parents, p.OID)
		}
	}
	return out
}
