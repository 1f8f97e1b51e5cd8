package retrieve

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"sync"

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
	sources []string // all paths
	best    []string // those that fit, the best first
	weights lexical.Weights
}

// ranked returns paths in the order of hits among files.
func ranked(hits []lexical.Hit, files []lexical.File) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = files[h.File].Path
	}
	return out
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
	sources := likeliestPaths(all, query)
	if err := s.loadSources(ctx, sources); err != nil {
		return err
	}
	var files []lexical.File
	for _, name := range sources {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("reading sources: %w", err)
		}
		if d := s.document(name); d != withheldDocument {
			files = append(files, lexical.File{Path: name, Document: d})
			s.searched = append(s.searched, name)
		}
	}
	index := lexical.NewIndex(files)
	all = slices.DeleteFunc(all, func(name string) bool { return s.documents[name] == withheldDocument })
	s.ranking = ranking{all, ranked(index.Rank(query), files), index.Weights(query)}
	if !s.direct {
		s.addRanked()
	}
	return nil
}

// rankPaths ranks the sources by their paths alone, for the list of paths.
func (s *selector) rankPaths(query *lexical.Query) {
	all := s.sources()
	files := pathsOnly(all)
	s.ranking = ranking{all, ranked(lexical.NewIndex(files).Rank(query), files), query.Weights()}
}

func pathsOnly(names []string) []lexical.File {
	files := make([]lexical.File, len(names))
	for i, name := range names {
		files[i].Path = name
	}
	return files
}

// sources returns the files of source that people wrote, but for tests.
func (s *selector) sources() []string {
	out := filtered(s.index.files, func(f string) bool {
		return lexical.IsSource(f) && !lexical.IsTest(f) && !generatedName(f) && withheldName(f) == ""
	})
	out = out[:min(len(out), maxPathsRanked)]
	// Globs take their time, so they are tried on few.
	return slices.DeleteFunc(out, func(f string) bool { return policy.FitsGlob(s.Policy.Ignore, f) })
}

// filtered returns those files for which keep reports true, in their order. Looking at hundreds of thousands of names
// takes its time, so that all processors do.
func filtered(files []string, keep func(string) bool) []string {
	const least = 1024 // files for which another goroutine is worth it
	parts := make([][]string, min(runtime.GOMAXPROCS(0), len(files)/least+1))
	var group sync.WaitGroup
	for i := range parts {
		group.Go(func() {
			for _, f := range files[len(files)*i/len(parts) : len(files)*(i+1)/len(parts)] {
				if keep(f) {
					parts[i] = append(parts[i], f)
				}
			}
		})
	}
	group.Wait()
	return slices.Concat(parts...)
}

// indexed returns the sources whose contents are ranked.
func (s *selector) indexed(query *lexical.Query) []string { return likeliestPaths(s.sources(), query) }

// likeliestPaths returns the paths that fit a query best, at most maxSources, in the order in which they are given.
func likeliestPaths(all []string, query *lexical.Query) []string {
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
	for i, name := range s.ranking.best[:min(len(s.ranking.best), maxRanked)] {
		s.add(name, byRank, reasons[byRank].score-i, Span{})
		s.candidates[name].rank = i + 1
	}
}

// order returns the sources, those that fit best first and those that do not fit last, the shallowest of them first.
func (r ranking) order() []string {
	fits := make(map[string]bool, len(r.best))
	for _, name := range r.best {
		fits[name] = true
	}
	var rest []string
	for _, name := range r.sources {
		if !fits[name] {
			rest = append(rest, name)
		}
	}
	return append(slices.Clone(r.best), shallowestFirst(rest)...)
}
