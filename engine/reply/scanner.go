package reply

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
)

// Scanner reads a reply that arrives in pieces and returns each block as soon as its end marker has arrived. A
// Scanner is for one reply and must not be used by several goroutines.
//
// The blocks are those of Parse, in the same order, as far as they are known before the end of the reply. Blocks
// after a head marker without an end are returned by Close only. A block that is not in the Reply of Close was not an
// edit, as a second end marker or the end of a <think> section showed later; so nothing may be committed before
// Close.
type Scanner struct {
	parser  *parser
	text    strings.Builder
	lastEnd int // the line of the end marker of the last block returned
}

// NewScanner returns a Scanner for one reply.
func NewScanner(opts Options) *Scanner {
	return &Scanner{parser: newParser(opts)}
}

// Feed adds the next piece of the reply, which may end anywhere, and returns the blocks that it completes.
func (s *Scanner) Feed(piece string) []block.Block {
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
func (s *Scanner) Close() block.Reply {
	s.parser.text = s.text.String()
	s.parser.readLines(len(s.parser.text))
	return s.parser.finish()
}
