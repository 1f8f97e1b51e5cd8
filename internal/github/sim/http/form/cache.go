package form

import (
	"encoding/json"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// userFields are what the JSON of an account depends on.
type userFields struct{ base, login string }

// repoFields are what the JSON of a repository depends on.
type repoFields struct {
	base, name, defaultBranch  string
	public, archived, noIssues bool
	pushed                     time.Time
	open                       int
}

// rendered is the JSON of an account or a repository as long as its fields are the same.
type rendered[T comparable] struct {
	fields T
	json   json.RawMessage
}

// cache has the rendered JSON of accounts and repositories, by the *entity.User or *entity.Repository.
type cache map[any]any

// cachedJSON returns the JSON of a subject with these fields, which render returns if it is not known.
func cachedJSON[T comparable](c cache, subject any, fields T, render func() entity.Object) json.RawMessage {
	if known, _ := c[subject].(rendered[T]); known.json != nil && known.fields == fields {
		return known.json
	}
	data, err := json.Marshal(render())
	if err != nil {
		panic(err) // there is nothing in it that has no JSON
	}
	c[subject] = rendered[T]{fields, data}
	return data
}
