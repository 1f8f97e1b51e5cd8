package retrieve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on ranking the sources of a repository.
const (
	maxSources     = 3000     // files whose contents are ranked; of more, those whose paths fit best
	maxSourceBytes = 32 << 20 // of those
	maxPathsRanked = 200_000  // files whose paths are ranked
	maxRanked      = 30       // files of the ranking that become candidates
	// Of a repository with more sources than maxSources, at most maxFolderMore further ones are ranked: those in the
	// folders of the first folderHits of the ranking.
	maxFolderMore = 1000
	folderHits    = 20
	// documentBytes bounds the documents that are kept where a query brings no cache.
	documentBytes = 32 << 20
	// maxDocumentBytes bounds the documents that one selection uses, up to one more. Files behind those are ranked by
	// their paths. The documents of maxSourceBytes of ordinary source take less than half of that.
	maxDocumentBytes = 48 << 20
	// maxDefiningBytes is how many bytes regular expressions read for what the files of one selection define, which takes
	// less than a second. Of maxSourceBytes of ordinary source they read half of that. What later files define is not
	// known; they are ranked by their words.
	maxDefiningBytes = 6 << 20
)

// ranking is how the sources of a repository fit the texts of a query. The zero value ranks nothing.
type ranking struct {
	sources sourceList
	best    []int32 // the numbers of those that fit, the best first
	weights lexical.Weights
	plain   []int32 // of the first of those that fit by their words alone
}

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

// rankedSources are some sources of a list, by their numbers.
type rankedSources struct {
	read        []int32 // those that were ranked
	best, plain []int32 // those that fit, the best first: by all measures, and by their words alone
	weights     lexical.Weights
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

// withheldDocument is that of a file whose content says that it is not shown unless somebody names it, if at all.
var withheldDocument = lexical.NewDocument("", nil)

// document returns what is known of a file's content, nil if it was not loaded or the documents take too much memory
// together, and withheldDocument if it is not to be found by its content.
func (s *selector) document(name string) *lexical.Document {
	d, ok := s.documents[name]
	if !ok && s.documented < maxDocumentBytes {
		if d = s.indexDocument(name); d != nil {
			s.documents[name] = d
			s.documented += d.Bytes()
		}
	}
	return d
}

func (s *selector) indexDocument(name string) *lexical.Document {
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
	d, whole := withheldDocument, true
	if withheldText(data) == "" && !markedGenerated(data) {
		d, whole = lexical.NewDocumentWithin(&s.defining, name, data)
	}
	if whole { // else it is for this query only
		s.Documents.Put(id, name, d)
	}
	return d
}

// addRanked adds the files that fit best, in their order.
func (s *selector) addRanked() {
	for i, number := range s.ranking.best[:min(len(s.ranking.best), maxRanked)] {
		name := s.ranking.sources.at(number)
		s.add(name, byRank, reasons[byRank].score-i, Span{})
		s.candidates[name].rank = i + 1
	}
}
