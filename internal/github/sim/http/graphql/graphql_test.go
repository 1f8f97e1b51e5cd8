package graphql_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/graphql"
)

// ask executes a query for the check runs of a commit, of which there are five.
func ask(t *testing.T, selection string) entity.Object {
	t.Helper()
	checks := graphql.Connection("contexts", []int{1, 2, 3, 4, 5}, func(n int) any {
		if n == 5 {
			return entity.Refuse(http.StatusForbidden, "Resource not accessible by integration")
		}
		return entity.Object{"__typename": "CheckRun", "name": fmt.Sprint("check ", n)}
	})
	commit := entity.Object{"__typename": "Commit", "statusCheckRollup": entity.Object{"contexts": checks}}
	find := graphql.Resolver(func(args map[string]any) (any, error) {
		switch args["oid"] {
		case "moved":
			return nil, entity.Refuse(http.StatusConflict, "is at another commit")
		case "broken":
			return nil, errors.New("a fault of the server")
		}
		return commit, nil
	})
	doc, wrong, err := graphql.Load(`query($n: String!) { repository(owner: "acme", name: $n) { `+selection+` } }`, "",
		map[string]any{"n": "app"})
	require.NoError(t, err)
	if len(wrong) > 0 {
		return graphql.Errors(wrong)
	}
	require.False(t, doc.IsMutation())
	return doc.Execute(entity.Object{"repository": entity.Object{"__typename": "Repository", "object": find}},
		slog.New(slog.DiscardHandler), "STALE")
}

// contexts returns the selection of a connection.
func contexts(args, selection string) string {
	return `object(oid: "x") { ... on Commit { statusCheckRollup { contexts` + args + ` { ` + selection + ` } } } }`
}

// Counts alone need no bounds; items do.
func TestAConnectionNeedsBoundsForItsItems(t *testing.T) {
	t.Parallel()
	require.NotContains(t, ask(t, contexts("", "totalCount")), "errors")
	require.Contains(t, fmt.Sprint(ask(t, contexts("", "totalCount nodes { __typename }"))["errors"]),
		"You must provide a `first` or `last` value")
}

func TestThePagesOfAConnection(t *testing.T) {
	t.Parallel()
	const names = "pageInfo { endCursor hasNextPage } nodes { ... on CheckRun { name } }"
	list := func(args string) (texts []string, end string, more bool) {
		o := ask(t, contexts(args, names))["data"].(entity.Object)
		for _, field := range strings.Fields("repository object statusCheckRollup contexts") {
			o = o[field].(entity.Object)
		}
		for _, n := range o["nodes"].([]any) {
			texts = append(texts, fmt.Sprint(n))
		}
		info := o["pageInfo"].(entity.Object)
		return texts, info["endCursor"].(string), info["hasNextPage"].(bool)
	}
	first, end, more := list("(first: 2)")
	require.Equal(t, []string{"map[name:check 1]", "map[name:check 2]"}, first)
	require.True(t, more)
	rest, _, more := list(fmt.Sprintf("(first: 100, after: %q)", end))
	require.Equal(t, []string{"map[name:check 3]", "map[name:check 4]", "<nil>"}, rest, "the last one is an error")
	require.False(t, more)
}

func TestWhatAnExecutionRefuses(t *testing.T) {
	t.Parallel()
	for selection, message := range map[string]string{
		contexts("(first: 101)", "nodes { __typename }"):           "Requesting 101 records",
		contexts("(first: 1, last: 1)", "nodes { __typename }"):    "Passing both `first` and `last`",
		contexts(`(first: 1, after: "x")`, "nodes { __typename }"): "`x` does not appear to be a valid cursor.",
		contexts("(last: 1)", "nodes { __typename }"):              "type:FORBIDDEN",
		`object(oid: "moved") { __typename }`:                      "type:STALE",
		`object(oid: "broken") { __typename }`:                     "Something went wrong while executing your query.",
		`nothing`:                                                  "Cannot query field",
	} {
		require.Contains(t, fmt.Sprint(ask(t, selection)["errors"]), message)
	}
	_, wrong, err := graphql.Load(`query A { viewer { login } } query B { viewer { login } }`, "", nil)
	require.NoError(t, err)
	require.ErrorContains(t, wrong, "An operation name is required")
}
