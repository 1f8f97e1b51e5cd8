package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// words returns the query by words. What the command says counts as much as the title, what tools printed as much as
// the text below it.
func (s *selector) words() *lexical.Query {
	asked := markdown.ShownTitle(s.Title) + "\n" + inWords(s.Command)
	return lexical.NewQuery(s.Repo.Name, asked, inWords(withoutForms(s.About)), s.Output)
}

// inWords returns what is shown of a text, without the commits and lines in its links: they are no words.
func inWords(text string) string {
	return linkNumbers.ReplaceAllString(markdown.ShownWithTargets(text), "")
}

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
	all := s.sources()
	ranked, err := s.rankSources(ctx, &all, all.likeliest(query), query)
	if err != nil {
		return err
	}
	if all.len > maxSources {
		more := all.beside(ranked, maxFolderMore)
		if ranked, err = s.rankSources(ctx, &all, slices.Concat(ranked.read, more), query); err != nil {
			return err
		}
	}
	s.searched = all.paths(ranked.read)
	s.ranking = ranking{sources: all, best: ranked.best, plain: ranked.plain, weights: ranked.weights}
	if !s.direct {
		s.addRanked()
	}
	return nil
}

// rankSources loads some sources of a list, and ranks them by their contents. It leaves out of the list those that are
// not to be found by what they contain.
func (s *selector) rankSources(ctx context.Context, all *sourceList, numbers []int32, query *lexical.Query) (
	out rankedSources, err error) {
	if err := s.loadSources(ctx, all.paths(numbers)); err != nil {
		return out, err
	}
	var files []lexical.File
	for _, number := range numbers {
		if err := ctx.Err(); err != nil {
			return out, fmt.Errorf("reading sources: %w", err)
		}
		name := all.at(number)
		d := s.document(name)
		if d == withheldDocument {
			all.leaveOut(name)
			continue
		}
		files, out.read = append(files, lexical.File{Path: name, Document: d}), append(out.read, number)
	}
	index := lexical.NewIndex(files)
	out.weights = index.Weights(query)
	hits := index.Rank(query)
	for _, h := range hits {
		out.best = append(out.best, out.read[h.File])
	}
	slices.SortStableFunc(hits, func(a, b lexical.Hit) int { return cmp.Compare(b.Content, a.Content) })
	for _, h := range hits[:min(len(hits), maxOffered)] {
		out.plain = append(out.plain, out.read[h.File])
	}
	return out, nil
}

// rankPaths ranks the sources by their paths alone, for the list of paths.
func (s *selector) rankPaths(query *lexical.Query) {
	all := s.sources()
	s.ranking = ranking{sources: all, best: all.rank(query), weights: query.Weights()}
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
	err := s.checkout.LoadSome(ctx, maxSourceBytes, slices.Concat(names, s.Along)...)
	var user *port.UserError
	if err != nil && !errors.As(err, &user) {
		return fmt.Errorf("loading %d sources: %w", len(names)-named, err)
	}
	return s.load(ctx, names[:named])
}

// addRanked adds the files that fit best, in their order.
func (s *selector) addRanked() {
	for i, number := range s.ranking.best[:min(len(s.ranking.best), maxRanked)] {
		name := s.ranking.sources.at(number)
		s.add(name, byRank, reasons[byRank].score-i, Span{})
		s.candidates[name].rank = i + 1
	}
}

// sources returns the files of source that people wrote, but for tests; maxPathsRanked at most, and without those that
// the settings hide.
func (s *selector) sources() sourceList {
	out, start := sourceList{kept: s.Documents}, 0
	for block, names := range s.names() {
		b := sourceBlock{paths: block, names: names, start: int32(start), out: names.Ignored}
		if start += len(names.Sources); start > maxPathsRanked {
			b.cut(maxPathsRanked - int(b.start))
		}
		for _, ignored := range b.out {
			if ignored {
				out.len--
			}
		}
		out.len += len(names.Sources)
		out.blocks = append(out.blocks, b)
		if start >= maxPathsRanked {
			break
		}
	}
	return out
}

// names returns the blocks of all paths, and what is known of their names: from earlier selections, or else it is found
// out.
func (s *selector) names() iter.Seq2[*paths.Block, *lexical.Names] {
	globs := fmt.Sprintf("%q", s.Policy.Ignore) // quoted, as a glob may have any character
	hidden := func(name string) bool { return generatedName(name) || withheldName(name) != "" }
	ignored := func(name string) bool { return policy.FitsGlob(s.Policy.Ignore, name) }
	return func(yield func(*paths.Block, *lexical.Names) bool) {
		for _, b := range s.index.Blocks() {
			names := s.Documents.Names(b.ID(), globs, func() *lexical.Names {
				return lexical.NewNames(b.All(), hidden, ignored)
			})
			if !yield(b, names) {
				return
			}
		}
	}
}
