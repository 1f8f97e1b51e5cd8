package engine

import (
	"slices"
	"strings"
)

// Scanner reads a reply that arrives in pieces and hands out each block as soon as its end marker is there. A Scanner is for
// one reply and one goroutine.
//
// The blocks are those of Parse, in the same order, as far as that can be known before the reply's end: behind a head marker
// without an end, blocks come with Close alone; and a block that Close's Reply no longer has turned out to be no edit, because
// a second end marker or the end of a think section came. Commit to nothing before Close.
type Scanner struct {
	parser  *parser
	text    strings.Builder
	lastEnd int // the end line of the last block handed out
}

// NewScanner begins a reply.
func NewScanner(opts ParseOptions) *Scanner {
	return &Scanner{parser: newParser(opts)}
}

// Feed takes the next piece of the reply, cut anywhere, and returns the blocks that it completed.
func (s *Scanner) Feed(piece string) []Block {
	end := s.text.Len()
	s.text.WriteString(piece)
	newline := strings.LastIndexByte(piece, '\n')
	if newline < 0 {
		return nil
	}
	s.parser.text = s.text.String()
	s.parser.readLines(end + newline + 1)
	blocks := s.parser.reply.Blocks
	fresh := len(blocks)
	for fresh > 0 && blocks[fresh-1].EndLine > s.lastEnd {
		fresh--
	}
	if fresh < len(blocks) {
		s.lastEnd = blocks[len(blocks)-1].EndLine
	}
	return slices.Clone(blocks[fresh:])
}

// Close ends the reply and returns all of it, exactly as Parse would.
func (s *Scanner) Close() Reply {
	s.parser.text = s.text.String()
	s.parser.readLines(len(s.parser.text))
	return s.parser.finish()
}
