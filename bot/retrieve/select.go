package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what is fetched to choose from.
const (
	maxLoaded   = 80
	maxAnchors  = 12 // places of one file
	maxLeftOut  = 100
	maxListings = 4
	// maxDefining is how many files are shown because they define what a place uses.
	maxDefining = 5
	// maxAnchoredFiles is how many files' places are looked into for what they use.
	maxAnchoredFiles = 3
)

// pick is a file that may be shown.
type pick struct {
	path string
	// score and kind are those of the best reference to it; order is when it was first named.
	score, order int
	kind         referenceKind
	anchors      []Span
}

// Query is what files are selected for.
type Query struct {
	// Repos opens other commits of Repo, for links to them.
	Repos repo.Repos
	Repo  port.RepoRef
	// Branch is the one that is worked on.
	Branch string
	Policy policy.Policy
	// Comment is what the task was given in: its place on the diff counts, its text when it is among Texts.
	Comment port.Comment
	// Page is the address of the issue or pull request: links count that lead to the same host.
	Page string
	// Options are paths that the command names, Task places that it is about for another reason.
	Options []string
	Task    []TaskFile
	// Texts are those in which files are named, the most telling first.
	Texts []string
	// Changed is what the pull request changes.
	Changed []port.ChangedFile
}

// TaskFile is a file that a task is about, and its lines; zero for no line in particular.
type TaskFile struct {
	Path  string
	Lines Span
}

// Selection is what was selected for the model. Its JSON is recorded.
type Selection struct {
	// Shown maps each file that the model sees to the SHA-256 of its bytes.
	Shown map[string]string `json:"shown"`
	// Files says of each shown file why, and which of its lines.
	Files []ShownFile `json:"files,omitempty"`
	// LeftOut are files that were meant but not shown, each with the reason.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// ReadOnly are files that were shown without the secrets in them, each with what those are. No reply may edit them: it
	// would be an edit of something nobody saw.
	ReadOnly map[string]string `json:"read_only,omitempty"`
}

// gathering chooses the files of one question.
type gathering struct {
	Query
	checkout repo.Checkout
	index    *fileIndex
	picks    map[string]*pick
	leftOut  []LeftOut
	listings []prompts.Listing
	// missing are names in the task that no file has.
	missing []string
	symbols []string
	globs   int
	linked  []linkedPlace
}

func newGathering(checkout repo.Checkout, q Query) (*gathering, error) {
	files, err := checkout.Files()
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	return &gathering{Query: q, checkout: checkout, index: newFileIndex(files), picks: map[string]*pick{}}, nil
}

// Found is what Select found for a prompt.
type Found struct {
	Files    []prompts.File
	Listings []prompts.Listing
	// Missing are names in the task that no file has.
	Missing   []string
	Selection Selection
}

// Select finds and ranks the files that a query is about, and shows them as far as there is room, in bytes.
func Select(ctx context.Context, checkout repo.Checkout, q Query, room int) (Found, error) {
	g, err := gather(ctx, checkout, q)
	if err != nil {
		return Found{}, err
	}
	files, selection := g.show(room)
	return Found{files, g.listings, g.missing, selection}, nil
}

func gather(ctx context.Context, checkout repo.Checkout, q Query) (*gathering, error) {
	g, err := newGathering(checkout, q)
	if err != nil {
		return nil, err
	}
	if c := q.Comment; c.Path != "" {
		g.resolve(reference{kind: byReview, Names: []string{c.Path}}, 0)
	}
	for _, name := range q.Options {
		g.resolve(reference{kind: byOption, Names: []string{name}}, 0)
	}
	for _, f := range q.Task {
		g.resolve(reference{kind: byTask, Names: []string{f.Path}, lines: f.Lines}, 0)
	}
	for _, text := range q.Texts {
		g.resolveAll(FindReferences(markdown.Shown(text)))
	}
	g.addChanged()
	steps := []func(context.Context) error{g.loadPicks, g.settleLinks, g.addDefinitions}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	g.listNeighbours()
	return g, nil
}

// addChanged picks what the pull request changes, and the tests of what was named.
func (g *gathering) addChanged() {
	for _, p := range g.ranked() {
		if p.score < referenceKinds[bySymbol].score {
			break
		}
		for _, f := range g.index.siblings(p.path) {
			g.pick(f, bySibling, referenceKinds[bySibling].score, Span{})
		}
	}
	for _, f := range g.Changed {
		if g.index.has(f.Path) {
			g.pick(f.Path, byChange, referenceKinds[byChange].score, Span{})
		}
	}
}

// ranked are the picks, the likeliest first.
func (g *gathering) ranked() []*pick {
	out := make([]*pick, 0, len(g.picks))
	for _, p := range g.picks {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *pick) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order)) })
	return out
}

// loadPicks brings the likeliest files here, in one request, and finds the place of a comment on the diff.
func (g *gathering) loadPicks(ctx context.Context) error {
	var names []string
	for _, p := range g.ranked() {
		if len(names) < maxLoaded && Hides(g.Policy, p.path) == "" {
			names = append(names, p.path)
		}
	}
	if err := g.load(ctx, names); err != nil {
		return err
	}
	p := g.picks[g.Comment.Path]
	if p == nil {
		return nil
	}
	if data, ok := g.read(p.path); ok {
		if at := reviewPlace(g.Comment, linesOf(data)); at.From > 0 {
			p.anchors = append([]Span{at}, p.anchors...)
		}
	}
	return nil
}

func (g *gathering) load(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := g.checkout.Load(ctx, names...); err != nil {
		return fmt.Errorf("loading %d files: %w", len(names), err)
	}
	return nil
}

// read returns the bytes of a file that was loaded.
func (g *gathering) read(name string) ([]byte, bool) {
	data, err := g.checkout.ReadFile(name)
	return data, err == nil
}

// tooLarge says that a file could not be read because of its size.
func (g *gathering) tooLarge(name string) bool {
	_, err := g.checkout.ReadFile(name)
	var user *port.UserError
	return errors.As(err, &user)
}

// Requested selects files that a model asked for by name, in half of the room of a first question.
func Requested(ctx context.Context, checkout repo.Checkout, q Query, names []string) ([]prompts.File, Selection, error) {
	g, err := newGathering(checkout, q)
	if err != nil {
		return nil, Selection{}, err
	}
	for _, name := range names {
		if !g.resolve(reference{kind: byNeed, Names: []string{name}}, 0) {
			g.leave(name, "there is no such file")
		}
	}
	if err := g.loadPicks(ctx); err != nil {
		return nil, Selection{}, err
	}
	files, selection := g.show(contextTokens * port.BytesPerToken / 2)
	return files, selection, nil
}
