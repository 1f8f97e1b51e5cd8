// Package retrieve finds, in a checkout, the files that a command is about, and cuts them to what a model may be shown.
//
// Selecting files takes three steps. Candidates are collected: from what a comment refers to (references.go,
// words.go, frames.go, links.go, resolve.go), from the definitions of the names in it (definitions.go), and from what
// is related to those. They are ranked by how they were found (candidates.go). And they are shown in that order,
// whole or in parts, as far as there is room, without what a model must not see (show.go, hidden.go).
package retrieve

import (
	"context"
	"errors"
	"fmt"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/prompts"
)

// Query is what files are selected for.
type Query struct {
	// Repos opens other commits of Repo, for links to them.
	Repos repo.Repos
	Repo  port.RepoRef
	// Branch is the one to be committed to.
	Branch string
	Policy policy.Policy
	// Comment is the one with the command: its place on the diff counts. Its text counts if it is among Texts.
	Comment port.Comment
	// Page is the address of the issue or pull request: links to files count if they lead to the same host.
	Page string
	// Options are paths that the command names. Task are files that it is about for another reason.
	Options []string
	Task    []TaskFile
	// Texts are those in which files are named, the most telling first. Title, that of the issue or pull request, is
	// among them.
	Texts []string
	Title string
	// Changed is what the pull request changes.
	Changed []port.ChangedFile
}

// TaskFile is a file that a command is about, and its lines; zero for no line in particular.
type TaskFile struct {
	Path  string
	Lines Span
}

// Span is a range of lines, counted from 1, both ends included; zero for none.
type Span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// Found is what was selected for a prompt.
type Found struct {
	Files    []prompts.File
	Listings []prompts.Listing
	// Missing are names in the texts that no file has.
	Missing   []string
	Selection Selection
}

// Selection says what was selected, and why. It is recorded as JSON.
type Selection struct {
	// Shown maps each file that the model sees to the SHA-256 of its bytes.
	Shown map[string]string `json:"shown"`
	// Files says of each shown file why, and which of its lines.
	Files []ShownFile `json:"files,omitempty"`
	// LeftOut are files that were meant but not shown, each with the reason.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// ReadOnly maps the files that were shown without the secrets in them to what those are. No reply may edit them: it
	// would be an edit of something that the model has not seen.
	ReadOnly map[string]string `json:"read_only,omitempty"`
}

// ShownFile says of a file that is shown why, and how much of it.
type ShownFile struct {
	Path  string `json:"path"`
	Why   string `json:"why"`
	Score int    `json:"score"`
	// Parts are the lines that are shown, none if all are. Lines is how many the file has.
	Parts []Span `json:"parts,omitempty"`
	Lines int    `json:"lines"`
}

// LeftOut says of a file that is not shown, or not as it was meant, why.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Select returns the files of a checkout that a query is about, the likeliest first, in at most room bytes.
func Select(ctx context.Context, checkout repo.Checkout, q Query, room int) (Found, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return Found{}, err
	}
	s.addReferences()
	s.addRelated()
	for _, step := range []func(context.Context) error{s.loadCandidates, s.findLinkedLines, s.addDefinitions} {
		if err := step(ctx); err != nil {
			return Found{}, err
		}
	}
	if ranked := s.ranked(); len(ranked) > 0 {
		s.list(folderOf(ranked[0].path)) // so that the model knows what else is there
	}
	files, selection := s.show(room)
	return Found{Files: files, Listings: s.listings, Missing: s.missing, Selection: selection}, nil
}

// Requested returns the files that a model asked for by name, in half of the room that a first prompt has by default.
func Requested(
	ctx context.Context, checkout repo.Checkout, q Query, names []string,
) ([]prompts.File, Selection, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return nil, Selection{}, err
	}
	for _, name := range names {
		if !s.resolve(reference{reason: byRequest, names: []string{name}}, 0) {
			s.leaveOut(name, "there is no such file")
		}
	}
	if err := s.loadCandidates(ctx); err != nil {
		return nil, Selection{}, err
	}
	files, selection := s.show(contextTokens * port.BytesPerToken / 2)
	return files, selection, nil
}

// selector selects the files of one query.
type selector struct {
	Query
	candidates
	checkout repo.Checkout
	index    *index
	leftOut  []LeftOut
	listings []prompts.Listing
	missing  []string // names that no file has
	symbols  []string // names that the code may define
	links    []linkedLines
	patterns int // how many were looked up
}

func newSelector(checkout repo.Checkout, q Query) (*selector, error) {
	files, err := checkout.Files()
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	return &selector{Query: q, checkout: checkout, index: newIndex(files), candidates: candidates{}}, nil
}

// addReferences adds what the command, the task and the texts refer to.
func (s *selector) addReferences() {
	if s.Comment.Path != "" {
		s.resolve(reference{reason: byReview, names: []string{s.Comment.Path}}, 0)
	}
	for _, name := range s.Options {
		s.resolve(reference{reason: byOption, names: []string{name}}, 0)
	}
	for _, f := range s.Task {
		s.resolve(reference{reason: byTask, names: []string{f.Path}, lines: f.Lines}, 0)
	}
	for _, text := range s.Texts {
		s.resolveAll(findReferences(markdown.Shown(text)))
	}
}

// addRelated adds the tests of what was named, and what the pull request changes.
func (s *selector) addRelated() {
	for _, c := range s.ranked() {
		if c.score < reasons[bySymbol].score {
			break
		}
		for _, f := range s.index.siblings(c.path) {
			s.add(f, bySibling, reasons[bySibling].score, Span{})
		}
	}
	for _, f := range s.Changed {
		if s.index.has(f.Path) {
			s.add(f.Path, byChange, reasons[byChange].score, Span{})
		}
	}
}

// maxLoaded is how many candidates are loaded.
const maxLoaded = 80

// loadCandidates loads the likeliest candidates, in one request, and finds the lines of a comment on the diff.
func (s *selector) loadCandidates(ctx context.Context) error {
	var names []string
	for _, c := range s.ranked() {
		if len(names) < maxLoaded && Withheld(s.Policy, c.path) == "" {
			names = append(names, c.path)
		}
	}
	if err := s.load(ctx, names); err != nil {
		return err
	}
	c := s.candidates[s.Comment.Path]
	if c == nil {
		return nil
	}
	if data, ok := s.read(c.path); ok {
		if at := reviewLines(s.Comment, linesOf(data)); at.From > 0 {
			c.lines = append([]Span{at}, c.lines...)
		}
	}
	return nil
}

func (s *selector) load(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.checkout.Load(ctx, names...); err != nil {
		return fmt.Errorf("loading %d files: %w", len(names), err)
	}
	return nil
}

// read returns the bytes of a file, and reports whether it was loaded.
func (s *selector) read(name string) ([]byte, bool) {
	data, err := s.checkout.ReadFile(name)
	return data, err == nil
}

// tooLarge reports whether a file cannot be read because of its size.
func (s *selector) tooLarge(name string) bool {
	_, err := s.checkout.ReadFile(name)
	var user *port.UserError
	return errors.As(err, &user)
}
