package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what one query resolves to.
const (
	maxPatterns     = 5   // that are looked up
	maxFolderFiles  = 8   // of a folder whose files are shown; a larger one is listed
	maxListings     = 4   // folders
	maxLeftOut      = 100 // files with a reason
	maxMissing      = 8   // names that no file has
	maxMissingBytes = 255 // of one of those
)

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
	index := newIndex(files.WithoutSecrets())
	index.repository = q.Repo.Name
	return &selector{
		Query: q, checkout: checkout, index: index, candidates: candidates{}, defining: maxDefiningBytes,
		documents: map[string]*lexical.Document{}, redacted: newRedactedTexts(q.Masked),
	}, nil
}

// ranking is how the sources of a repository fit the texts of a query. The zero value ranks nothing.
type ranking struct {
	sources sourceList
	best    []int32 // the numbers of those that fit, the best first
	weights lexical.Weights
	plain   []int32 // of the first of those that fit by their words alone
}

// linkedLines are lines of a file that a link names, as they are at the link's commit.
type linkedLines struct {
	// path is the file of the checkout, name what the link calls it.
	path, name string
	link       fileLink
	lines      Span
}

// at returns the ref and the commit of the link; with a commit, the ref is branch, which may have had it.
func (l linkedLines) at(branch string) (ref, sha string) {
	if sha := l.link.sha(); sha != "" {
		return branch, sha
	}
	return l.link.ref(l.name), ""
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

// leaveOut notes why a file is not shown, or not as it was meant.
func (s *selector) leaveOut(name, why string) {
	if l := (LeftOut{secret.Path(name), why}); len(s.leftOut) < maxLeftOut && !slices.Contains(s.leftOut, l) {
		s.leftOut = append(s.leftOut, l)
	}
}
