package gh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	checksMissing   = "checks: read"
	statusesMissing = "statuses: read"
)

// rollup asks for what CI says of a commit, by one request: REST has check runs and statuses apart. It does not ask for
// workflow runs, which need a permission of their own.
const rollup = `query($owner: String!, $name: String!, $commit: GitObjectID!) {
  repository(owner: $owner, name: $name) {
    object(oid: $commit) {
      ... on Commit {
        oid
        statusCheckRollup {
          contexts(first: 100) {
            pageInfo { hasNextPage }
            nodes {
              __typename
              ... on CheckRun {
                databaseId name conclusion startedAt completedAt detailsUrl url title summary
                annotations(first: 1) { totalCount }
                checkSuite { app { slug } }
              }
              ... on StatusContext { context state description targetUrl }
            }
          }
        }
      }
    }
  }
}`

// rollupAnswer is the data of rollup. Of a commit that GitHub does not know, the object is null; of one without checks,
// the rollup.
type rollupAnswer struct {
	Repository *struct {
		Object *struct {
			OID               string `json:"oid"`
			StatusCheckRollup *struct {
				Contexts struct {
					PageInfo struct{ HasNextPage bool }
					Nodes    []*rollupNode
				}
			}
		}
	}
}

// rollupNode is a CheckRun or a StatusContext.
type rollupNode struct {
	Type string `json:"__typename"`

	DatabaseID                               json.Number
	Name, Conclusion, DetailsURL, URL, Title string
	Summary                                  string
	StartedAt, CompletedAt                   time.Time
	Annotations                              struct{ TotalCount int }
	CheckSuite                               struct{ App *struct{ Slug string } }

	Context, State, Description, TargetURL string
}

// CommitChecks returns what CI says of a commit: by GraphQL, or by REST where GraphQL refuses that or the owner has not
// accepted all permissions.
func (c *Client) CommitChecks(ctx context.Context, repo port.RepoRef, sha string) (port.CommitChecks, error) {
	if !isSHA(sha) {
		return port.CommitChecks{}, callerError(fmt.Sprintf("asking for the checks of %s: %.50q is not a commit", repo, sha))
	}
	if err := c.checkRepo(repo); err != nil {
		return port.CommitChecks{}, err
	}
	me, err := c.Account(ctx)
	if err != nil {
		return port.CommitChecks{}, err
	}
	list := checkList{own: strings.TrimSuffix(me.Login, "[bot]"), part: c.partOf}
	token, err := c.tokens.token(ctx, grant{repo.Installation, repo.ID, checking})
	switch {
	case isUngranted(err):
		list.Missing = []string{checksMissing}
		if err = c.readStatuses(ctx, repo, sha, statusing, &list); isUngranted(err) {
			list.Missing, err = append(list.Missing, statusesMissing), nil
		}
	case c.plain != nil:
		err = c.readAllowed(ctx, repo, sha, &list)
	case err == nil && token.narrow:
		list.Missing = []string{statusesMissing}
		err = c.readCheckRuns(ctx, repo, sha, &list)
	case err == nil:
		err = c.readRollup(ctx, repo, sha, &list)
	}
	if err != nil {
		return port.CommitChecks{}, c.explain(err, "asking for the checks of %s in %s", sha, repo)
	}
	return list.CommitChecks, nil
}

// readRollup reads all checks of a commit by GraphQL, and by REST if GraphQL refuses that.
func (c *Client) readRollup(ctx context.Context, repo port.RepoRef, sha string, list *checkList) error {
	if _, refused := c.noRollup.of(repo.Installation); refused {
		return c.readByREST(ctx, repo, sha, list)
	}
	api, err := c.forRepoInClass(repo, checking, reads)
	if err != nil {
		return err
	}
	vars := map[string]any{"owner": repo.Owner, "name": repo.Name, "commit": sha}
	answer, err := c.postGraphQL(ctx, api, rollup, vars)
	if err == nil {
		var found bool
		if found, err = list.addRollup(answer); found {
			return nil
		}
	}
	switch {
	case err == nil:
		return fmt.Errorf("GitHub does not know the commit: %w", port.ErrNotFound)
	case !c.isRefusal(err):
		return err
	}
	c.noRollup.add(repo.Installation)
	return c.readByREST(ctx, repo, sha, list)
}

// readByREST reads all checks of a commit by two requests.
func (c *Client) readByREST(ctx context.Context, repo port.RepoRef, sha string, list *checkList) error {
	if err := c.readCheckRuns(ctx, repo, sha, list); err != nil {
		return err
	}
	return c.readStatuses(ctx, repo, sha, checking, list)
}

// readAllowed reads those checks of a commit that a plain token may read.
func (c *Client) readAllowed(ctx context.Context, repo port.RepoRef, sha string, list *checkList) error {
	whole := *list
	err := c.readRollup(ctx, repo, sha, &whole)
	if !errors.Is(c.kindOf(err), port.ErrDenied) {
		*list = whole
		return err
	}
	if err = c.readCheckRuns(ctx, repo, sha, list); errors.Is(c.kindOf(err), port.ErrDenied) {
		list.Missing, err = append(list.Missing, checksMissing), nil
	}
	if err != nil {
		return err
	}
	if err = c.readStatuses(ctx, repo, sha, checking, list); errors.Is(c.kindOf(err), port.ErrDenied) {
		list.Missing, err = append(list.Missing, statusesMissing), nil
	}
	return err
}

// addRollup adds the checks of a response. found is false if there is no such commit. It returns an error if checks may
// be there that the response does not have.
func (l *checkList) addRollup(answer graphQLResponse) (found bool, err error) {
	var data rollupAnswer
	if len(answer.Data) > 0 {
		if err := json.Unmarshal(answer.Data, &data); err != nil {
			return false, err
		}
	}
	refused := len(answer.Errors) > 0
	switch r := data.Repository; {
	case refused && (r == nil || r.Object == nil || r.Object.StatusCheckRollup == nil):
		return false, newGraphQLFailure(answer.Errors)
	case r == nil || r.Object == nil || r.Object.OID == "":
		return false, nil
	case r.Object.StatusCheckRollup == nil:
		return true, nil
	}
	contexts := data.Repository.Object.StatusCheckRollup.Contexts
	isCut := func(n *rollupNode) bool { return n == nil || n.Type == "CheckRun" && n.CheckSuite.App == nil }
	if refused && (contexts.Nodes == nil || slices.ContainsFunc(contexts.Nodes, isCut)) {
		return false, newGraphQLFailure(answer.Errors)
	}
	for _, node := range contexts.Nodes {
		switch {
		case node == nil:
		case node.Type == "CheckRun":
			l.addRollupRun(*node)
		case node.Type == "StatusContext":
			l.addStatus(node.Context, node.State, node.Description, node.TargetURL)
		}
	}
	l.More = contexts.PageInfo.HasNextPage
	return true, nil
}

func (l *checkList) addRollupRun(n rollupNode) {
	run := checkFound{name: n.Name, conclusion: n.Conclusion, details: n.DetailsURL, page: n.URL, title: n.Title,
		summary: n.Summary, notes: n.Annotations.TotalCount, ran: span{n.StartedAt, n.CompletedAt}}
	run.id, _ = n.DatabaseID.Int64()
	if app := n.CheckSuite.App; app != nil {
		run.app = app.Slug
	}
	l.addRun(run)
}
