package graphql

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Pager is the resolver of a connection; items means that more than counts are selected.
type Pager func(args map[string]any, items bool) (any, error)

// selectsItems reports whether a selection has more fields than counts, which need no first or last.
func selectsItems(set ast.SelectionSet) bool {
	return slices.ContainsFunc(set, func(sel ast.Selection) bool {
		f, is := sel.(*ast.Field)
		return !is || f.Name != "__typename" && !strings.HasSuffix(f.Name, "Count")
	})
}

// Connection returns a page of a list, whose elements are rendered as objects or as errors. "You must supply a first or
// last argument on any connection"; both are 1 to 100.
func Connection[T, N any](field string, all []T, render func(T) N) Pager {
	return func(args map[string]any, items bool) (any, error) {
		first, hasFirst := Int(args["first"])
		last, hasLast := Int(args["last"])
		switch {
		case !items:
			return entity.Object{"totalCount": len(all)}, nil
		case !hasFirst && !hasLast:
			return nil, entity.Refuse(0, "You must provide a `first` or `last` value to properly paginate the `%s` connection.",
				field)
		case hasFirst && hasLast:
			return nil, entity.Refuse(0, "Passing both `first` and `last` to paginate the `%s` connection is not supported.",
				field)
		}
		n := first + last
		if n < 1 || n > 100 {
			return nil, entity.Refuse(0,
				"Requesting %d records on the `%s` connection exceeds the limit of 1 to 100 records.", n, field)
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
		info := entity.Object{"endCursor": nil, "hasNextPage": hasFirst && end < len(rest)}
		if len(nodes) > 0 {
			info["endCursor"] = cursorAt(len(all) - len(rest) + end)
		}
		return entity.Object{"nodes": nodes, "pageInfo": info, "totalCount": len(all)}, nil
	}
}

// Int returns an Int of the document or of a variable.
func Int(arg any) (n int, is bool) {
	switch arg := arg.(type) {
	case int64:
		return int(arg), true
	case float64:
		return int(arg), true
	}
	return 0, false
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
		return 0, entity.Refuse(0, "`%s` does not appear to be a valid cursor.", cursor)
	}
	return place, nil
}
