package model

import (
	"encoding/json"
	"time"
)

// rendered is the JSON of something of which most never changes, as long as some fields are the same.
type rendered[T comparable] struct {
	of   T
	json json.RawMessage
}

// with returns the JSON for the fields, which render returns if it is not known.
func (r *rendered[T]) With(fields T, render func() Object) json.RawMessage {
	if r.json == nil || r.of != fields {
		data, err := json.Marshal(render())
		if err != nil {
			panic(err) // there is nothing in it that has no JSON
		}
		r.of, r.json = fields, data
	}
	return r.json
}

// UserFields are what the JSON of an account depends on.
type UserFields struct{ Base, Login string }

// RepoFields are what the JSON of a repository depends on.
type RepoFields struct {
	Base, Name, DefaultBranch  string
	Public, Archived, NoIssues bool
	Pushed                     time.Time
	Open                       int
}

// OpenIssues counts the open issues and pull requests.
func (r *Repository) OpenIssues() (n int) {
	for _, is := range r.Issues {
		if is.Open && !is.Gone {
			n++
		}
	}
	return n
}
