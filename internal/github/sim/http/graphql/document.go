// Package graphql executes documents by the part of GitHub's GraphQL schema that an App like this one uses. It knows
// nothing of GitHub's objects: the fields of an object are values, a Resolver or a Pager.
package graphql

import (
	_ "embed"
	"log/slog"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

//go:embed schema.graphql
var schemaText string

var loadSchema = sync.OnceValues(func() (*ast.Schema, error) {
	return gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: schemaText})
})

// Document is the operation of a valid document, with its variables.
type Document struct {
	op   *ast.OperationDefinition
	vars map[string]any
}

// Load returns the operation of a document that has a name, or what is wrong with the document.
func Load(query, name string, variables map[string]any) (*Document, gqlerror.List, error) {
	schema, err := loadSchema()
	if err != nil {
		return nil, nil, err
	}
	doc, wrong := gqlparser.LoadQueryWithRules(schema, query, rules.NewDefaultRules())
	if len(wrong) > 0 {
		return nil, wrong, nil
	}
	op := doc.Operations.ForName(name)
	if op == nil {
		return nil, gqlerror.List{{Message: "An operation name is required"}}, nil
	}
	vars, err := validator.VariableValues(schema, op, variables)
	if err != nil {
		return nil, gqlerror.List{gqlerror.Errorf("Variable was provided invalid value: %v", err)}, nil
	}
	return &Document{op, vars}, nil, nil
}

// IsMutation reports whether the operation is a mutation.
func (d *Document) IsMutation() bool { return d.op.Operation == ast.Mutation }

// Execute returns the response: the selected fields of the root, and the errors of fields. Errors that are none of
// GitHub's go to the log. staleType is the type of the error for a state that is not the expected one.
func (d *Document) Execute(root entity.Object, log *slog.Logger, staleType string) entity.Object {
	e := execution{vars: d.vars, log: log, staleType: staleType}
	out := entity.Object{"data": e.selected(d.op.SelectionSet, root, nil)}
	if len(e.errors) > 0 {
		out["errors"] = e.errors
	}
	return out
}

// Errors returns the response with the errors of an invalid document.
func Errors(list gqlerror.List) entity.Object {
	wrong := make([]entity.Object, len(list))
	for i, e := range list {
		wrong[i] = entity.Object{"message": e.Message}
		if len(e.Locations) > 0 {
			wrong[i]["locations"] = e.Locations
		}
		if e.Rule != "" {
			wrong[i]["extensions"] = entity.Object{"code": e.Rule}
		}
	}
	return entity.Object{"errors": wrong}
}
