package retrieve

import (
	"bytes"
	"path"
	"regexp"
	"slices"
)

// Bounds on looking for definitions.
const (
	maxSymbols = 20
	// maxSymbolFiles is how many files of source are all brought here to look for a symbol. Their sizes are not known
	// before: this many usually stay under 32 MB.
	maxSymbolFiles = 1000
	maxSymbolBytes = 32 << 20
	// maxPlaces is how many definitions a symbol may have to be meant.
	maxPlaces = 3
	// maxUsed and usedAround are how many names around a named line are looked up, and how far around.
	maxUsed    = 60
	usedAround = 8
	// maxBeside is how many files of a folder are searched for what a place uses.
	maxBeside = 40
)

// place is a line of a file.
type place struct {
	path string
	line int
}

// findDefinitions looks, in the files at hand, for those that define the symbols, each in maxPlaces at most.
func findDefinitions(symbols []string, names []string, read func(string) ([]byte, bool)) map[string][]place {
	found := map[string][]place{}
	room := maxSymbolBytes
	for _, name := range names {
		data, ok := read(name)
		if room -= len(data); !ok || room < 0 || !mentionsAny(data, symbols) {
			continue
		}
		for _, d := range outline(name, data) {
			if slices.Contains(symbols, d.name) && len(found[d.name]) <= maxPlaces {
				found[d.name] = append(found[d.name], place{name, d.line})
			}
		}
	}
	return found
}

func mentionsAny(data []byte, symbols []string) bool {
	return slices.ContainsFunc(symbols, func(s string) bool { return bytes.Contains(data, []byte(s)) })
}

var identifier = regexp.MustCompile(`[A-Za-z_]\w{3,60}`)

// usedNear are the names in the lines around a place, each once.
func usedNear(lines []string, at Span) (out []string) {
	seen := map[string]bool{}
	for _, line := range lines[min(max(0, at.From-1-usedAround), len(lines)):min(len(lines), at.To+usedAround)] {
		for _, name := range identifier.FindAllString(line[:min(len(line), maxReferenceLine)], maxUsed) {
			if len(out) < maxUsed && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}

// beside are the files of the same folder and language.
func (x *fileIndex) beside(name string) (out []string) {
	for _, f := range x.below(path.Dir(name)) {
		if path.Dir(f) == path.Dir(name) && path.Ext(f) == path.Ext(name) && f != name && len(out) < maxBeside {
			out = append(out, f)
		}
	}
	return out
}
