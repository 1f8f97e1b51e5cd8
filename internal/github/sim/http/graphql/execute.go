package graphql

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Resolver returns the value of a field that has arguments or can fail.
type Resolver func(args map[string]any) (any, error)

// execution is the execution of one operation. A field that fails is null, and there is an error for it.
type execution struct {
	vars      map[string]any
	log       *slog.Logger
	staleType string
	errors    []entity.Object
}

// selected returns the selected fields of an object.
func (e *execution) selected(set ast.SelectionSet, object entity.Object, path []any) entity.Object {
	out := entity.Object{}
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			out[sel.Alias] = e.field(sel, object, append(slices.Clone(path), sel.Alias))
		case *ast.InlineFragment:
			e.merge(out, sel.TypeCondition, sel.SelectionSet, object, path)
		case *ast.FragmentSpread:
			e.merge(out, sel.Definition.TypeCondition, sel.Definition.SelectionSet, object, path)
		}
	}
	return out
}

// merge adds the fields of a fragment if its type is one of the object's.
func (e *execution) merge(out entity.Object, condition string, set ast.SelectionSet, object entity.Object, path []any) {
	if condition != "" && condition != object["__typename"] && condition != "Node" && condition != "Actor" {
		return
	}
	for name, value := range e.selected(set, object, path) {
		out[name] = value
	}
}

func (e *execution) field(f *ast.Field, object entity.Object, path []any) any {
	value, known := object[f.Name]
	if !known { // a fault of this package
		e.fail(f, path, fmt.Errorf("field %s has no value", f.Name))
		return nil
	}
	var err error
	switch find := value.(type) {
	case Resolver:
		value, err = find(f.ArgumentMap(e.vars))
	case Pager:
		value, err = find(f.ArgumentMap(e.vars), selectsItems(f.SelectionSet))
	}
	if err != nil {
		e.fail(f, path, err)
		return nil
	}
	switch value := value.(type) {
	case entity.Object:
		return e.selected(f.SelectionSet, value, path)
	case []any:
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = e.item(f, item, append(slices.Clone(path), i))
		}
		return list
	}
	return value
}

// item returns an element of a list: an object, or null for one that is an error.
func (e *execution) item(f *ast.Field, item any, path []any) any {
	switch item := item.(type) {
	case error:
		e.fail(f, path, item)
		return nil
	case entity.Object:
		return e.selected(f.SelectionSet, item, path)
	}
	return item
}

// errorTypes are GraphQL's types of the REST API's errors.
var errorTypes = map[int]string{http.StatusForbidden: "FORBIDDEN", http.StatusNotFound: "NOT_FOUND",
	http.StatusUnprocessableEntity: "UNPROCESSABLE"}

func (e *execution) fail(f *ast.Field, path []any, err error) {
	o := entity.Object{"path": path, "locations": []entity.Object{{"line": f.Position.Line, "column": f.Position.Column}}}
	e.errors = append(e.errors, o)
	var refused *entity.APIError
	if !errors.As(err, &refused) {
		e.log.Error("fake GitHub", "error", err)
		o["message"] = "Something went wrong while executing your query."
		return
	}
	o["message"] = refused.Message
	if kind := errorTypes[refused.Status]; kind != "" {
		o["type"] = kind
	}
	if refused.Status == http.StatusConflict {
		o["type"] = e.staleType
	}
}
