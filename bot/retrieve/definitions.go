package retrieve

import (
	"slices"

	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Bounds on looking for definitions.
const (
	maxSymbols = 20 // names that are looked for
	maxPlaces  = 3  // definitions of a name, which with more of them says too little
)

// place is a line of a file.
type place struct {
	path string
	line int
}

// loadedSources returns the candidates that were loaded and whose definitions can be found.
func (s *selector) loadedSources() (out []string) {
	for _, c := range s.ranked() {
		if _, ok := s.read(c.path); ok && lexical.HasOutline(c.path) {
			out = append(out, c.path)
		}
	}
	return out
}

// definesAll reports whether files define all names that the texts have in inline code.
func (s *selector) definesAll(files []string) bool {
	return !slices.ContainsFunc(s.symbols, func(symbol string) bool {
		return !slices.ContainsFunc(files, func(name string) bool { return len(s.document(name).Definitions(symbol)) > 0 })
	})
}

// addDefinitions adds the files that define what the texts name in inline code.
func (s *selector) addDefinitions() {
	for _, symbol := range s.symbols {
		for _, p := range s.placesOf(symbol) {
			s.add(p.path, bySymbol, reasons[bySymbol].score, Span{p.line, p.line})
		}
	}
}

// placesOf returns where a name is defined, nothing if it is in too many places for any to be meant.
func (s *selector) placesOf(symbol string) (places []place) {
	for _, name := range s.searched {
		for _, line := range s.document(name).Definitions(symbol) {
			places = append(places, place{name, line})
		}
		if len(places) > maxPlaces {
			return nil
		}
	}
	return places
}
