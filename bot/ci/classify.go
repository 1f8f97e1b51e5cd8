package ci

import (
	"regexp"
	"sync"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// maxClassified is how much of a line is looked at, in bytes.
const maxClassified = 1 << 10

// classifier finds the form of a line. It tries the pattern of a form only on lines that have one of its hints, which
// it finds for all forms in one pass. It is not safe for concurrent use.
type classifier struct {
	lower []byte
	tried []bool
	// last is the line before, and found its form: many logs repeat a line.
	last  string
	found *form
}

// hints are those of all forms, which forms each belongs to, and the patterns of the forms, nil for those without.
var hints = sync.OnceValue(func() (h struct {
	words    *ahocorasick.Trie
	forms    [][]int
	patterns []*regexp.Regexp
}) {
	number := map[string]int{}
	var words []string
	h.patterns = make([]*regexp.Regexp, len(forms))
	for i, f := range forms {
		if f.pattern != "" {
			h.patterns[i] = regexp.MustCompile(f.pattern)
		}
		for _, hint := range f.hints {
			n, ok := number[hint]
			if !ok {
				n = len(words)
				number[hint] = n
				words, h.forms = append(words, hint), append(h.forms, nil)
			}
			h.forms[n] = append(h.forms[n], i)
		}
	}
	h.words = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
	return h
})

// classify returns the form of a line with the greatest weight, the first of several; nil if it has none, or is
// harmless.
func (c *classifier) classify(line string) *form {
	if line = line[:min(len(line), maxClassified)]; line != c.last {
		c.last, c.found = line, c.find(line)
	}
	return c.found
}

func (c *classifier) find(line string) (best *form) {
	c.lower = append(c.lower[:0], line...)
	for i, b := range c.lower {
		if 'A' <= b && b <= 'Z' {
			c.lower[i] = b + 'a' - 'A'
		}
	}
	if c.tried == nil {
		c.tried = make([]bool, len(forms))
	}
	clear(c.tried)
	h := hints()
	at := len(forms)
	h.words.Walk(c.lower, func(_, _, word int64) bool {
		for _, i := range h.forms[word] {
			f := &forms[i]
			if c.tried[i] || best != nil && (f.weight < best.weight || f.weight == best.weight && i > at) {
				continue
			}
			if c.tried[i] = true; f.flush && (line[0] == ' ' || line[0] == '\t') {
				continue
			}
			if pattern := h.patterns[i]; pattern == nil || pattern.MatchString(line) {
				best, at = f, i
			}
		}
		return true
	})
	if best != nil && best.weight == harmless {
		return nil
	}
	return best
}
