package simhttp

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

//go:embed schema.graphql
var schemaText string

var loadSchema = sync.OnceValues(func() (*ast.Schema, error) {
	return gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: schemaText})
})

// graphQLPath is beside the REST API on a GitHub Enterprise Server, not below it.
const graphQLPath = "/graphql"

func graphQLRoute() route {
	return route{method: http.MethodPost, path: graphQLPath, as: asInstallation, do: graphQL}
}

// GraphQLURL returns the URL of GraphQL.
func (s *Server) GraphQLURL() string { return s.root() + "/api" + graphQLPath }

// graphQL handles one document. The status of its errors is 200.
func graphQL(c *call) (*answer, error) {
	in, err := c.graphQLBody()
	if err != nil {
		return nil, err
	}
	if a := c.spendGraphQL(); a != nil {
		return a, nil
	}
	schema, err := loadSchema()
	if err != nil {
		return nil, err
	}
	doc, wrong := gqlparser.LoadQueryWithRules(schema, in.Query, rules.NewDefaultRules())
	if c.opts.NoRollup && strings.Contains(in.Query, "statusCheckRollup") {
		wrong = gqlerror.List{{Message: "Field 'statusCheckRollup' doesn't exist on type 'Commit'", Rule: "undefinedField"}}
	}
	if len(wrong) > 0 {
		return graphQLErrors(wrong)
	}
	op := doc.Operations.ForName(in.OperationName)
	if op == nil {
		return graphQLErrors(gqlerror.List{{Message: "An operation name is required"}})
	}
	vars, err := validator.VariableValues(schema, op, in.Variables)
	if err != nil {
		return graphQLErrors(gqlerror.List{gqlerror.Errorf("Variable was provided invalid value: %v", err)})
	}
	root := model.Object{"repository": resolver(c.repositoryNode), "viewer": c.viewerNode()}
	if op.Operation == ast.Mutation {
		if err := c.spendContent(); err != nil {
			return nil, err
		}
		root = model.Object{"updateRefs": resolver(c.updateRefs), "addReaction": resolver(c.addReaction),
			"createCommitOnBranch":          resolver(c.createCommitOnBranch),
			"markPullRequestReadyForReview": resolver(c.markReadyForReview)}
	}
	e := execution{Server: c.Server, vars: vars}
	out := model.Object{"data": e.selected(op.SelectionSet, root, nil)}
	if len(e.errors) > 0 {
		out["errors"] = e.errors
	}
	return ok(out)
}

type graphQLRequest struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

func (c *call) graphQLBody() (in graphQLRequest, err error) {
	if !json.Valid(c.body) {
		return in, model.Refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	if err := json.Unmarshal(c.body, &in); err != nil || in.Query == "" {
		return in, model.Refuse(http.StatusBadRequest, "A query attribute must be specified and must be a string.")
	}
	return in, nil
}

// spendGraphQL counts a request like those of REST. The status of the error is 200.
func (c spending) spendGraphQL() *answer {
	if err := c.spendRequest(); err != nil {
		return &answer{status: http.StatusOK,
			body: model.Object{"errors": []model.Object{{"type": "RATE_LIMITED", "message": err.Message}}}}
	}
	return nil
}

// graphQLErrors responds with the errors of an invalid document.
func graphQLErrors(list gqlerror.List) (*answer, error) {
	wrong := make([]model.Object, len(list))
	for i, e := range list {
		wrong[i] = model.Object{"message": e.Message}
		if len(e.Locations) > 0 {
			wrong[i]["locations"] = e.Locations
		}
		if e.Rule != "" {
			wrong[i]["extensions"] = model.Object{"code": e.Rule}
		}
	}
	return ok(model.Object{"errors": wrong})
}
