package engine

import (
	"slices"
	"strings"
)

// Bounds of the comparison by tokens: how many find has at least, and the size of the largest file in bytes; how many
// words of find the file is searched for first, and how many bytes are split into tokens in the time of one unit.
const (
	minTokens     = 8
	maxTokenFile  = 512 << 10
	maxTokenWords = 3
	bytesPerToken = 2
)

// codeToken is a part of a line: a run of letters, digits and underscores, or one other character that is not blank.
type codeToken struct {
	text string
	line int
}

// tokensOf returns the tokens of lines, without commas before a closing bracket, and with one character for all quotes.
func tokensOf(lines []string) []codeToken {
	var tokens []codeToken
	for n, s := range lines {
		for i := 0; i < len(s); {
			from := i
			for i < len(s) && isWordByte(s[i]) {
				i++
			}
			if i == from {
				i++
			}
			text := s[from:i]
			switch text {
			case " ", "\t", "\r", "\f", "\v":
				continue
			case "'":
				text = `"`
			case ")", "]", "}":
				if last := len(tokens) - 1; last >= 0 && tokens[last].text == "," {
					tokens = tokens[:last]
				}
			}
			tokens = append(tokens, codeToken{text, n})
		}
	}
	return tokens
}

func bytesOf(lines []string) (n int) {
	for _, s := range lines {
		n += len(s)
	}
	return n
}

// longestWords returns the longest different words of tokens, at most maxTokenWords.
func longestWords(tokens []codeToken) []string {
	words := make([]string, 0, maxTokenWords+1)
	for _, t := range tokens {
		at := len(words)
		for at > 0 && len(words[at-1]) < len(t.text) {
			at--
		}
		if at == maxTokenWords || len(t.text) < minWord || slices.Contains(words, t.text) {
			continue
		}
		words = slices.Insert(words, at, t.text)
		words = words[:min(len(words), maxTokenWords)]
	}
	return words
}

// hasWords reports whether the file has all words, if only as parts of others. Most files that lack the tokens of a
// block lack one of its longest words.
func (t *text) hasWords(words []string) bool {
	for _, word := range words {
		t.work.spend(len(t.lines))
		t.work.spendBytes(t.size())
		if !slices.ContainsFunc(t.lines, func(l line) bool { return strings.Contains(l.text, word) }) {
			return false
		}
	}
	return true
}

// texts returns the texts of tokens.
func texts(tokens []codeToken) []string {
	all := make([]string, len(tokens))
	for i, t := range tokens {
		all[i] = t.text
	}
	return all
}

// tokenMatches ignores where lines are broken, blanks within lines, trailing commas and the kind of quotes, and one
// change of indentation for all lines. Lines that are broken otherwise in the file must be context, or be removed
// together. The lexer of the file's language must agree that the tokens are the same.
func tokenMatches(m matcher) []match {
	m.file.work.spend(bytesOf(m.find) / bytesPerToken)
	find := tokensOf(m.find)
	if !substantial(m.find) || !hasLetters(m.find) || len(find) < minTokens ||
		max(len(m.find), len(m.repl)) > maxFuzzyLines || m.file.size() > maxTokenFile ||
		slices.ContainsFunc(m.find, isEllipsis) {
		return nil
	}
	if !m.file.hasWords(longestWords(find)) {
		return nil
	}
	m.file.work.spend(m.file.size() / bytesPerToken)
	if m.file.work.isUsedUp() {
		return nil
	}
	file := tokensOf(m.file.texts())
	starts := m.file.occurrences(texts(file), texts(find))
	if len(starts) == 0 {
		return nil
	}
	var matches []match
	for _, start := range starts {
		at := span{file[start].line, file[start+len(find)-1].line + 1}
		found, ok := m.rewrap(find, file, start)
		if !ok {
			found = match{matcher: m, at: []int{at.from}}
		}
		if len(starts) == 1 && (!ok || !m.file.sameTokens(m.find, m.file.texts()[at.from:at.to])) {
			return nil
		}
		matches = append(matches, found)
	}
	return matches
}

// texts returns the lines of t without line endings.
func (t *text) texts() []string { return t.lineKeys(keyExact) }

// group is a part of find that begins and ends at line breaks both there and in the file.
type group struct{ find, file span }

// rewrap returns the match of find, whose tokens are find, at file[start].
func (m matcher) rewrap(find, file []codeToken, start int) (match, bool) {
	end := start + len(find)
	if start > 0 && file[start-1].line == file[start].line || end < len(file) && file[end].line == file[end-1].line {
		return match{}, false
	}
	groups := groupsOf(find, file[start:end])
	s, ok := m.shiftOfGroups(groups)
	if !ok {
		return match{}, false
	}
	wrapped, at, ok := m.wrappedAsFile(groups)
	if !ok {
		return match{}, false
	}
	if s.isZero() {
		return wrapped.matchAt(at, keyTrimRight, asWritten), true
	}
	return wrapped.matchAt(at, keyTrimRight, wrapped.reindentBy(s)), true
}

// groupsOf splits equal tokens into the smallest groups.
func groupsOf(find, file []codeToken) []group {
	var groups []group
	from := 0
	for i := range find {
		last := i == len(find)-1
		if last || find[i+1].line != find[i].line && file[i+1].line != file[i].line {
			groups = append(groups, group{
				span{find[from].line, find[i].line + 1}, span{file[from].line, file[i].line + 1},
			})
			from = i + 1
		}
	}
	return groups
}

// shiftOfGroups returns the shift from the first lines of all groups to those of the file.
func (m matcher) shiftOfGroups(groups []group) (shift, bool) {
	var all []indentPair
	for _, g := range groups {
		all = append(all, indentPair{indentOf(m.find[g.find.from]), indentOf(m.file.lines[g.file.from].text)})
	}
	s, ok := commonShift(all)
	return s, ok && (s.isZero() || len(m.commonLines(keyExact)) > 0)
}

// wrappedAsFile returns m with the lines of each group as the file has them, in the replacement as well if they are
// context; at are their lines. It is not possible if only part of a group is context, or if a changed line follows one
// that ends with a comma only in the block or only in the file.
func (m matcher) wrappedAsFile(groups []group) (wrapped matcher, at []int, ok bool) {
	partner := m.partners()
	wrapped.file = m.file
	i, j := 0, 0 // the lines of find and of the replacement that are done
	for _, g := range groups {
		wrapped.find = append(wrapped.find, m.find[i:g.find.from]...) // blank lines before the group
		i = g.find.to
		kept := partner[g.find.from] >= 0
		for k := g.find.from; k < g.find.to; k++ {
			if kept && partner[k] != partner[g.find.from]+k-g.find.from || !kept && partner[k] >= 0 {
				return matcher{}, nil, false
			}
		}
		unchangedAfter := kept && i < len(partner) && partner[i] == partner[i-1]+1
		if !unchangedAfter && endsWithComma(m.find[i-1]) != endsWithComma(m.file.lines[g.file.to-1].text) {
			return matcher{}, nil, false
		}
		if kept {
			wrapped.repl = append(wrapped.repl, m.repl[j:partner[g.find.from]]...)
			j = partner[i-1] + 1
		}
		for n := g.file.from; n < g.file.to; n++ {
			line := m.file.lines[n].text
			if wrapped.find = append(wrapped.find, line); kept {
				wrapped.repl = append(wrapped.repl, line)
			}
			if !isBlank(line) {
				at = append(at, n)
			}
		}
	}
	wrapped.find = append(wrapped.find, m.find[i:]...)
	wrapped.repl = append(wrapped.repl, m.repl[j:]...)
	return wrapped, wrapped.pairBlankLines(at), true
}

// partners returns the line of the replacement for each line of find, or -1 for one that is removed.
func (m matcher) partners() []int {
	partner := slices.Repeat([]int{-1}, len(m.find))
	i, j := 0, 0
	for _, h := range append(m.changes(), hunk{f0: len(m.find)}) {
		for ; i < h.f0; i, j = i+1, j+1 {
			partner[i] = j
		}
		i, j = h.f1, h.r1
	}
	return partner
}

func endsWithComma(s string) bool { return strings.HasSuffix(trimTrailing(s), ",") }
