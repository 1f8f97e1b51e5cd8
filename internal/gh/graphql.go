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

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/text"
)

// graphQLPath returns the path of GraphQL: below the API's of github.com, and https://HOST/api/graphql on an Enterprise
// Server.
func graphQLPath(base *url.URL) string {
	if root, is := strings.CutSuffix(base.Path, "/v3/"); is {
		return root + "/graphql"
	}
	return base.Path + "graphql"
}

func isGraphQL(req *http.Request) bool { return strings.HasSuffix(req.URL.Path, "/graphql") }

// graphQL sends a GraphQL request. Only a query, or a mutation under a context that repeatable marked, is sent again
// after a failure. It decodes the response's data into out, unless out is nil.
func (c *Client) graphQL(ctx context.Context, api *github.Client, query string, variables map[string]any,
	out any) error {
	answer, err := c.postGraphQL(ctx, api, query, variables)
	switch {
	case err != nil:
		return err
	case len(answer.Errors) > 0:
		return c.denied(newGraphQLFailure(answer.Errors), graphQLNeeds[query])
	case len(answer.Data) == 0 || string(answer.Data) == "null":
		return errors.New("GitHub's answer to GraphQL is empty")
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer.Data, out)
}

// postGraphQL is graphQL for the response, whose data may be there beside errors.
func (c *Client) postGraphQL(ctx context.Context, api *github.Client, query string, variables map[string]any) (
	answer graphQLResponse, err error,
) {
	in := map[string]any{"query": query, "variables": variables}
	if !strings.HasPrefix(query, "mutation") {
		ctx = repeatable(ctx)
	}
	err = call(ctx, api, http.MethodPost, graphQLPath(c.base), in, &answer)
	return answer, err
}

// call sends a request for which go-github has no suitable method.
func call(ctx context.Context, api *github.Client, method, path string, in, out any) error {
	req, err := api.NewRequest(method, path, in)
	if err != nil {
		return err
	}
	_, err = api.Do(ctx, req, out)
	return err
}

// graphQLResponse is the response to a GraphQL request; its status is 200 also after an error.
type graphQLResponse struct {
	Data   json.RawMessage `json:"data"`
	Errors []graphQLError  `json:"errors"`
}

// graphQLError is one error of a response. Its possible types are not documented.
type graphQLError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// isRateLimit reports whether a rate limit refused the request: "the response status will still be 200" (GitHub, rate
// limits of the GraphQL API). Only the message of a secondary limit is known.
func (e graphQLError) isRateLimit() bool {
	return e.Type == "RATE_LIMITED" || strings.HasPrefix(e.Message, "You have exceeded a secondary rate limit")
}

// status returns the status that REST has for the same error.
func (e graphQLError) status() int {
	switch {
	case e.Type == "NOT_FOUND":
		return http.StatusNotFound
	case e.Type == "FORBIDDEN", e.Type == "INSUFFICIENT_SCOPES", isDenied(e.Message):
		return http.StatusForbidden
	case e.Type == "INTERNAL", e.Type == "SERVICE_UNAVAILABLE", strings.HasPrefix(e.Message, "Something went wrong"):
		return http.StatusInternalServerError
	}
	return http.StatusUnprocessableEntity
}

// maxFailureText bounds GitHub's messages for a person, in bytes.
const maxFailureText = 16 << 10

// graphQLFailure is the error of a GraphQL request: a statusError, with all of GitHub's messages.
type graphQLFailure struct {
	error
	text string
}

func (e *graphQLFailure) Unwrap() error { return e.error }

// newGraphQLFailure returns the error with the status of the first error, and the messages of all.
func newGraphQLFailure(list []graphQLError) error {
	var messages []string
	for _, e := range list {
		messages = append(messages, e.Message)
	}
	text := *cutBytes(strings.Join(messages, "\n"), maxFailureText)
	return &graphQLFailure{newStatusError(list[0].status(), oneLine(messages)), text}
}

// isGraphQLRateLimit reports whether a rate limit refused a GraphQL request. Such a response is short.
func isGraphQLRateLimit(req *http.Request, resp *http.Response) bool {
	if resp.StatusCode != http.StatusOK || !isGraphQL(req) {
		return false
	}
	var answer graphQLResponse
	err := json.Unmarshal(peek(resp), &answer)
	return err == nil && slices.ContainsFunc(answer.Errors, graphQLError.isRateLimit)
}

// cutBytes cuts a text to a number of bytes, with an ellipsis at the end.
func cutBytes(s string, most int) *string {
	s = text.Clip(s, most)
	return &s
}

// isRefusal reports whether an error is a refusal of a request, or a response that is none of GraphQL: not an outage, a
// limit, the end of the context or the loss of a lease.
func (c *Client) isRefusal(err error) bool {
	var wait *port.WaitError
	var failure *graphQLFailure
	var status *github.ErrorResponse
	var syntax *json.SyntaxError
	var form *json.UnmarshalTypeError
	var large *http.MaxBytesError
	return !errors.As(c.kindOf(err), &wait) && (errors.As(err, &failure) || errors.As(err, &status) ||
		errors.As(err, &syntax) || errors.As(err, &form) || errors.As(err, &large))
}
