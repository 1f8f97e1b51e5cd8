package engine

// isStable reports whether it is certain that none of the blocks of a file, given their number, would change it once
// more: each has put its replacement, no other block has touched that, and none has put the lines that it finds. It
// takes time linear in the lines of the file and of the blocks.
func (f *file) isStable(blocks int) bool {
	if len(f.puts) < blocks {
		return false
	}
	for _, p := range f.puts {
		if !p.once || p.touched {
			return false
		}
	}
	f.text.work.spendBytes(f.text.size())
	f.text.work.spend(f.text.countLines())
	s := stability{file: f, lines: f.text.allLines(), left: maxStableChecks * len(f.puts)}
	s.index()
	for i := range f.puts {
		if !s.isCertain(i) {
			return false
		}
	}
	return true
}

// maxStableChecks is how many searches around other puts a put may take on average. Where that is not enough, the
// blocks have so many lines in common that nothing is certain.
const maxStableChecks = 4

// stability looks for the lines that one block finds in those that later ones have put.
type stability struct {
	file  *file
	lines []string
	// latest is, for each line of a put, the last entry of chain for it.
	latest map[string]int
	chain  []putLine
	// left is how many searches may still be made.
	left int
}

// putLine is a line that a put has. previous is the entry for the same line of a put before it, or -1.
type putLine struct{ put, previous int }

// index notes which lines the puts have. A search around a put without lines can only find what has the line above it.
func (s *stability) index() {
	s.latest = make(map[string]int, len(s.file.puts)*4)
	for i, p := range s.file.puts {
		from, to := max(p.start, 0), min(p.end, len(s.lines))
		if p.start == p.end {
			from, to = max(p.start-1, 0), min(p.start, len(s.lines))
		}
		for _, line := range s.lines[from:to] {
			previous, ok := s.latest[line]
			if !ok {
				previous = -1
			}
			s.latest[line] = len(s.chain)
			s.chain = append(s.chain, putLine{i, previous})
		}
	}
}

// isCertain reports whether it is certain that no put after put i has the lines that i finds.
func (s *stability) isCertain(i int) bool {
	find := s.file.puts[i].find
	checked := i
	for _, line := range find {
		at, ok := s.latest[line]
		for ok && at >= 0 && s.chain[at].put > i {
			later := s.chain[at].put
			if at = s.chain[at].previous; later == checked {
				continue
			}
			if s.left--; s.left < 0 || s.hasAround(later, find) {
				return false
			}
			checked = later
		}
	}
	return true
}

// hasAround reports whether the file has lines that overlap a put.
func (s *stability) hasAround(put int, find []string) bool {
	p := s.file.puts[put]
	from, to := max(p.start-len(find)+1, 0), min(p.end+len(find)-1, len(s.lines))
	return from < to && len(s.file.text.occurrences(s.lines[from:to], find)) > 0
}
