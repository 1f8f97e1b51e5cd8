// Package retrieve finds, in a checkout, the files that a command is about, and cuts them to what a model may be shown.
//
// Selecting files takes three steps. Candidates are collected: from what a comment refers to (references.go,
// words.go, frames.go, links.go, resolve.go), or what tools printed (output.go), from the definitions of the names in
// it (definitions.go), from the words that it shares with the sources (sources.go, package lexical), and from what is
// related to those. They are ordered by how they were found (candidates.go). And they are shown in that order, whole or
// in parts (pieces.go), as far as there is room, without what a model must not see (show.go, hidden.go).
//
// What a model asks to see after that is parsed in asks.go, and found and shown in requested.go and asked.go.
package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Query is what files are selected for.
type Query struct {
	// Repos opens other commits of Repo, for links to them.
	Repos repo.Opener
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
	// Command is the text of the comment with the command. Title and About are those of the issue or pull request. All
	// are texts in which files are named, and by whose words they are ranked.
	Command, Title, About string
	// Output is what tools printed, such as the lines of a log that say why CI failed: the files that it names count as if
	// the command named them, and its words rank the others. It is no Markdown.
	Output string
	// Chosen are what a model chose from an Offer for the same query; nil if it was not asked. Beside what is certain and
	// what it chose, Select shows only the best two others then.
	Chosen []Ask
	// Documents keeps what is known of the repository's files from one selection to the next; nil for a new one.
	Documents *lexical.Cache
	// Changed is what the pull request changes.
	Changed []port.ChangedFile
	// Masked are the files of the run without their secrets; nil for those of a run that has masked none yet.
	Masked *secret.Files
	// Along are files that are fetched with the first that are loaded, and not shown for that.
	Along []string
	// Seen is what the model was shown before; Answer looks at it, and Select does not.
	Seen Seen
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
	// Paths are those of the sources, each folder once. Unlisted counts those for which there was no room.
	Paths    []prompts.Listing
	Unlisted int
	// Project describes the project in a line; empty if it has no sources.
	Project string
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
	// Rank is the file's place, from 1, in the ranking by the words of the texts; 0 if it is not in it.
	Rank int `json:"rank,omitempty"`
	// Parts are the lines that are shown, none if all are. Lines is how many the file has.
	Parts []Span `json:"parts,omitempty"`
	Lines int    `json:"lines"`
}

// LeftOut says of a file that is not shown, or not as it was meant, why.
type LeftOut struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// Select returns the files of a checkout that a query is about, the likeliest first, as far as there is room. What
// lists of paths leave of their room is for files.
func Select(ctx context.Context, checkout repo.Checkout, q Query, room Room) (Found, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return Found{}, err
	}
	if err := s.find(ctx); err != nil {
		return Found{}, err
	}
	if err := s.choose(ctx); err != nil {
		return Found{}, err
	}
	out := Found{Missing: s.missing, Project: s.project()}
	if s.Chosen != nil { // the model has read the likeliest paths
		room = Room{Code: room.Code + room.Names*3/4, Names: room.Names / 4}
	}
	room.Names -= len(strings.Join(s.missing, "\n"))
	out.Listings = fittingListings(s.listings, room.Names)
	room.Names -= listingBytes(out.Listings)
	out.Paths, out.Unlisted = s.listPaths(room.Names)
	out.Files, out.Selection, err = s.show(ctx, room.Code+room.Names-listingBytes(out.Paths))
	if err != nil {
		return Found{}, err
	}
	return out, nil
}

// find finds the candidates, and loads the likeliest.
func (s *selector) find(ctx context.Context) error {
	s.addReferences()
	s.addRelated()
	if err := s.loadAndRank(ctx); err != nil {
		return err
	}
	if err := s.findLinkedLines(ctx); err != nil {
		return err
	}
	s.addDefinitions()
	if err := s.loadCandidates(ctx); err != nil {
		return err
	}
	s.findReviewLines()
	return nil
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
	seen     string   // the texts, as people see them
	symbols  []string // names that the code may define
	links    []linkedLines
	patterns int // how many were looked up
	// direct reports whether the command itself names files, or the task does; asked, whether references are resolved
	// that are in the command.
	direct, asked bool
	// searched are the files in which definitions are looked for.
	searched []string
	ranking  ranking
	// documents are what is known of the contents of files, by path: the cache may drop some before they are needed again.
	documents map[string]*lexical.Document
	// redacted are the files that are shown, or were tried.
	redacted *redactedTexts
	// documented is how much memory they take, in bytes.
	documented int64
	// defining is how many bytes regular expressions may still read for what files define.
	defining int
}

func newSelector(checkout repo.Checkout, q Query) (*selector, error) {
	files, err := paths.Of(checkout)
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	if q.Documents == nil {
		q.Documents = lexical.NewCache(documentBytes)
	}
	if q.Masked == nil {
		q.Masked = secret.NewFiles()
	}
	index := newIndex(files)
	index.repository = q.Repo.Name
	return &selector{
		Query: q, checkout: checkout, index: index, candidates: candidates{}, defining: maxDefiningBytes,
		documents: map[string]*lexical.Document{}, redacted: newRedactedTexts(q.Masked),
	}, nil
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
	s.seen = strings.Join([]string{markdown.ShownTitle(s.Title), markdown.Shown(s.Command), markdown.Shown(s.About)}, "\n")
	s.asked = true
	s.resolveAll(findReferences(markdown.ShownWithTargets(s.Command)))
	s.resolveAll(outputReferences(s.Output))
	s.asked = false
	s.direct = len(s.candidates) > 0
	for _, text := range []string{markdown.ShownTitle(s.Title), markdown.ShownWithTargets(s.About)} {
		s.resolveAll(withoutPatterns(findReferences(text)))
	}
}

// withoutPatterns returns references without the patterns among them: in the description of a problem, what looks like
// a pattern hardly ever means files.
func withoutPatterns(refs []reference) []reference {
	return slices.DeleteFunc(refs, func(r reference) bool { return r.reason == byPattern })
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
		if s.index.Has(f.Path) {
			s.add(f.Path, byChange, reasons[byChange].score, Span{})
		}
	}
}

// maxLoaded is how many candidates are loaded.
const maxLoaded = 80

// loadCandidates loads the likeliest candidates, in one request at most.
func (s *selector) loadCandidates(ctx context.Context) error { return s.load(ctx, s.likeliest()) }

// likeliest returns the paths of the candidates that are loaded.
func (s *selector) likeliest() (names []string) {
	for _, c := range s.ranked() {
		if len(names) < maxLoaded && Withheld(s.Policy, c.path) == "" {
			names = append(names, c.path)
		}
	}
	return names
}

// findReviewLines finds the lines of a comment on the diff.
func (s *selector) findReviewLines() {
	c := s.candidates[s.Comment.Path]
	if c == nil {
		return
	}
	if data, ok := s.read(c.path); ok {
		if at := reviewLines(s.Comment, linesOf(data)); at.From > 0 {
			c.lines = append([]Span{at}, c.lines...)
		}
	}
}

func (s *selector) load(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := s.checkout.Load(ctx, slices.Concat(names, s.Along)...); err != nil {
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
