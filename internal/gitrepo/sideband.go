package gitrepo

import (
	"io"
	"strings"
)

// maxProgress bounds how much of a server's talk is kept.
const maxProgress = 16 << 10

// bandReader is the first band of a side-band-64k stream, up to its flush. What the server says on the second is kept.
type bandReader struct {
	packets *packetReader
	rest    []byte
	talk    strings.Builder
	done    bool
}

func (b *bandReader) Read(p []byte) (int, error) {
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

func (b *bandReader) fill() error {
	kind, data, err := b.packets.next()
	if err != nil {
		return cutShort(err)
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
		b.talk.Write(data[:min(len(data), maxProgress-b.talk.Len())])
	case 3:
		return &saidError{serverText(string(data))}
	default:
		return garbled("there is no band %d", band)
	}
	return nil
}
