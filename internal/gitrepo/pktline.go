package gitrepo

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// packet is the kind of a pkt-line: data, or one of the three special ones.
type packet int

const (
	packetData packet = iota
	packetFlush
	packetDelim
	packetEnd
)

// maxPacket is the length of the longest pkt-line, its four digits included (gitprotocol-common).
const maxPacket = 65520

// packetReader reads pkt-lines, also those of protocol v2, which go-git does not know.
type packetReader struct {
	r   *bufio.Reader
	buf [maxPacket]byte
}

func newPacketReader(r io.Reader) *packetReader {
	return &packetReader{r: bufio.NewReaderSize(r, 32<<10)}
}

// next returns the next pkt-line, whose data is valid until the next call. It returns io.EOF only between pkt-lines.
func (p *packetReader) next() (packet, []byte, error) {
	var digits [4]byte
	if n, err := io.ReadFull(p.r, digits[:]); err != nil {
		if n == 0 && errors.Is(err, io.EOF) {
			return 0, nil, io.EOF
		}
		return 0, nil, cutOff(err)
	}
	size, ok := packetSize(digits)
	switch {
	case !ok || size == 3 || size > maxPacket:
		return 0, nil, malformed("%q is not the length of a pkt-line", digits[:])
	case size < 3:
		return packet(size + 1), nil, nil
	}
	data := p.buf[:size-4]
	if _, err := io.ReadFull(p.r, data); err != nil {
		return 0, nil, cutOff(err)
	}
	return packetData, data, nil
}

// line returns the next pkt-line as text without its newline. It returns a *serverError for an ERR line.
func (p *packetReader) line() (packet, string, error) {
	kind, data, err := p.next()
	if errors.Is(err, io.EOF) {
		err = cutOff(err)
	}
	if err != nil || kind != packetData {
		return kind, "", err
	}
	if text, ok := bytes.CutPrefix(data, []byte("ERR ")); ok {
		return kind, "", &serverError{serverText(string(text))}
	}
	return kind, string(bytes.TrimSuffix(data, []byte("\n"))), nil
}

// serverError is an error that the server sent, in an ERR line or in the third band.
type serverError struct{ text string }

func (e *serverError) Error() string { return "the git server says: " + e.text }

func packetSize(digits [4]byte) (int, bool) {
	size := 0
	for _, d := range digits {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return 0, false
		}
		size = size<<4 | int(d)
	}
	return size, true
}

// cutOff returns the error for the end of a stream. Other errors, such as those of a limit, are returned unchanged.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return malformed("it ends too early")
	}
	return err
}

// packetWriter writes the pkt-lines of a request.
type packetWriter struct{ bytes.Buffer }

func (w *packetWriter) linef(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	fmt.Fprintf(&w.Buffer, "%04x%s", len(text)+4, text)
}

func (w *packetWriter) flush() { w.WriteString("0000") }
func (w *packetWriter) delim() { w.WriteString("0001") }
