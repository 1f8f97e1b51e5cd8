package retrieve

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
)

// Bounds on looking for definitions.
const (
	maxSymbols = 20 // names that are looked for
	// maxSymbolFiles is how many files of source are all loaded to look for a name. Their sizes are not known before:
	// so many usually stay below maxSymbolBytes, which is how much of them is looked at.
	maxSymbolFiles = 1000
	maxSymbolBytes = 32 << 20
	maxPlaces      = 3  // definitions of a name, which with more of them says too little
	maxUsed        = 60 // names that are used around a line
	usedAround     = 8  // lines on either side of it
	maxUsing       = 3  // files whose lines are looked at for what they use
	maxDefining    = 5  // files that are added because they define that
)

// place is a line of a file.
type place struct {
	path string
	line int
}

// addDefinitions adds the files that define what the comment names, and what the named lines use. Whatever must be
// loaded for that is loaded in one request.
func (s *selector) addDefinitions(ctx context.Context) error {
	loaded := s.loadedSources()
	found := findDefinitions(s.symbols, loaded, s.read)
	open := slices.DeleteFunc(slices.Clone(s.symbols), func(name string) bool { return len(found[name]) > 0 })
	used, neighbors := s.usedNames()
	search, sources := slices.Clone(neighbors), []string(nil)
	if len(open) > 0 {
		sources = s.sources()
		search = append(search, sources...)
	}
	if err := s.load(ctx, search); err != nil {
		return err
	}
	maps.Copy(found, findDefinitions(open, sources, s.read))
	for _, name := range s.symbols {
		s.addPlaces(found[name], bySymbol)
	}
	s.addUsed(used, findDefinitions(used, append(neighbors, loaded...), s.read))
	return nil
}

// findDefinitions returns where the files define the names; of one name, maxPlaces + 1 places at most.
func findDefinitions(names, files []string, read func(string) ([]byte, bool)) map[string][]place {
	found := map[string][]place{}
	room := maxSymbolBytes
	for _, f := range files {
		data, ok := read(f)
		if room -= len(data); !ok || room < 0 || !containsAny(data, names) {
			continue
		}
		for _, d := range outline(f, data) {
			if slices.Contains(names, d.name) && len(found[d.name]) <= maxPlaces {
				found[d.name] = append(found[d.name], place{f, d.line})
			}
		}
	}
	return found
}

func containsAny(data []byte, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(data, []byte(name)) })
}

// loadedSources returns the candidates that were loaded and are source.
func (s *selector) loadedSources() (out []string) {
	for _, c := range s.ranked() {
		if _, ok := s.read(c.path); ok && isSource(c.path) {
			out = append(out, c.path)
		}
	}
	return out
}

// sources returns all files of source that people wrote, none if they are too many to look into.
func (s *selector) sources() (out []string) {
	for _, f := range s.index.files {
		if !isSource(f) || generatedName(f) || withheldName(f) != "" {
			continue
		}
		if out = append(out, f); len(out) > maxSymbolFiles {
			return nil
		}
	}
	// Globs take their time, so they are tried on few.
	return slices.DeleteFunc(out, func(f string) bool { return policy.FitsGlob(s.Policy.Ignore, f) })
}

// usedNames returns the names around the named lines that their own files do not define, and the files beside those,
// which may.
func (s *selector) usedNames() (used, neighbors []string) {
	files := 0
	for _, c := range s.ranked() {
		data, ok := s.read(c.path)
		if !ok || len(c.lines) == 0 || !isSource(c.path) || withheldText(data) != "" {
			continue
		}
		if files++; files > maxUsing {
			break
		}
		own := outline(c.path, data)
		for _, name := range usedAt(linesOf(data), c.lines[0]) {
			if !slices.ContainsFunc(own, func(d definition) bool { return d.name == name }) {
				used = append(used, name)
			}
		}
		neighbors = append(neighbors, s.index.neighbors(c.path)...)
	}
	slices.Sort(used)
	slices.Sort(neighbors)
	return slices.Compact(used), slices.Compact(neighbors)
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w{3,60}`)

// usedAt returns the names in the lines around a span, each once.
func usedAt(lines []string, at Span) (out []string) {
	seen := map[string]bool{}
	for _, line := range lines[min(max(0, at.From-1-usedAround), len(lines)):min(len(lines), at.To+usedAround)] {
		for _, name := range identifier.FindAllString(line[:min(len(line), maxRefLine)], maxUsed) {
			if len(out) < maxUsed && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// addPlaces adds the files of a name's definitions, unless they are too many for any to be meant.
func (s *selector) addPlaces(places []place, why reason) {
	if len(places) > maxPlaces {
		return
	}
	for _, p := range places {
		if Withheld(s.Policy, p.path) == "" {
			s.add(p.path, why, reasons[why].score, Span{p.line, p.line})
		}
	}
}

// addUsed adds the files that define most of the names that are used.
func (s *selector) addUsed(used []string, found map[string][]place) {
	count := map[string]int{}
	for name, places := range found {
		if len(places) > maxPlaces {
			delete(found, name)
			continue
		}
		for _, p := range places {
			count[p.path]++
		}
	}
	files := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	files = files[:min(len(files), maxDefining)]
	for _, name := range used {
		for _, p := range found[name] {
			if slices.Contains(files, p.path) {
				s.addPlaces([]place{p}, byDefinition)
			}
		}
	}
}
