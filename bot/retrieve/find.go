package retrieve

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

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
