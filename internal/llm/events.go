package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// event is one event of a stream: its type ("" for most) and its data.
type event struct {
	kind string
	data []byte
}

// events reads server-sent events (WHATWG HTML, section 9.2): lines end in LF, CR or CRLF, comments are ignored, and an
// empty line ends an event. Unlike in the standard, the end of the input ends an event too: some servers omit the last
// empty line. The size of events, their number and the size of the
// whole stream are bounded.
type events struct {
	in     *bufio.Reader
	read   int
	count  int
	skipLF bool
	buffer []byte // of line
}

func newEvents(in *bufio.Reader) *events { return &events{in: in} }

// next returns the next event that has data, or io.EOF. The data is the caller's.
func (e *events) next() (event, error) {
	var ev event
	for {
		line, err := e.line()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return event{}, err
		}
		if len(line) > 0 {
			ev.field(line)
		}
		if len(ev.data) > maxEvent {
			return event{}, errTooLarge
		}
		switch {
		case len(ev.data) > 0 && (len(line) == 0 || ended):
			if e.count++; e.count > maxEvents {
				return event{}, errTooLarge
			}
			return ev, nil
		case ended:
			return event{}, io.EOF
		case len(line) == 0:
			ev = event{}
		}
	}
}

// field adds one line that is not empty.
func (ev *event) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "event":
		ev.kind = string(value)
	case "data":
		if len(ev.data) > 0 {
			ev.data = append(ev.data, '\n')
		}
		ev.data = append(ev.data, value...)
	}
}

// line returns the next line without its end, until the next call. With io.EOF, it returns the text after the last end
// of a line.
func (e *events) line() ([]byte, error) {
	line := e.buffer[:0]
	defer func() { e.buffer = line[:0] }()
	for {
		b, err := e.in.ReadByte()
		if err != nil {
			return line, err
		}
		if e.read++; e.read > maxWire || len(line) > maxEvent {
			return nil, errTooLarge
		}
		afterCR := e.skipLF
		e.skipLF = b == '\r'
		switch {
		case b == '\n' && afterCR:
		case b == '\n' || b == '\r':
			return line, nil
		default:
			line = append(line, b)
		}
	}
}

// Bounds on a stream, in bytes.
const (
	maxEvent = 4 << 20   // one event of the stream
	maxWire  = 256 << 20 // a stream, in which each word of an answer takes about 300 bytes
)

// maxEvents is how many events a stream may have. An answer of maxReply has fewer tokens.
const maxEvents = 600_000
