package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// Offer returns the sources that a query is most likely about, the likeliest first, for a model to choose from before
// it is shown any code. It returns none if there is nothing to choose: the query says which place it is about, or all
// that it may be about fits into the room for code.
func Offer(ctx context.Context, checkout repo.Checkout, q Query, room Room) ([]prompts.Offered, error) {
	q.Chosen = nil
	s, err := newSelector(checkout, q)
	if err != nil {
		return nil, err
	}
	if err := s.find(ctx); err != nil {
		return nil, err
	}
	if s.direct {
		return nil, nil
	}
	return s.offer(ctx, room.Code)
}

// offer returns the files to choose from; none if all of them fit into the room, or are too few.
func (s *selector) offer(ctx context.Context, room int) (out []prompts.Offered, err error) {
	names := s.offered()
	if err := s.load(ctx, names); err != nil {
		return nil, err
	}
	left, all := maxOfferBytes, 0
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("listing files to choose from: %w", err)
		}
		d, why := s.divided(&candidate{path: name, reason: byRank})
		if why != "" && why != noRoom {
			continue
		}
		o := prompts.Offered{Path: name, Lines: len(d.lines)}
		if why == "" {
			o.Outline = d.fitting(maxOfferedLines)
		}
		n := offeredBytes(o)
		if left -= n; left < 0 {
			break
		}
		all += d.costAll(markdown.Ranges{{0, len(d.lines)}})
		out = append(out, o)
	}
	if all <= room || len(out) <= MaxChosen+maxInsured { // all of those would be shown
		return nil, nil
	}
	return out, nil
}

// offeredBytes returns about how many bytes a file takes in the list to choose from.
func offeredBytes(o prompts.Offered) int {
	n := len(o.Path) + len(" (1,000 lines)\n")
	for _, line := range o.Outline {
		n += len(line) + len("  \n")
	}
	return n
}

// offered returns the paths of the files to choose from: what the texts refer to and what the pull request changes, and
// then the best of the ranking by all measures and of that by words alone in turn.
func (s *selector) offered() (names []string) {
	add := func(name string) {
		if len(names) < maxOffered && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	changed := 0
	for _, c := range s.ranked() {
		if c.reason == byChange {
			if changed++; changed > maxOfferedChanged {
				continue
			}
		}
		if c.reason.meant() {
			add(c.path)
		}
	}
	for i := range max(len(s.ranking.best), len(s.ranking.plain)) {
		for _, list := range [][]int32{s.ranking.best, s.ranking.plain} {
			if i < len(list) {
				add(s.ranking.sources.at(list[i]))
			}
		}
	}
	return names
}

// fitting returns the definitions that fit the query best, at most n, in the file's order, each with its line.
func (f dividedFile) fitting(n int) (out []string) {
	bounds := pieces(f.lines, f.outline)
	scores := f.weights.Scores([]byte(f.text()), bounds)
	type scored struct {
		lexical.Definition
		score float64
	}
	var all []scored
	for _, d := range f.outline {
		i, found := slices.BinarySearch(bounds, d.Line-1)
		if !found {
			i--
		}
		if i < len(scores) {
			own := f.weights.Scores([]byte(d.Text), []int{0, 1})[0]
			all = append(all, scored{d, scores[i] + own})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	all = all[:min(len(all), n)]
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.Line, b.Line) })
	for _, d := range all {
		out = append(out, fmt.Sprintf("%d: %s", d.Line, markdown.ClipBytes(strings.TrimSpace(d.Text), maxOfferedLine)))
	}
	return out
}

// choose leaves of the candidates those that are certain, those that the model chose, and the best two others. If it
// chose no file that there is, nothing changes.
func (s *selector) choose(ctx context.Context) error {
	chosen := map[string]Ask{}
	var names []string
	for _, a := range s.Chosen[:min(len(s.Chosen), MaxChosen)] {
		if found := s.index.resolve(a.Path); len(found.files) == 1 {
			names = append(names, found.files[0])
			chosen[found.files[0]] = a
		}
	}
	if err := s.load(ctx, names); err != nil || len(names) == 0 {
		return err
	}
	for _, name := range names {
		s.add(name, byRequest, reasons[byRequest].score, chosen[name].Lines)
		c := s.candidates[name]
		c.reason = byRequest
		if divided, why := s.divided(c); why == "" && chosen[name].Name != "" {
			v := view{path: name, lines: divided.lines, redacted: s.redacted.texts[name]}
			for _, r := range v.definitionsOf(chosen[name].Name) {
				s.add(name, byRequest, 0, Span{r[0] + 1, r[1]})
			}
		}
	}
	others := 0
	for _, c := range s.ranked() {
		if c.certain || c.reason == byRequest {
			continue
		}
		if others++; others > maxInsured {
			delete(s.candidates, c.path)
		}
	}
	return nil
}

// maxInsured is how many of the best others are shown beside what a model chose: it may have chosen wrongly.
const maxInsured = 2

// ParseChoice returns what a model chose of the files that it was offered: the files that its reply asks for, or else
// the offered files that a plain list names. It returns none if the reply is neither.
func ParseChoice(reply string, offered []prompts.Offered) (asks []Ask) {
	for _, a := range ParseAsks(reply) {
		if a.Path != "" {
			asks = append(asks, a)
		}
	}
	if len(asks) > 0 {
		return asks
	}
	for line := range strings.Lines(reply[:min(len(reply), maxReplyRead)]) {
		line = strings.Trim(line[:min(len(line), maxAskLine)], lineMarks+"\r\n")
		for _, a := range parseAsks("need", line) {
			isOffered := slices.ContainsFunc(offered, func(o prompts.Offered) bool { return o.Path == a.Path })
			if isOffered && len(asks) < maxParsedAsks && !slices.Contains(asks, a) {
				asks = append(asks, a)
			}
		}
	}
	return asks
}
