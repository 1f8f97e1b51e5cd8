package simhttp

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// resolver returns the value of a field that has arguments or can fail.
type resolver func(args map[string]any) (any, error)

// pager is the resolver of a connection; items means that more than counts are selected.
type pager func(args map[string]any, items bool) (any, error)

// selectsItems reports whether a selection has more fields than counts, which need no first or last.
func selectsItems(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(sel ast.Selection) bool {
		f, is := sel.(*ast.Field)
		return !is || f.Name != "__typename" && !strings.HasSuffix(f.Name, "Count")
	})
}

// execution is the execution of one operation. A field that fails is null, and there is an error for it.
type execution struct {
	*Server
	vars   map[string]any
	errors []model.Object
}

// selected returns the selected fields of an object.
func (e *execution) selected(set ast.SelectionSet, of model.Object, path []any) model.Object {
	out := model.Object{}
	for _, sel := range set {
		switch sel := sel.(type) {
		case *ast.Field:
			out[sel.Alias] = e.field(sel, of, append(slices.Clone(path), sel.Alias))
		case *ast.InlineFragment:
			e.merge(out, sel.TypeCondition, sel.SelectionSet, of, path)
		case *ast.FragmentSpread:
			e.merge(out, sel.Definition.TypeCondition, sel.Definition.SelectionSet, of, path)
		}
	}
	return out
}

// merge adds the fields of a fragment if its type is one of the object's.
func (e *execution) merge(out model.Object, condition string, set ast.SelectionSet, of model.Object, path []any) {
	if condition != "" && condition != of["__typename"] && condition != "Node" && condition != "Actor" {
		return
	}
	for name, value := range e.selected(set, of, path) {
		out[name] = value
	}
}

func (e *execution) field(f *ast.Field, of model.Object, path []any) any {
	value, known := of[f.Name]
	if !known { // a fault of this package
		e.fail(f, path, fmt.Errorf("field %s has no value", f.Name))
		return nil
	}
	var err error
	switch find := value.(type) {
	case resolver:
		value, err = find(f.ArgumentMap(e.vars))
	case pager:
		value, err = find(f.ArgumentMap(e.vars), selectsItems(f.SelectionSet))
	}
	if err != nil {
		e.fail(f, path, err)
		return nil
	}
	switch value := value.(type) {
	case model.Object:
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
	case model.Object:
		return e.selected(f.SelectionSet, item, path)
	}
	return item
}

// errorTypes are GraphQL's types of the REST API's errors.
var errorTypes = map[int]string{http.StatusForbidden: "FORBIDDEN", http.StatusNotFound: "NOT_FOUND",
	http.StatusUnprocessableEntity: "UNPROCESSABLE"}

func (e *execution) fail(f *ast.Field, path []any, err error) {
	o := model.Object{"path": path, "locations": []model.Object{{"line": f.Position.Line, "column": f.Position.Column}}}
	e.errors = append(e.errors, o)
	var refused *model.APIError
	if !errors.As(err, &refused) {
		e.Log.Error("fake GitHub", "error", err)
		o["message"] = "Something went wrong while executing your query."
		return
	}
	o["message"] = refused.Message
	if kind := errorTypes[refused.Status]; kind != "" {
		o["type"] = kind
	}
	if refused.Status == http.StatusConflict {
		o["type"] = e.opts.StaleType
	}
}

// wholeNumber returns an Int of the document or of a variable.
func wholeNumber(arg any) (n int, is bool) {
	switch arg := arg.(type) {
	case int64:
		return int(arg), true
	case float64:
		return int(arg), true
	}
	return 0, false
}

// connection returns a page of a list, whose elements are rendered as objects or as errors. "You must supply a first or
// last argument on any connection"; both are 1 to 100.
func connection[T, N any](field string, all []T, render func(T) N) pager {
	return func(args map[string]any, items bool) (any, error) {
		first, hasFirst := wholeNumber(args["first"])
		last, hasLast := wholeNumber(args["last"])
		switch {
		case !items:
			return model.Object{"totalCount": len(all)}, nil
		case !hasFirst && !hasLast:
			return nil, model.Refuse(0, "You must provide a `first` or `last` value to properly paginate the `%s` connection.",
				field)
		case hasFirst && hasLast:
			return nil, model.Refuse(0, "Passing both `first` and `last` to paginate the `%s` connection is not supported.",
				field)
		}
		n := first + last
		if n < 1 || n > 100 {
			return nil, model.Refuse(0, "Requesting %d records on the `%s` connection exceeds the limit of 1 to 100 records.", n,
				field)
		}
		rest := all
		if after, _ := args["after"].(string); after != "" {
			begin, err := cursorPlace(after, len(all))
			if err != nil {
				return nil, err
			}
			rest = all[begin:]
		}
		begin, end := 0, min(n, len(rest))
		if hasLast {
			begin, end = max(0, len(rest)-n), len(rest)
		}
		nodes := []any{}
		for _, item := range rest[begin:end] {
			nodes = append(nodes, render(item))
		}
		info := model.Object{"endCursor": nil, "hasNextPage": hasFirst && end < len(rest)}
		if len(nodes) > 0 {
			info["endCursor"] = cursorAt(len(all) - len(rest) + end)
		}
		return model.Object{"nodes": nodes, "pageInfo": info, "totalCount": len(all)}, nil
	}
}

func cursorAt(place int) string {
	return base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "cursor:v2:%d", place))
}

func cursorPlace(cursor string, most int) (place int, err error) {
	text, err := base64.StdEncoding.DecodeString(cursor)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "cursor:v2:%d", &place)
	}
	if err != nil || place < 0 || place > most {
		return 0, model.Refuse(0, "`%s` does not appear to be a valid cursor.", cursor)
	}
	return place, nil
}
