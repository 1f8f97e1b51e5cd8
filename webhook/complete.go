package webhook

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
)

// needed is a field that an event cannot do without.
type needed struct {
	field string
	there bool
}

// ofThread are those of the payload's thread t, which is its field of that name.
func ofThread(field string, t *thread) []needed {
	return []needed{{field + ".number", t.Number > 0}, {field + ".state", t.State != ""}}
}

// complete says which of the fields that every event needs, or this one besides, is missing or cannot be.
func (p payload) complete(more ...needed) error {
	if p.Installation.ID <= 0 {
		return refuse(http.StatusBadRequest, "the payload has no installation.id: deliver to this address from the webhook of the GitHub App, not from one of a repository or an organisation")
	}
	for _, n := range append([]needed{
		{"repository.id", p.Repository.ID > 0},
		{"repository.name", p.Repository.Name != ""},
		{"repository.owner.login", p.Repository.Owner.Login != ""},
		{"sender.id", p.Sender.ID > 0},
		{"sender.login", p.Sender.Login != ""},
	}, more...) {
		if !n.there {
			return missing(n.field)
		}
	}
	return p.named()
}

// named refuses names that cannot be GitHub's: they become parts of addresses later on.
func (p payload) named() error {
	for _, n := range []struct{ field, name, also string }{
		{"repository.name", p.Repository.Name, "."},
		{"repository.owner.login", p.Repository.Owner.Login, ""},
		{"sender.login", p.Sender.Login, "[]"},
	} {
		odd := strings.IndexFunc(n.name, func(r rune) bool { return strange(r) && !strings.ContainsRune(n.also, r) }) >= 0
		if odd || len(n.name) > 100 || n.name == "." || n.name == ".." {
			return refuse(http.StatusBadRequest, "the payload's %s is %.120q, which is no name that GitHub gives", n.field, n.name)
		}
	}
	return nil
}

func missing(field string) *refusal {
	return refuse(http.StatusBadRequest, "the payload has no %s: send it as GitHub makes it", field)
}

// unreadable names the place where a body is not the JSON that it should be.
func unreadable(err error) *refusal {
	no := refuse(http.StatusBadRequest, "the body is not JSON: %s", err)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		no = refuse(http.StatusBadRequest, "the body is not JSON: %s, at byte %d", syntax, syntax.Offset)
	case errors.As(err, &kind) && kind.Field == "":
		no = refuse(http.StatusBadRequest, "the payload is a JSON %s, not an object", kind.Value)
	case errors.As(err, &kind):
		no = refuse(http.StatusBadRequest, "the payload's %s must be %s, not %.40s", kind.Field, wanted(kind.Type.Kind()), kind.Value)
	}
	no.cause = err
	return no
}

// wanted says in words what a field's Go kind takes.
func wanted(k reflect.Kind) string {
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
