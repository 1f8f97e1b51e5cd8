package simhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// call is one API request; the server's lock is held.
type call struct {
	*site
	form  form.Forms // of answers
	r     *http.Request
	vars  map[string]string
	query url.Values
	body  []byte
	token *entity.Token      // nil for the App itself, and for people
	user  *entity.User       // whose token it is
	repo  *entity.Repository // of the path, nil when it names none
}

// answer is the response to a request.
type answer struct {
	status int
	body   any // JSON, or []byte as it is; no body when nil
	header http.Header
}

// ok returns the answer with a body.
func ok(body any) (*answer, error) { return &answer{status: http.StatusOK, body: body}, nil }

// created returns the answer with what was created, and where it is.
func created(body entity.Object) (*answer, error) {
	h := http.Header{}
	if u, is := body["url"].(string); is {
		h.Set("Location", u)
	}
	return &answer{status: http.StatusCreated, body: body, header: h}, nil
}

func noContent() (*answer, error) { return &answer{status: http.StatusNoContent}, nil }

// notFound returns GitHub's response where there is nothing, or nothing that may be known.
func notFound() *entity.APIError { return entity.Refuse(http.StatusNotFound, "Not Found") }

// notAccessible returns GitHub's response to an App whose token lacks a permission.
func notAccessible() *entity.APIError {
	return entity.Refuse(http.StatusForbidden, "Resource not accessible by integration")
}

// maxBody bounds the body of a request, in bytes.
const maxBody = 64 << 20

// decode decodes the JSON body: 400 for invalid JSON, 422 for a value of the wrong type. An absent body is an empty
// object.
func (c *call) decode(into any) error {
	body := bytes.TrimSpace(c.body)
	switch {
	case len(body) == 0 || bytes.Equal(body, []byte("null")):
		return nil
	case !utf8.Valid(body):
		return entity.Refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); errors.As(err, new(*json.SyntaxError)) {
		return entity.Refuse(http.StatusBadRequest, "Problems parsing JSON")
	} else if err != nil {
		return entity.Refuse(http.StatusBadRequest, "Body should be a JSON object")
	}
	// Go would accept "BODY" for "body"; GitHub does not.
	all := len(fields)
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool { return name != strings.ToLower(name) })
	if len(fields) < all {
		var err error
		if body, err = json.Marshal(fields); err != nil {
			return err
		}
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(body, into); errors.As(err, &wrong) {
		return entity.Unprocessable("Invalid request.\n\nFor 'properties/%s', %s is not a %s.", wrong.Field, wrong.Value,
			wrong.Type)
	} else if err != nil { // a time, say, that is none
		return entity.Unprocessable("Invalid request.\n\n%v", err)
	}
	return nil
}

// text is a JSON string or null, which means the empty string; nil means that it is absent.
type text struct{ *string }

// UnmarshalJSON reads a string or null.
func (t *text) UnmarshalJSON(data []byte) error {
	t.string = new(string)
	return json.Unmarshal(data, t.string) // null leaves it empty
}

// bodyOf returns the body in {"body": …}.
func (c *call) bodyOf() (string, error) {
	var in struct {
		Body *string `json:"body"`
	}
	if err := c.decode(&in); err != nil {
		return "", err
	}
	if in.Body == nil {
		return "", entity.NotSupplied("body")
	}
	return *in.Body, nil
}

// number returns a numeric path variable, or 404 if it is no number.
func (c *call) number(name string) (int64, error) {
	n, err := strconv.ParseInt(c.vars[name], 10, 64)
	if err != nil {
		return 0, notFound()
	}
	return n, nil
}

// time returns a time in the query, or the zero time.
func (c *call) time(name string) (time.Time, error) {
	text := c.query.Get(name)
	if text == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, entity.Unprocessable("Invalid request.\n\n%q is not a valid date-time for %s.", text, name)
	}
	return t, nil
}

func (c *call) since() (time.Time, error) { return c.time("since") }

func (c *call) sender() *entity.User { return c.SenderOf(c.token) }

func (c *call) repoURL() string { return c.RepoURL(c.repo) }

// code returns the shapes of the repository's code.
func (c *call) code() form.Code { return c.form.Code(c.repo) }

// wholeSHA matches the full name of a commit.
var wholeSHA = regexp.MustCompile(`^[0-9a-f]{40}$`)

// aSHA matches the name of a commit, also an abbreviated one.
var aSHA = regexp.MustCompile(`^[0-9a-f]{7,40}$`)

// resolve returns the commit of a name, or "" if there is none: "a commit SHA, branch name (heads/BRANCH_NAME), or tag
// name (tags/TAG_NAME)". The API does not know other revisions of git (main~2, :/text, @{1}).
func (c *call) resolve(rev string) string {
	if strings.ContainsAny(rev, "~^:?*[\\ ") || strings.Contains(rev, "@{") || strings.Contains(rev, "..") {
		return ""
	}
	names := []string{"refs/heads/" + rev, "refs/tags/" + rev, "refs/" + rev}
	if aSHA.MatchString(rev) || rev == "HEAD" || strings.HasPrefix(rev, "refs/") {
		names = append(names, rev)
	}
	for _, name := range names {
		if sha := c.repo.Git.Resolve(name); sha != "" {
			return sha
		}
	}
	return ""
}

// hasObject reports whether the repository has an object of a kind, by its full SHA.
func (c *call) hasObject(sha, kind string) bool {
	return c.repo.Git.Kind(sha) == kind
}

// notEmpty returns GitHub's error for git data of a repository without commits.
func (c *call) notEmpty() error {
	if list, err := c.repo.Git.Refs(""); err != nil || len(list) > 0 {
		return err
	}
	return entity.Refuse(http.StatusConflict, "Git Repository is empty.")
}

// deref returns the value, or the zero value for nil.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
