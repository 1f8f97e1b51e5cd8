package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on ranking the sources of a repository.
const (
	maxSources     = 3000     // files whose contents are ranked; of more, those whose paths fit best
	maxSourceBytes = 32 << 20 // of those
	maxPathsRanked = 200_000  // files whose paths are ranked
	maxRanked      = 30       // files of the ranking that become candidates
	// documentBytes bounds the documents that are kept where a query brings no cache.
	documentBytes = 32 << 20
)

// ranking is how the sources of a repository fit the texts of a query. The zero value ranks nothing.
type ranking struct {
	sources []string // the paths of the index's files
	hits    []lexical.Hit
	weights lexical.Weights
}

// words returns the query by words. What the command says counts as much as the title.
func (s *selector) words() *lexical.Query {
	return lexical.NewQuery(s.Repo.Name, inWords(s.Title)+"\n"+inWords(s.Command), inWords(s.About))
}

// inWords returns what is shown of a text, without the commits and lines in its links: they are no words.
func inWords(text string) string { return linkNumbers.ReplaceAllString(markdown.Shown(text), "") }

// linkNumbers match the id of a commit in the path of a link, and the lines behind it.
var linkNumbers = regexp.MustCompile(`/[0-9a-f]{40}\b|#L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?\b`)

// loadAndRank loads the candidates, and ranks the sources by the words of the texts, unless the command says which file
// it is about. All that must be fetched for that is fetched in one request.
func (s *selector) loadAndRank(ctx context.Context) error {
	query := s.words()
	if s.direct || query.Empty() {
		if err := s.loadCandidates(ctx); err != nil {
			return err
		}
		if s.searched = s.loadedSources(); s.definesAll(s.searched) {
			s.rankPaths(query)
			return nil
		}
	}
	sources := s.indexed(query)
	if err := s.loadSources(ctx, sources); err != nil {
		return err
	}
	files := make([]lexical.File, len(sources))
	for i, name := range sources {
		files[i] = lexical.File{Path: name, Document: s.document(name)}
	}
	index := lexical.NewIndex(files)
	s.ranking = ranking{sources, index.Rank(query), index.Weights(query)}
	s.searched = sources
	if !s.direct {
		s.addRanked()
	}
	return nil
}

// rankPaths ranks the sources by their paths alone, for the list of paths.
func (s *selector) rankPaths(query *lexical.Query) {
	sources := s.sources()
	s.ranking = ranking{sources, lexical.NewIndex(pathsOnly(sources)).Rank(query), query.Weights()}
}

func pathsOnly(names []string) []lexical.File {
	files := make([]lexical.File, len(names))
	for i, name := range names {
		files[i].Path = name
	}
	return files
}

// sources returns the files of source that people wrote, but for tests.
func (s *selector) sources() (out []string) {
	for _, f := range s.index.files {
		if lexical.IsSource(f) && !lexical.IsTest(f) && !generatedName(f) && withheldName(f) == "" {
			if out = append(out, f); len(out) == maxPathsRanked {
				break
			}
		}
	}
	// Globs take their time, so they are tried on few.
	return slices.DeleteFunc(out, func(f string) bool { return policy.FitsGlob(s.Policy.Ignore, f) })
}

// indexed returns the sources whose contents are ranked.
func (s *selector) indexed(query *lexical.Query) []string {
	all := s.sources()
	if len(all) <= maxSources {
		return all
	}
	hits := lexical.NewIndex(pathsOnly(all)).Rank(query)
	chosen := make([]bool, len(all))
	for _, h := range hits[:min(len(hits), maxSources)] {
		chosen[h.File] = true
	}
	for i, left := 0, maxSources-len(hits); i < len(all) && left > 0; i++ {
		if !chosen[i] {
			chosen[i] = true
			left--
		}
	}
	var out []string
	for i, name := range all {
		if chosen[i] {
			out = append(out, name)
		}
	}
	return out
}

// loadSources loads the candidates, and those sources of which no document is kept. Sources that are too large together
// are not loaded: their paths must do.
func (s *selector) loadSources(ctx context.Context, sources []string) error {
	names := s.likeliest()
	named := len(names)
	for _, name := range sources {
		if id, ok := s.checkout.Blob(name); ok && s.Documents.Get(id, name) == nil {
			names = append(names, name)
		}
	}
	err := s.checkout.LoadSome(ctx, maxSourceBytes, names...)
	var user *port.UserError
	if err != nil && !errors.As(err, &user) {
		return fmt.Errorf("loading %d sources: %w", len(names)-named, err)
	}
	return s.load(ctx, names[:named])
}

// document returns what is known of a file's content, nil if it was not loaded. Of what is no text, nothing is known.
func (s *selector) document(name string) *lexical.Document {
	id, ok := s.checkout.Blob(name)
	if !ok {
		return nil
	}
	if d := s.Documents.Get(id, name); d != nil {
		return d
	}
	data, ok := s.read(name)
	if !ok {
		return nil
	}
	if withheldText(data) != "" {
		data = nil
	}
	d := lexical.NewDocument(name, data)
	s.Documents.Put(id, name, d)
	return d
}

// addRanked adds the files that fit best, in their order.
func (s *selector) addRanked() {
	for i, h := range s.ranking.hits[:min(len(s.ranking.hits), maxRanked)] {
		name := s.ranking.sources[h.File]
		s.add(name, byRank, reasons[byRank].score-i, Span{})
		s.candidates[name].rank = i + 1
	}
}

// order returns the sources, those that fit best first and those that do not fit last.
func (r ranking) order() []string {
	out := make([]string, 0, len(r.sources))
	seen := make([]bool, len(r.sources))
	for _, h := range r.hits {
		out, seen[h.File] = append(out, r.sources[h.File]), true
	}
	rest := len(out)
	for i, name := range r.sources {
		if !seen[i] {
			out = append(out, name)
		}
	}
	slices.SortStableFunc(out[rest:], func(a, b string) int { return cmp.Compare(depth(a), depth(b)) })
	return out
}
