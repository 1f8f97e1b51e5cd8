package trees

import (
	"bytes"
	"cmp"
	"slices"
)

const (
	// maxScore is the similarity of equal files. A renamed file has minScore at least, and one that is found by its name
	// minNamed.
	maxScore, minScore, minNamed = 60000, 30000, 45000
	// maxChunk is the size of the largest chunk, in bytes.
	maxChunk = 64
	// textBytes is how much of a file is searched for a NUL byte, as in git.
	textBytes = 8000
)

// chunk is a line, or a part of a long one, by its hash; bytes are how many it has wherever it is in the file.
type chunk struct {
	hash  uint64
	bytes int
}

// print is what a file is compared by.
type print struct {
	size   int
	chunks []chunk // by hash
}

// printOf divides a file into chunks: lines with their endings, but none longer than maxChunk. In texts CR before LF
// does not count. As in git, NUL bytes at the beginning of a chunk do not tell it from another one.
func printOf(data []byte) print {
	text := bytes.IndexByte(data[:min(len(data), textBytes)], 0) < 0
	p := print{size: len(data), chunks: make([]chunk, 0, len(data)/32+1)}
	const prime = 1099511628211 // that of FNV-1a, which begins with 0 here, so that NUL bytes before a line change nothing
	var c chunk
	for i, b := range data {
		if text && b == '\r' && i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		c.hash = (c.hash ^ uint64(b)) * prime
		if c.bytes++; c.bytes == maxChunk || b == '\n' {
			p.chunks = append(p.chunks, c)
			c = chunk{}
		}
	}
	if c.bytes > 0 {
		p.chunks = append(p.chunks, c)
	}
	slices.SortFunc(p.chunks, func(a, b chunk) int { return cmp.Compare(a.hash, b.hash) })
	some := p.chunks[:0]
	for _, c := range p.chunks {
		if n := len(some); n > 0 && some[n-1].hash == c.hash {
			some[n-1].bytes += c.bytes
		} else {
			some = append(some, c)
		}
	}
	p.chunks = slices.Clip(slices.Clone(some)) // what is left of them is kept
	return p
}

// chunkBytes is the size of a chunk in memory.
const chunkBytes = 16

// bytes returns how much memory a print takes, about.
func (p print) bytes() int { return chunkBytes * len(p.chunks) }

// score returns how much of the larger of two files is in both, of maxScore, and 0 if their sizes alone say that it is
// less than least; steps is how much was compared for that.
func score(a, b print, least int) (_, steps int) {
	large, small := max(a.size, b.size), min(a.size, b.size)
	if large*(maxScore-least) < (large-small)*maxScore || large == 0 {
		return 0, 0
	}
	common, i, j := 0, 0, 0
	for i < len(a.chunks) && j < len(b.chunks) {
		switch x, y := a.chunks[i], b.chunks[j]; {
		case x.hash < y.hash:
			i++
		case x.hash > y.hash:
			j++
		default:
			common += min(x.bytes, y.bytes)
			i++
			j++
		}
	}
	return common * maxScore / large, i + j
}
