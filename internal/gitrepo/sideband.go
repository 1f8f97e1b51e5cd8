package gitrepo

import (
	"io"
	"strings"
)

// maxProgress bounds how much of the second band is kept, in bytes.
const maxProgress = 16 << 10

// sidebandReader reads the first band of a side-band-64k stream, up to its flush. It keeps the second band, the
// progress. A message in the third band, and the end of the stream without a flush, are errors.
type sidebandReader struct {
	packets  *packetReader
	rest     []byte // of the current packet
	progress strings.Builder
	done     bool // the flush was read
}

func (b *sidebandReader) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		if b.done {
			return 0, io.EOF
		}
		if err := b.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *sidebandReader) fill() error {
	kind, data, err := b.packets.next()
	if err != nil {
		return cutOff(err)
	}
	if kind != packetData {
		b.done = true
		return nil
	}
	if len(data) == 0 {
		return nil
	}
	switch band, data := data[0], data[1:]; band {
	case 1:
		b.rest = data
	case 2:
		b.progress.Write(data[:min(len(data), maxProgress-b.progress.Len())])
	case 3:
		return &serverError{serverText(string(data))}
	default:
		return malformed("there is no band %d", band)
	}
	return nil
}
