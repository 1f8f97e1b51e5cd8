package gh

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v66/github"
)

// graphQLPath is below the API of github.com, and beside that of an Enterprise Server: https://HOST/api/graphql.
func graphQLPath(base *url.URL) string {
	if root, is := strings.CutSuffix(base.Path, "/v3/"); is {
		return root + "/graphql"
	}
	return base.Path + "graphql"
}

func isGraphQL(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/graphql") }

// graphQL asks what REST has no words for. out gets the answer's data; nil is for a mutation of which only the effect counts.
func (c *Client) graphQL(ctx context.Context, api *github.Client, query string, variables map[string]any, out any) error {
	in := map[string]any{"query": query, "variables": variables}
	var answer graphAnswer
	if err := call(ctx, api, http.MethodPost, graphQLPath(c.base), in, &answer); err != nil {
		return err
	}
	switch {
	case len(answer.Errors) > 0:
		return ofGraph(answer.Errors)
	case len(answer.Data) == 0 || string(answer.Data) == "null":
		return errors.New("GitHub's answer to GraphQL holds nothing")
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer.Data, out)
}

// call makes a request for which go-github has no method, or not the right one.
func call(ctx context.Context, api *github.Client, method, path string, in, out any) error {
	req, err := api.NewRequest(method, path, in)
	if err != nil {
		return err
	}
	_, err = api.Do(ctx, req, out)
	return err
}

// graphAnswer is what comes with status 200, whatever became of the request.
type graphAnswer struct {
	Data   json.RawMessage `json:"data"`
	Errors []graphFault    `json:"errors"`
}

// graphFault is one of GraphQL's errors. GitHub does not say which types there are.
type graphFault struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// limit says that the request was refused by a rate limit: "the response status will still be 200" (GitHub, rate limits of the
// GraphQL API). Of a secondary limit, only the words are known.
func (f graphFault) limit() bool {
	return f.Type == "RATE_LIMITED" || strings.HasPrefix(f.Message, "You have exceeded a secondary rate limit")
}

// notForApps is GitHub's no to a token that lacks a right.
const notForApps = "Resource not accessible by integration"

// status is the status with which REST would have said the same.
func (f graphFault) status() int {
	switch {
	case f.Type == "NOT_FOUND":
		return http.StatusNotFound
	case f.Type == "FORBIDDEN", f.Type == "INSUFFICIENT_SCOPES", strings.HasPrefix(f.Message, notForApps):
		return http.StatusForbidden
	case f.Type == "INTERNAL", f.Type == "SERVICE_UNAVAILABLE", strings.HasPrefix(f.Message, "Something went wrong"):
		return http.StatusInternalServerError
	}
	return http.StatusUnprocessableEntity
}

// maxRefusal bounds what is kept of GitHub's words for a person, in bytes.
const maxRefusal = 16 << 10

// graphError is GraphQL's no, as the bot's kind of error, with all that GitHub said.
type graphError struct {
	error
	text string
}

func (e *graphError) Unwrap() error { return e.error }

// ofGraph takes the kind from the first fault, and the words from all.
func ofGraph(faults []graphFault) error {
	var said []string
	for _, f := range faults {
		said = append(said, f.Message)
	}
	return &graphError{ofAnswer(faults[0].status(), oneLine(said)), *cutBytes(strings.Join(said, "\n"), maxRefusal)}
}

// graphLimited says whether GraphQL refused the request because of a rate limit. Such an answer is short.
func graphLimited(req *http.Request, resp *http.Response) bool {
	if resp.StatusCode != http.StatusOK || !isGraphQL(req) {
		return false
	}
	var answer graphAnswer
	err := json.Unmarshal(peek(resp), &answer)
	return err == nil && slices.ContainsFunc(answer.Errors, graphFault.limit)
}
