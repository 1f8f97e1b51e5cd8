package secret

import (
	"slices"
	"strings"
	"sync"

	ahocorasick "github.com/BobuSumisu/aho-corasick"
)

// Bounds on the work for one text, in bytes: patterns are tried on workPerByte for each of its own, on minWork at
// least. Most sources need less than a quarter of a byte for each, and hardly any needs more than one.
const (
	minWork     = 512 << 10
	workPerByte = 1
	// maxWindow is how far the part of a text grows in which one secret is looked for.
	maxWindow = 64 << 10
	// maxBefore is how far before a keyword a secret, or the name that it is assigned to, can begin.
	maxBefore = 160
	// maxApart is how far apart a secret can be from the name of its maker.
	maxApart = 200
)

// scanner finds secrets by rules. Some 200 regular expressions take seconds for a large text, so it first finds the
// keywords of all rules, in one pass, and tries a rule only around its own. Safe for concurrent use.
type scanner struct {
	rules    []rule
	matchers []func() *matcher
	words    *ahocorasick.Trie
	// triggers are the rules of each keyword, by its number in words, and assigned those that are in names of secrets.
	triggers [][]trigger
	assigned []*strength
}

// trigger is a rule to be tried where a keyword is, which is text[from:to], if check reports true or is nil.
type trigger struct {
	rule  int
	check func(text string, from, to int) bool
	// apart is how far from the keyword a secret can be that does not contain it.
	apart int
}

// defaultScanner returns the scanner of all rules, which is made at its first use.
var defaultScanner = sync.OnceValue(func() *scanner {
	rules, generic, err := gitleaksRules()
	if err != nil {
		panic("reading the rules of gitleaks: " + err.Error()) // they are part of the program
	}
	return newScanner(slices.Concat(rules, ownRules, generic))
})

// operator is what gitleaks has between a name and the value that is assigned to it.
const operator = `(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`

func newScanner(rules []rule) *scanner {
	s := &scanner{rules: rules}
	number := map[string]int{}
	var words []string
	add := func(word string) int {
		n, ok := number[word]
		if !ok {
			n = len(words)
			number[word] = n
			words, s.triggers, s.assigned = append(words, word), append(s.triggers, nil), append(s.assigned, nil)
		}
		return n
	}
	for word, need := range assigned {
		s.assigned[add(word)] = &need
	}
	for i, r := range rules {
		s.matchers = append(s.matchers, sync.OnceValue(r.compile))
		name, _, assignment := strings.Cut(r.pattern, operator)
		for _, word := range r.keywords {
			n := add(word)
			t := trigger{rule: i, check: r.check}
			if isName(word) && !strings.Contains(strings.ToLower(r.pattern), word) {
				t.apart = maxApart
			}
			switch {
			case assignment && strings.Contains(strings.ToLower(name), word):
				t.check = assigns
			case shortKeywords[word]:
				t.check = startsWord
			}
			s.triggers[n] = append(s.triggers[n], t)
		}
	}
	s.words = ahocorasick.NewTrieBuilder().AddStrings(words).Build()
	return s
}

// shortKeywords are in nearly every line of a program. Secrets begin with them.
var shortKeywords = map[string]bool{"ey": true, "s.": true}

// scan returns the secrets that the rules find in a text, with the number of the rule as their rank, and how many bytes
// patterns were tried on. What it would take too long to look at counts as a secret.
func (s *scanner) scan(text string) (out []match, tried int) {
	bound := max(minWork, workPerByte*len(text))
	work := bound
	all, out := s.windows(text, &work)
	for number, windows := range all {
		var m *matcher
		done := 0
		for _, w := range windows {
			if w.from = max(w.from, done); w.from >= w.to {
				continue
			}
			if m == nil {
				m = s.matchers[number]()
			}
			var found []match
			found, done = m.search(text, w, &work)
			for _, f := range found {
				f.rank = number
				out = append(out, f)
			}
		}
	}
	return out, bound - max(0, work)
}

// windows returns, for each rule, the parts of a text in which it is to be tried, in order and apart from each other;
// and what is assigned to names of secrets, which takes no pattern.
func (s *scanner) windows(text string, work *int) (out [][]window, found []match) {
	out = make([][]window, len(s.rules))
	s.words.Walk(lower(text), func(last, length, word int64) bool {
		from, to := int(last-length+1), int(last+1)
		if need := s.assigned[word]; need != nil {
			found = s.assign(found, text, window{from, to}, *need, work)
		}
		for _, t := range s.triggers[word] {
			if t.check != nil && !t.check(text, from, to) {
				continue
			}
			reach := s.matchers[t.rule]().reach + t.apart
			w := window{max(0, from-min(maxBefore, reach)), min(len(text), to+reach)}
			if list := out[t.rule]; len(list) > 0 && w.from <= list[len(list)-1].to {
				list[len(list)-1].to = max(list[len(list)-1].to, w.to)
			} else {
				out[t.rule] = append(list, w)
			}
		}
		return true
	})
	return out, found
}

// assign adds what is assigned to a name that has a word in a window, if it is a secret, or if there is no work left to
// find that out.
func (s *scanner) assign(found []match, text string, w window, need strength, work *int) []match {
	m, read, ok := assignment(text, w.from, w.to, need)
	if *work -= read; *work < 0 {
		m, ok = match{from: w.from, to: min(len(text), w.to+maxAssignedWork), kind: "unchecked text"}, true
	}
	if !ok {
		return found
	}
	m.rank = len(s.rules)
	return append(found, m)
}

// search returns the secrets in a window, which grows while a secret may go on behind it, and up to where it looked.
func (m *matcher) search(text string, w window, work *int) (out []match, done int) {
	for w.to < len(text) && w.to-w.from < maxWindow && isToken(text[w.to-1]) && isToken(text[w.to]) {
		w.to++ // a window does not end within a token: the rest of it may be what the pattern looks for
	}
	for {
		part := text[w.from:w.to]
		if *work -= len(part); *work < 0 {
			return []match{{from: w.from, to: w.to, kind: "unchecked text"}}, w.to
		}
		found := m.pattern.FindAllStringSubmatchIndex(part, -1)
		if n := len(found); n > 0 && found[n-1][1] == len(part) && w.to < len(text) && len(part) < maxWindow {
			w.to = min(len(text), w.to+3*len(part))
			continue
		}
		if len(found) > 0 && found[0][0] == 0 && w.from > 0 {
			found = found[1:] // what begins before the window
		}
		return m.find(text, part, w.from, found), w.to
	}
}

// isToken reports whether a byte is one of tokens, those of several parts and those in URLs included.
func isToken(c byte) bool { return isWord(c) || strings.IndexByte("-.+/=@:%~", c) >= 0 }

// startsWord reports whether a keyword is at the start of a word.
func startsWord(text string, from, _ int) bool { return from == 0 || !isWord(text[from-1]) }

// assigns reports whether a keyword can be in the name of what a secret is assigned to.
func assigns(text string, _, at int) bool {
	text = text[at:]
	i := 0
	for i < len(text) && i < maxName && (isWord(text[i]) || strings.IndexByte(" \t\r\n\f.-'\"", text[i]) >= 0) {
		i++
	}
	if i == len(text) || strings.IndexByte("=:>|?,", text[i]) < 0 {
		return false
	}
	open := i
	for i < len(text) && i-open < maxOpen && strings.IndexByte("=:>|?,`'\" \t\r\n\f", text[i]) >= 0 {
		i++
	}
	value := text[i:min(len(text), i+minValue)]
	return len(value) == minValue && !strings.ContainsAny(value, " \t\r\n\f'\"`,;(){}[]<>")
}

// isName reports whether a keyword is made of letters alone.
func isName(word string) bool {
	return strings.IndexFunc(word, func(c rune) bool { return c < 'a' || c > 'z' }) < 0
}

// lower returns the bytes of a text with ASCII's capital letters made small, so that each byte keeps its place.
func lower(text string) []byte {
	out := []byte(text)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}
