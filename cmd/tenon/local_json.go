package main

import (
	"encoding/json"
	"io"
)

// localJSON is the output of fix --json and ask --json. A question has only an answer, and a command that failed only
// an error; a fix has all of apply --json.
type localJSON struct {
	*applyJSON
	// Answer is what the model said, in Markdown, without its edits.
	Answer string `json:"answer,omitempty"`
	// Commit is the git commit that was made, and Dirty are the edited files that had changes in no commit before.
	Commit string   `json:"commit,omitempty"`
	Dirty  []string `json:"dirty,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// json returns the result of a fix.
func (d localDone) json(result applied, prose string) localJSON {
	v := applyJSONOf(result)
	if d.made.Uncommitted != nil {
		v.Error = d.made.Uncommitted.Error()
	}
	return localJSON{applyJSON: &v, Answer: prose, Commit: d.made.SHA, Dirty: d.dirty(), Error: v.Error}
}

func printLocalJSON(out io.Writer, v localJSON) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
