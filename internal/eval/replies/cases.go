// Package replies measures how well replies are read and applied: on cases with a known result, and without a model.
package replies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/engine"
)

// Case is a reply, the files that it was written for, and what it must make of them.
type Case struct {
	ID string
	// Form and Variant say how the reply is written, and Source where it is from. They may be any names.
	Source, Form, Variant string
	Files                 map[string]string
	Reply                 string
	// Expect has the new text of each file that the reply changes, and nil for each that it removes. All other files must
	// stay as they are.
	Expect map[string]*string
	// Ambiguous cases have more than one right result, of which Expect is one.
	Ambiguous bool
}

// Before returns the files before the reply, in a tree of their own.
func (c Case) Before() engine.MemTree {
	tree := make(engine.MemTree, len(c.Files))
	for name, text := range c.Files {
		tree[name] = []byte(text)
	}
	return tree
}

// After returns the files as they must be after the reply, in a tree of their own.
func (c Case) After() engine.MemTree {
	tree := c.Before()
	for name, text := range c.Expect {
		if text == nil {
			delete(tree, name)
		} else {
			tree[name] = []byte(*text)
		}
	}
	return tree
}

// caseLine is a case on a line of JSON. Fields that it does not have are ignored.
type caseLine struct {
	ID      string             `json:"id"`
	Source  string             `json:"source"`
	Form    string             `json:"form"`
	Variant string             `json:"variant"`
	Files   map[string]*string `json:"files"`
	Reply   *string            `json:"reply"`
	Expect  json.RawMessage    `json:"expect"`
	// FilesBefore and ExpectFiles are the names of Files and Expect in tenon's benchmark of edits.
	FilesBefore map[string]*string `json:"files_before"`
	ExpectFiles json.RawMessage    `json:"expect_files"`
	Refuse      bool               `json:"refuse"`
	Ambiguous   bool               `json:"ambiguous"`
}

// parseCase reads a case from a line of JSON.
func parseCase(line []byte) (Case, error) {
	var l caseLine
	if err := json.Unmarshal(line, &l); err != nil {
		return Case{}, fmt.Errorf("not a case: %w", err)
	}
	if l.Files == nil {
		l.Files = l.FilesBefore
	}
	switch {
	case l.ID == "":
		return Case{}, errors.New(`a case needs an "id"`)
	case l.Files == nil:
		return Case{}, errors.New(`a case needs "files", an object with the text of each path; {} if there are none`)
	case l.Reply == nil:
		return Case{}, errors.New(`a case needs a "reply", a string`)
	}
	expect, err := l.expected()
	if err != nil {
		return Case{}, err
	}
	c := Case{
		ID: l.ID, Source: l.Source, Form: l.Form, Variant: l.Variant, Reply: *l.Reply, Expect: expect,
		Ambiguous: l.Ambiguous, Files: make(map[string]string, len(l.Files)),
	}
	for name, text := range l.Files {
		if text != nil {
			c.Files[name] = *text
		}
	}
	return c, nil
}

// expected returns the files that must change; none if nothing may.
func (l caseLine) expected() (map[string]*string, error) {
	key, raw := "expect", l.Expect
	if raw == nil && l.ExpectFiles != nil {
		key, raw = "expect_files", l.ExpectFiles
	}
	if raw == nil && !l.Refuse {
		return nil, errors.New(`a case needs "expect", an object with the new text of each file that changes, ` +
			`or "refuse": true if nothing may change`)
	}
	var expect map[string]*string
	if raw != nil {
		if err := json.Unmarshal(bytes.TrimSpace(raw), &expect); err != nil {
			return nil, fmt.Errorf("%q must be an object with the text or null of each path: %w", key, err)
		}
	}
	if l.Refuse && len(expect) > 0 {
		return nil, fmt.Errorf(`"refuse" says that nothing may change, but %q has files; leave one of them out`, key)
	}
	return expect, nil
}
