package webhook

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
)

// required is a field that an event must have, and whether it is valid.
type required struct {
	field string
	valid bool
}

// threadFields returns the required fields of thread t, the payload's field of that name.
func threadFields(field string, t *thread) []required {
	return []required{{field + ".number", t.Number > 0}, {field + ".state", t.State != ""}}
}

// validate returns a refusal that names a missing or invalid field, of those of every event and of more.
func (p payload) validate(more ...required) error {
	if p.Installation.ID <= 0 && !p.noApp {
		return refuse(http.StatusBadRequest, "the payload has no installation.id: deliver to this address "+
			"from the webhook of the GitHub App, not from one of a repository or an organisation")
	}
	for _, n := range append([]required{
		{"repository.id", p.Repository.ID > 0},
		{"repository.name", p.Repository.Name != ""},
		{"repository.owner.login", p.Repository.Owner.Login != ""},
		{"sender.id", p.Sender.ID > 0},
		{"sender.login", p.Sender.Login != ""},
	}, more...) {
		if !n.valid {
			return missing(n.field)
		}
	}
	return p.validateNames()
}

// validateNames returns a refusal for a name that GitHub does not allow: names become parts of URLs.
func (p payload) validateNames() error {
	for _, n := range []struct{ field, name, also string }{
		{"repository.name", p.Repository.Name, "."},
		{"repository.owner.login", p.Repository.Owner.Login, ""},
		{"sender.login", p.Sender.Login, "[]"},
	} {
		invalid := func(r rune) bool { return isOutsideNames(r) && !strings.ContainsRune(n.also, r) }
		if strings.ContainsFunc(n.name, invalid) || len(n.name) > 100 || n.name == "." || n.name == ".." {
			return refuse(http.StatusBadRequest, "the payload's %s is %.120q, which is not a name that GitHub gives",
				n.field, n.name)
		}
	}
	return nil
}

func missing(field string) *refusal {
	return refuse(http.StatusBadRequest, "the payload has no %s: send it as GitHub makes it", field)
}

// unreadable returns the refusal for a body that is not the expected JSON, with the place of the error.
func unreadable(err error) *refusal {
	refused := refuse(http.StatusBadRequest, "the body is not JSON: %s", err)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		refused = refuse(http.StatusBadRequest, "the body is not JSON: %s, at byte %d", syntax, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		refused = refuse(http.StatusBadRequest, "the payload is a JSON %s, not an object", kind.Value)
	case errors.As(err, &kind):
		refused = refuse(http.StatusBadRequest, "the payload's %s must be %s, not %.40s",
			kind.Field, jsonType(kind.Type.Kind()), kind.Value)
	}
	refused.cause = err
	return refused
}

// jsonType returns the JSON type for a field's Go kind, in words.
func jsonType(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "an object"
}
