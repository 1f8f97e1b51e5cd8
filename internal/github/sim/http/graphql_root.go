package simhttp

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/graphql"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// graphQL handles one document. The status of its errors is 200.
func graphQL(c *call) (*answer, error) {
	in, err := c.graphQLBody()
	if err != nil {
		return nil, err
	}
	if a := spendGraphQL(c); a != nil {
		return a, nil
	}
	if c.opts.NoRollup && strings.Contains(in.Query, "statusCheckRollup") {
		return ok(graphql.Errors(gqlerror.List{
			{Message: "Field 'statusCheckRollup' doesn't exist on type 'Commit'", Rule: "undefinedField"}}))
	}
	doc, wrong, err := graphql.Load(in.Query, in.OperationName, in.Variables)
	switch {
	case err != nil:
		return nil, err
	case len(wrong) > 0:
		return ok(graphql.Errors(wrong))
	}
	n := nodes{c}
	root := entity.Object{"repository": graphql.Resolver(n.repositoryNode), "viewer": n.viewerNode()}
	if doc.IsMutation() {
		if err := spendContent(c); err != nil {
			return nil, err
		}
		m := mutations{n}
		root = entity.Object{"updateRefs": graphql.Resolver(m.updateRefs), "addReaction": graphql.Resolver(m.addReaction),
			"createCommitOnBranch":          graphql.Resolver(m.createCommitOnBranch),
			"markPullRequestReadyForReview": graphql.Resolver(m.markReadyForReview)}
	}
	return ok(doc.Execute(root, c.Log, c.opts.StaleType))
}

// graphQLRequest is the body of a request.
type graphQLRequest struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

func (c *call) graphQLBody() (in graphQLRequest, err error) {
	if !json.Valid(c.body) {
		return in, entity.Refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if err := json.Unmarshal(c.body, &in); err != nil || in.Query == "" {
		return in, entity.Refuse(http.StatusBadRequest, "A query attribute must be specified and must be a string.")
	}
	return in, nil
}

// spendGraphQL counts a request like those of REST. The status of the error is 200.
func spendGraphQL(c *call) *answer {
	if err := spendRequest(c); err != nil {
		return &answer{status: http.StatusOK,
			body: entity.Object{"errors": []entity.Object{{"type": "RATE_LIMITED", "message": err.Message}}}}
	}
	return nil
}

// GraphQLURL returns the URL of GraphQL.
func (s *Server) GraphQLURL() string { return s.root() + "/api" + traffic.GraphQLPath }

func graphQLRoute() route {
	return route{method: http.MethodPost, path: traffic.GraphQLPath, as: asInstallation, do: graphQL}
}

// nodes are the objects of queries.
type nodes struct{ *call }

// lacking returns an error if the token does not have a permission to read.
func (c nodes) lacking(permission string) error {
	return c.permitted([]string{permission}, http.MethodGet)
}

// mutations are the fields of mutations.
type mutations struct{ nodes }

// viewerNode returns the User whose token it is; the account of an App counts as one here, with "[bot]" in its login.
func (c nodes) viewerNode() entity.Object {
	u := c.sender()
	return entity.Object{"__typename": "User", "id": sim.NodeID("U", u.ID), "databaseId": u.ID, "login": u.Login}
}
