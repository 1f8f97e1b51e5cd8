package engine

import "slices"

// maxDefinition is how many lines a definition may have that is searched.
const maxDefinition = 1000

// structureMatches looks for the required lines only in the definition that the block's context names before its first
// change, if the file has one of that name. Each of the block's changes must have one place there.
func structureMatches(m matcher) []match {
	if !substantial(m.find) || max(len(m.find), len(m.repl)) > maxFuzzyLines || slices.ContainsFunc(m.find, isEllipsis) {
		return nil
	}
	hunks := m.changes()
	within, header, ok := m.enclosing(hunks)
	if !ok {
		return nil
	}
	at := slices.Repeat([]int{-1}, len(m.find))
	at[header] = within.from
	required := m.requiredLines()
	if required[header] && keyOf(keyFoldTrimRight, m.find[header]) != m.file.lineKeys(keyFoldTrimRight)[within.from] {
		return nil
	}
	for _, core := range coresOf(m.find, required, header) {
		if !m.placeCore(at, core, within) {
			return nil
		}
	}
	m.alignContext(at, required)
	a := alignment{at: at}
	if a.count(m.find, required); !a.complete || !m.evidenceFor(a, required).isEnough() || m.isUnderOtherName(at) {
		return nil
	}
	return []match{m.matchAt(at, keyFoldTrimRight, asWritten)}
}

// enclosing returns the lines of the definition that the last header before the first change names, and that header.
// In the block, the definition must contain all changes.
func (m matcher) enclosing(hunks []hunk) (within span, header int, ok bool) {
	if len(hunks) == 0 {
		return span{}, 0, false
	}
	block := &text{work: m.file.work}
	for _, s := range m.find {
		block.lines = append(block.lines, line{text: s})
	}
	for i := hunks[0].f0 - 1; i >= 0; i-- {
		name := definitionName(m.find[i])
		last := hunks[len(hunks)-1]
		if name == "" || block.extent(i).to < max(last.f1, last.f0+1) {
			continue
		}
		found := m.file.definitionsNamed(name)
		if len(found) != 1 || found[0].span.to-found[0].span.from > maxDefinition {
			return span{}, 0, false
		}
		return found[0].span, i, true
	}
	return span{}, 0, false
}

// coresOf returns the parts of find after the header that are required, each with the blank lines between its lines.
func coresOf(find []string, required []bool, header int) []span {
	var cores []span
	for i := header + 1; i < len(find); i++ {
		if !required[i] {
			continue
		}
		core := span{i, i + 1}
		for k := i + 1; k < len(find) && (required[k] || isBlank(find[k])); k++ {
			if required[k] {
				core.to = k + 1
			}
		}
		cores = append(cores, core)
		i = core.to - 1
	}
	return cores
}

// placeCore sets the lines of a core to the only place that it has within the definition, below those set already.
func (m matcher) placeCore(at []int, core, within span) bool {
	file := nonBlankLines(m.file.lineKeys(keyFoldTrimRight)[within.from:within.to])
	find := nonBlankLines(keysOf(keyFoldTrimRight, m.find[core.from:core.to]))
	starts := m.file.occurrences(file.keys, find.keys)
	if len(starts) != 1 {
		return false
	}
	for k, i := range find.index {
		n := within.from + file.index[starts[0]+k]
		if slices.Max(at) >= n {
			return false
		}
		at[core.from+i] = n
	}
	return true
}

// alignContext pairs the lines of find before, between and after those that are set already.
func (m matcher) alignContext(at []int, required []bool) {
	file, find := m.file.lineKeys(keyFoldTrimRight), keysOf(keyFoldTrimRight, m.find)
	for i := 0; i < len(at); i++ {
		if at[i] >= 0 || required[i] {
			continue
		}
		end := i + 1
		for end < len(at) && at[end] < 0 && !required[end] {
			end++
		}
		part := m.fileBetween(at, span{i, end})
		for k, n := range align(m.file.work, file[part.from:part.to], find[i:end]) {
			if n >= 0 {
				at[i+k] = part.from + n
			}
		}
		i = end - 1
	}
}

// fileBetween returns the lines of the file between those of the lines of find around a part.
func (m matcher) fileBetween(at []int, part span) span {
	slack := part.to - part.from + maxFuzzyGap
	switch {
	case part.from == 0:
		return span{max(at[part.to]-slack, 0), at[part.to]}
	case part.to == len(at):
		return span{at[part.from-1] + 1, min(at[part.from-1]+1+slack, len(m.file.lines))}
	}
	return span{at[part.from-1] + 1, at[part.to]}
}
