package ci

import "bytes"

// What is kept of one line, in bytes: its beginning, and its end.
const (
	maxLineHead = 8 << 10
	maxLineTail = 4 << 10
)

// splitter splits a stream into lines, in memory that does not grow with them.
type splitter struct {
	// line is called with each line, which it must not keep, without its line break.
	line func([]byte)
	// head is the beginning of a line whose end has not come yet, and tail the last bytes of what is behind it. dropped
	// reports that something between the two is gone.
	head, tail []byte
	dropped    bool
}

func (s *splitter) write(chunk []byte) {
	for len(chunk) > 0 {
		i := bytes.IndexByte(chunk, '\n')
		switch {
		case i < 0:
			s.add(chunk)
			return
		case len(s.head) == 0 && i <= maxLineHead:
			s.line(chunk[:i])
		default:
			s.add(chunk[:i])
			s.end()
		}
		chunk = chunk[i+1:]
	}
}

// add adds a part of a line.
func (s *splitter) add(part []byte) {
	n := min(len(part), maxLineHead-len(s.head))
	s.head = append(s.head, part[:n]...)
	part = part[n:]
	if extra := len(part) - maxLineTail; extra > 0 {
		part, s.tail, s.dropped = part[extra:], s.tail[:0], true
	}
	s.tail = append(s.tail, part...)
	if extra := len(s.tail) - maxLineTail; extra > maxLineTail {
		s.tail, s.dropped = append(s.tail[:0], s.tail[extra:]...), true
	}
}

// end ends the line that was added. Of one that was too long, the word in which its end would begin is left out: it
// may be the rest of a secret.
func (s *splitter) end() {
	if extra := len(s.tail) - maxLineTail; extra > 0 {
		s.tail, s.dropped = s.tail[extra:], true
	}
	line := s.head
	if s.dropped {
		line = append(line, " … "...)
		if i := bytes.IndexAny(s.tail, " \t"); i >= 0 {
			s.tail = s.tail[i+1:]
		} else {
			s.tail = nil
		}
	}
	s.line(append(line, s.tail...))
	s.head, s.tail, s.dropped = s.head[:0], s.tail[:0], false
}

// close ends the last line, if nothing has ended it.
func (s *splitter) close() {
	if len(s.head) > 0 {
		s.end()
	}
}
