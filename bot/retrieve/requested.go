package retrieve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on one round of asks.
const (
	// MaxAsks is how many asks are answered in a round; others are left over.
	MaxAsks = 5
	// RoundBytes is how much a model may be shown in a round.
	RoundBytes = 8000 * port.BytesPerToken

	maxAskedLines  = 900 // of a file that is shown whole when it is asked for
	maxAskedPlaces = 3   // definitions of a name that was asked for without a file
)

// Seen is what a model was shown before it asks.
type Seen struct {
	Selection
	// Asks are those that were answered, as Given has them.
	Asks []string
}

// Answers are what a model is shown for its asks.
type Answers struct {
	// Prompt has all that the model is told. Its Nonce, Asked and Rounds are left to the caller.
	Prompt prompts.NeedInput
	// Selection says which files are in it. Lines that a text was found in are not part of it.
	Selection Selection
	// Given says of each ask what it was given.
	Given []Given
}

// Given says what a model was given for an ask. It is recorded as JSON.
type Given struct {
	Ask   string       `json:"ask"`
	Lines []GivenLines `json:"lines,omitempty"`
	// Names counts the names that were listed, Hits the lines with a text that were shown, of All.
	Names int `json:"names,omitempty"`
	Hits  int `json:"hits,omitempty"`
	All   int `json:"all,omitempty"`
	// Why is why not all of it was given; empty if it was.
	Why string `json:"why,omitempty"`
}

// GivenLines are lines of a file that were shown.
type GivenLines struct {
	Path string `json:"path"`
	Span
}

// String returns the lines as an ask has them.
func (g GivenLines) String() string { return withLines(g.Path, g.Span) }

// Answered reports whether the ask was given anything.
func (g Given) Answered() bool { return len(g.Lines)+g.Names+g.Hits > 0 || g.Why == "" }

// Answer answers the first MaxAsks asks of a model in at most room bytes, and says which are left over. q.Seen is what
// the model was shown before, which is not shown again. A file that the model names is shown under the rules for one
// that a person names. It returns an error only if files cannot be loaded.
func Answer(ctx context.Context, checkout repo.Checkout, q Query, asks []Ask, room int) (Answers, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return Answers{}, err
	}
	r := &round{selector: s, weights: s.words().Weights(), seen: seenIn(q.Seen), checked: newCheckedTexts()}
	r.out.Selection = Selection{Shown: map[string]string{}, ReadOnly: map[string]string{}}
	for _, a := range asks[min(len(asks), MaxAsks):] {
		r.out.Prompt.LeftOver = append(r.out.Prompt.LeftOver, a.String())
	}
	items := make([]*asked, 0, MaxAsks)
	for _, a := range asks[:min(len(asks), MaxAsks)] {
		items = append(items, r.resolveAsk(a))
	}
	if err := r.loadAsked(ctx, items); err != nil {
		return Answers{}, err
	}
	wants := make([]int, 0, len(items))
	for _, it := range items {
		r.prepare(it)
		wants = append(wants, it.want())
	}
	for i, share := range shares(wants, room) {
		r.give(items[i], share)
		r.out.Given = append(r.out.Given, items[i].given)
	}
	return r.out, nil
}

// shares divides room among those who want some of it: what one does not want of an equal share is left to the others.
func shares(wants []int, room int) []int {
	order := make([]int, len(wants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return wants[a] - wants[b] })
	out := make([]int, len(wants))
	for n, i := range order {
		out[i] = min(wants[i], room/(len(order)-n))
		room -= out[i]
	}
	return out
}

// round answers the asks of one reply.
type round struct {
	*selector
	weights lexical.Weights
	seen    seenLines
	// files are those in which texts are found; none unless one is asked for.
	files   []string
	checked *checkedTexts
	out     Answers
}

// asked is an ask, and what is found for it.
type asked struct {
	ask   Ask
	given Given
	// refused is why nothing can be shown; near are paths to ask for instead.
	refused string
	near    []string
	// path is the file that is meant, empty if another thing is; names are those of a folder or pattern; find is the text
	// to find, or the name whose definition is looked for if define is set.
	path   string
	names  []string
	find   string
	define bool
	// views are the files to show, lines those that a text was found in.
	views []*view
	lines []string
	all   int
	// absent is why lines with another text are shown; empty if they are not.
	absent string
	// repeated says that the same text was found in an earlier round.
	repeated bool
}

// resolveAsk finds out what an ask means.
func (r *round) resolveAsk(a Ask) *asked {
	it := &asked{ask: a, given: Given{Ask: a.String()}}
	if a.Find != "" {
		it.find = a.Find
		it.repeated = slices.Contains(r.Seen.Asks, it.given.Ask)
		return it
	}
	name := a.Path
	if isPattern(name) && !r.index.has(name) {
		files, why := r.index.match(name)
		files = slices.DeleteFunc(files, markdown.Unprintable)
		if it.names, it.refused = files, why; len(files) != 1 {
			return it
		}
		name, it.names = files[0], nil
	}
	found := r.index.resolve(name)
	folder, isFolder := r.index.folder(name)
	switch {
	case len(found.files) == 1:
		it.path = found.files[0]
	case len(found.files) > 1 || found.tooMany > 0:
		it.refused = fmt.Sprintf("%d files have this name; ask for one by its path", max(len(found.files), found.tooMany))
		it.near = nearestPaths(r.index.files, name)
	case isFolder:
		it.names = r.index.listing(folder)
	case r.kindOf(name) == engine.Symlink:
		it.refused = "it is a symbolic link"
	case r.kindOf(name) == engine.Submodule:
		it.refused = "it is a submodule"
	case askedName.MatchString(name) && !isAskedPath(name):
		it.find, it.define = lastName(name), true
	default:
		it.refused = "there is no such file"
		it.near = nearestPaths(r.index.files, name)
	}
	return it
}

// kindOf returns what a path is in the tree.
func (r *round) kindOf(name string) engine.Kind {
	clean, _ := cleanName(name)
	kind, err := r.checkout.Kind(clean)
	if err != nil {
		return engine.Absent
	}
	return kind
}

// searchable returns the files in which texts and names are found, maxSources at most, and what the model was shown: the
// sources whose contents are ranked, and their tests as far as there is room.
func (r *round) searchable() []string {
	files := r.indexed(r.words())
	for _, f := range r.index.files {
		if len(files) >= maxSources {
			break
		}
		if lexical.IsSource(f) && lexical.IsTest(f) && !generatedName(f) && Withheld(r.Policy, f) == "" {
			files = append(files, f)
		}
	}
	for name := range r.Seen.Shown {
		if r.index.has(name) && Withheld(r.Policy, name) == "" {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// loadAsked loads all that is needed for a round, in one request. Sources that are too large together are not loaded:
// no text is found in them.
func (r *round) loadAsked(ctx context.Context, items []*asked) error {
	var names []string
	search := false
	for _, it := range items {
		if it.path != "" && Withheld(r.Policy, it.path) == "" {
			names = append(names, it.path)
		}
		search = search || it.find != "" && !it.repeated
	}
	if search {
		r.files = r.searchable()
		err := r.checkout.LoadSome(ctx, maxSourceBytes, slices.Concat(names, r.files)...)
		var user *port.UserError
		if err != nil && !errors.As(err, &user) {
			return fmt.Errorf("loading %d sources: %w", len(r.files), err)
		}
	}
	return r.load(ctx, names)
}

// prepare finds what can be shown for an ask.
func (r *round) prepare(it *asked) {
	switch {
	case it.refused != "" || it.repeated:
	case it.find != "":
		r.search(it)
	case it.path != "":
		v, why := r.viewOf(it.path)
		if it.refused = why; why == "" {
			it.refused = v.choose(it.ask)
			it.views = append(it.views, v)
		}
	}
}

// search finds a text, or the definitions of a name.
func (r *round) search(it *asked) {
	c := corpus{files: r.files, read: r.read, checked: r.checked}
	if len(it.find) < minFindBytes {
		it.refused = fmt.Sprintf("a text of fewer than %d characters is everywhere", minFindBytes)
		return
	}
	found := c.search(it.find)
	if it.define {
		for _, m := range found[:min(len(found), maxAskedPlaces)] {
			if v, why := r.viewOf(m.path); m.class == matchDefines && why == "" {
				if v.choose(Ask{Path: m.path, Name: it.ask.Path}) == "" {
					it.views = append(it.views, v)
				}
			}
		}
		if len(it.views) > 0 {
			return
		}
	}
	hits, all := c.quote(it.find, found)
	if len(hits) == 0 { // what is in secrets alone is told of like what is nowhere
		it.absent = "no source that can be searched has it"
		if it.define {
			it.absent = "there is no such file, and no definition of this name"
		}
		it.near = nearestPaths(r.index.files, it.find)
		// Code that the model remembers differently has most of its names right.
		if it.find = longestName(it.find); it.find != "" {
			hits, all = c.quote(it.find, c.search(it.find))
		}
	}
	if it.all = all; len(hits) == 0 {
		it.refused = it.absent
	}
	for _, h := range hits {
		it.lines = append(it.lines, fmt.Sprintf("%s:%d: %s", h.path, h.line, h.text))
	}
}

var namesWithin = regexp.MustCompile(`[A-Za-z_]\w{3,}`)

// longestName returns the longest name in a text that is more than that name; empty if there is none.
func longestName(text string) (longest string) {
	for _, name := range namesWithin.FindAllString(text, -1) {
		if len(name) > len(longest) && len(name) < len(text) {
			longest = name
		}
	}
	return longest
}

// viewOf returns a file that was asked for, or why it must not be shown.
func (r *round) viewOf(name string) (*view, string) {
	if why := Withheld(r.Policy, name); why != "" {
		return nil, why
	}
	data, ok := r.read(name)
	switch {
	case !ok && r.tooLarge(name):
		return nil, "it is larger than 1 MiB"
	case !ok:
		return nil, "it cannot be read"
	case withheldText(data) != "":
		return nil, withheldText(data)
	}
	text, secrets := secret.Redact(string(data))
	sum := sha256.Sum256(data)
	v := &view{
		path: name, text: text, lines: splitLines(text), secrets: strings.Join(secrets, ", "),
		sum: hex.EncodeToString(sum[:]), weights: r.weights,
	}
	return v, ""
}

func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
