package simhttp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type schema = map[string]any

// description is GitHub's description of its API or its payloads, an OpenAPI document.
type description struct {
	doc schema
	ops []operation
}

type operation struct {
	method string
	path   *regexp.Regexp
	rank   int // few parameters first, and long paths before those that would swallow them
	spec   schema
}

// notDescribed matches existing operations that are not in the description.
var notDescribed = regexp.MustCompile(`^(GET /app/hook/deliveries/\d+|\w+ /no/such/path|POST /graphql|GET /meta|` +
	`DELETE /repos/[^/]+/[^/]+|DELETE /repos/.*/(issues/\d+/reactions|pulls/\d+/reviews)/\d+)$`)

// byID matches the path of a repository by its id, to which redirects lead.
var byID = regexp.MustCompile(`^/repositories/\d+`)

// knownGap matches where GitHub's responses differ from its description: the head of a fork that is gone, and the place
// of an outdated comment, are null (the payloads' description says so); an account in the list of installations is a
// user or an enterprise, not both.
var knownGap = regexp.MustCompile(
	`(\.head\.repo|\.position|\.line): null$|^answer\[\d+\]\.account\.(name|slug|created_at|updated_at) is missing$`)

var loadDescription = sync.OnceValues(func() (*description, error) {
	return load(os.Getenv("TENON_GITHUB_OPENAPI"))
})

func load(file string) (*description, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	d := &description{}
	if err := json.Unmarshal(data, &d.doc); err != nil {
		return nil, err
	}
	paths, _ := d.doc["paths"].(schema)
	for path, item := range paths {
		for method, spec := range item.(schema) {
			if spec, is := spec.(schema); is && spec["responses"] != nil {
				d.ops = append(d.ops, operation{strings.ToUpper(method), pathPattern(path),
					strings.Count(path, "{")*1000 - len(path), spec})
			}
		}
	}
	slices.SortFunc(d.ops, func(a, b operation) int { return a.rank - b.rank })
	return d, nil
}

// pathPattern returns the pattern of a path, in which some parameters can contain slashes.
func pathPattern(path string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(path)
	quoted = regexp.MustCompile(`\\{(ref|path|branch|basehead)\\}`).ReplaceAllString(quoted, `.*`)
	quoted = regexp.MustCompile(`\\{\w+\\}`).ReplaceAllString(quoted, `[^/]+`)
	return regexp.MustCompile("^" + quoted + "$")
}

// describe returns the description, or nil if there is none.
func describe(t *testing.T) *description {
	t.Helper()
	if os.Getenv("TENON_GITHUB_OPENAPI") == "" {
		return nil
	}
	d, err := loadDescription()
	require.NoError(t, err)
	return d
}

// checkCall checks accepted requests and all responses by the description.
func (d *description) checkCall(t *testing.T, req *http.Request, body string, r reply) {
	t.Helper()
	if d == nil {
		return
	}
	path := byID.ReplaceAllString(strings.TrimPrefix(req.URL.Path, "/api/v3"), "/repos/o/r")
	name := req.Method + " " + path
	i := slices.IndexFunc(d.ops, func(o operation) bool { return o.method == req.Method && o.path.MatchString(path) })
	if i < 0 {
		require.Regexp(t, notDescribed, name, "an operation that GitHub does not describe")
		return
	}
	d.checkAnswer(t, name, d.ops[i], r)
	if content := d.at(d.ops[i].spec, "requestBody", "content", "application/json", "schema"); r.status < 300 &&
		content != nil && body != "" && body != "null" {
		var v any
		require.NoError(t, json.Unmarshal([]byte(body), &v), name)
		if list, is := v.([]any); is { // a bare array of labels
			v = schema{"labels": list}
		}
		if in, is := v.(schema); is && in["in_reply_to"] != nil {
			return // the description wants commit_id and path here too, the documentation does not
		}
		require.Empty(t, d.check(content, v, "request"), name)
	}
}

func (d *description) checkAnswer(t *testing.T, name string, op operation, r reply) {
	t.Helper()
	response := d.at(op.spec, "responses", fmt.Sprint(r.status))
	if response == nil {
		// 400, 401, 403, 404, 409 and 410 are described in words for all operations.
		require.Contains(t, []int{400, 401, 403, 404, 409, 410, 422, 429}, r.status,
			"%s: an answer that GitHub does not give", name)
		require.NotEmpty(t, r.object()["message"], name)
		return
	}
	if content := d.at(response, "content", "application/json", "schema"); content != nil &&
		strings.Contains(r.header.Get("Content-Type"), "application/json") {
		wrong := slices.DeleteFunc(d.check(content, r.json, "answer"), knownGap.MatchString)
		require.Empty(t, wrong, name)
	}
}

func (d *description) at(s schema, path ...string) schema {
	for _, key := range path {
		s, _ = d.deref(s)[key].(schema)
	}
	if s == nil {
		return nil
	}
	return d.deref(s)
}

func (d *description) deref(s schema) schema {
	for {
		ref, is := s["$ref"].(string)
		if !is {
			return s
		}
		s = d.doc
		for _, key := range strings.Split(ref, "/")[1:] {
			s, _ = s[key].(schema)
		}
	}
}

// check returns what is wrong with a value, or nothing.
func (d *description) check(s schema, v any, at string) []string {
	s = d.deref(s)
	if v == nil {
		return d.checkNull(s, at)
	}
	var wrong []string
	for _, part := range list(s["allOf"]) {
		wrong = append(wrong, d.check(part, v, at)...)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if choices := list(s[key]); len(choices) > 0 {
			var best []string
			for i, choice := range choices {
				if w := d.check(choice, v, at); i == 0 || len(w) < len(best) {
					best = w
				}
			}
			wrong = append(wrong, best...)
		}
	}
	if enum, is := s["enum"].([]any); is &&
		!slices.ContainsFunc(enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(v) }) {
		wrong = append(wrong, fmt.Sprintf("%s: %v is none of %v", at, v, enum))
	}
	return append(wrong, d.checkType(s, v, at)...)
}

func (d *description) checkNull(s schema, at string) []string {
	types, _ := s["type"].([]any)
	if s["nullable"] == true || s["type"] == "null" || slices.Contains(types, any("null")) {
		return nil
	}
	choices := slices.Concat(list(s["anyOf"]), list(s["oneOf"]), list(s["allOf"]))
	for _, c := range choices {
		if len(d.checkNull(d.deref(c), at)) == 0 {
			return nil
		}
	}
	if s["type"] == nil && len(choices) == 0 && s["properties"] == nil {
		return nil
	}
	return []string{at + ": null"}
}

func (d *description) checkType(s schema, v any, at string) []string {
	types := []any{s["type"]}
	if several, is := s["type"].([]any); is {
		types = several
	}
	if s["type"] != nil && !slices.ContainsFunc(types, func(t any) bool { return fits(t, v) }) {
		return []string{fmt.Sprintf("%s: %T is no %v", at, v, s["type"])}
	}
	var wrong []string
	switch v := v.(type) {
	case string:
		wrong = checkFormat(s["format"], v, at)
	case []any:
		items, _ := s["items"].(schema)
		for i, item := range v {
			wrong = append(wrong, d.check(items, item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case schema:
		properties, _ := s["properties"].(schema)
		required, _ := s["required"].([]any)
		for _, name := range required {
			if _, has := v[name.(string)]; !has {
				wrong = append(wrong, fmt.Sprintf("%s.%s is missing", at, name))
			}
		}
		for name, value := range v {
			if property, has := properties[name].(schema); has {
				wrong = append(wrong, d.check(property, value, at+"."+name)...)
			}
		}
	}
	return wrong
}

func list(v any) []schema {
	items, _ := v.([]any)
	var l []schema
	for _, i := range items {
		l = append(l, i.(schema))
	}
	return l
}

func fits(kind, v any) bool {
	switch v := v.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case json.Number:
		return kind == "number" || kind == "integer" && !strings.ContainsAny(v.String(), ".eE")
	case float64:
		return kind == "number" || kind == "integer" && v == float64(int64(v))
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

func checkFormat(format any, v, at string) []string {
	var err error
	switch format {
	case "date-time":
		_, err = time.Parse(time.RFC3339, v)
	case "uri":
		var u *url.URL
		if u, err = url.Parse(v); err == nil && u.Scheme == "" {
			err = fmt.Errorf("no scheme")
		}
	}
	if err != nil {
		return []string{fmt.Sprintf("%s: %q is no %v", at, v, format)}
	}
	return nil
}

// payloads returns the description of the webhook payloads that TENON_GITHUB_WEBHOOKS names, or that lies beside the
// API's.
func payloads(t *testing.T) *description {
	t.Helper()
	file := os.Getenv("TENON_GITHUB_WEBHOOKS")
	if api := os.Getenv("TENON_GITHUB_OPENAPI"); file == "" && api != "" {
		file = filepath.Join(filepath.Dir(api), "github-webhooks-subset.json")
	}
	if file == "" {
		t.Skip("TENON_GITHUB_WEBHOOKS names no description")
	}
	d, err := load(file)
	require.NoError(t, err)
	return d
}
