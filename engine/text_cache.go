package engine

import "slices"

// cache has what the searches for the blocks of a file find out about its lines. The levels ask for much of it again,
// and each edit of the file makes it void.
type cache struct {
	// keys and nonBlank are the keys of the lines by kind, isASCII is what they are made of, and words their words.
	keys     map[keyKind][]string
	nonBlank map[keyKind]nonBlank
	isASCII  bool
	words    map[string]bool
	// lineBytes is the size of all lines; 0 until it is known.
	lineBytes int
	// index is the last result of indexLines, hunks the last one of matcher.changes.
	index lineIndex
	hunks blockHunks
	// absent are the last searches that found nothing.
	absent [maxAbsent]search
}

// maxAbsent bounds the searches of which it is known that they find nothing. The levels that compare consecutive lines
// do a few for each block, and most of these are equal.
const maxAbsent = 4

// lineIndex is where a file has each of the wanted lines.
type lineIndex struct {
	kind  keyKind
	want  []string
	limit int
	where map[string][]int
}

// indexLines returns where the file has each wanted line, except blank ones, by their keys. It has limit+1 places for a
// line that is more frequent than limit. Neither want nor the result may be modified.
func (t *text) indexLines(kind keyKind, want []string, limit int) map[string][]int {
	if t.work.isUsedUp() {
		return nil
	}
	file, kind, last := t.lineKeys(kind), t.plainKind(kind), t.index
	if last.where != nil && last.kind == kind && last.limit == limit && slices.Equal(last.want, want) {
		return last.where
	}
	t.work.spendBytes(t.size())
	if t.work.spend(len(file) + len(want)); t.work.isUsedUp() {
		return nil
	}
	where := make(map[string][]int, len(want))
	var sums lineSums
	for _, s := range want {
		if !isBlank(s) {
			where[s] = nil
			sums.add(s)
		}
	}
	for n, s := range file {
		if !sums.mayHave(s) {
			continue
		}
		if lines, ok := where[s]; ok && len(lines) <= limit {
			where[s] = append(lines, n)
		}
	}
	t.index = lineIndex{kind, want, limit, where}
	return where
}

// blockHunks are the hunks of a block.
type blockHunks struct {
	find, repl []string
	hunks      []hunk
}

// changes returns the difference of find and the replacement. It must not be modified.
func (m matcher) changes() []hunk {
	last := &m.file.hunks
	if last.find == nil || !slices.Equal(last.find, m.find) || !slices.Equal(last.repl, m.repl) {
		*last = blockHunks{m.find, m.repl, slices.Clip(diffLines(m.file.work, m.find, m.repl))}
	}
	return last.hunks
}

// search is a search for consecutive lines.
type search struct{ lines, find []string }

// is reports whether s is the search for find in lines, which are the same memory.
func (s search) is(lines, find []string) bool {
	return len(s.find) > 0 && len(s.lines) == len(lines) && &s.lines[0] == &lines[0] && slices.Equal(s.find, find)
}

// isAbsent reports whether find, which is not empty, is known not to occur in lines.
func (c *cache) isAbsent(lines, find []string) bool {
	return slices.ContainsFunc(c.absent[:], func(s search) bool { return s.is(lines, find) })
}

// noteAbsent notes that find does not occur in lines. Neither may be modified from now on.
func (c *cache) noteAbsent(lines, find []string) {
	copy(c.absent[1:], c.absent[:])
	c.absent[0] = search{lines, find}
}
