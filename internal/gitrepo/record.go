package gitrepo

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// A record of the cache on disk is the kind (1 byte), the name (20), the length (4, big-endian) and the bytes.
const recordHead int64 = 1 + int64(len(oid{})) + 4

// tipRecord is a kind that git does not use.
const tipRecord = plumbing.ObjectType(64)

func appendRecord(to []byte, kind plumbing.ObjectType, id oid, data []byte) []byte {
	to = append(append(to, byte(kind)), id[:]...)
	to = binary.BigEndian.AppendUint32(to, uint32(len(data)))
	return append(to, data...)
}

// read indexes a file, as far as it is whole.
func (d *disk) read(name string, onTip func(repo string, t tip)) error {
	file, err := os.Open(name) //nolint:gosec // a file of the cache's own folder
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		_ = file.Close()
		return err
	}
	in := &segment{file: file, size: info.Size()}
	d.files = append(d.files, in)
	d.size += in.size
	r := bufio.NewReaderSize(file, 64<<10)
	var head [recordHead]byte
	for offset := recordHead; ; offset += recordHead {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return nil //nolint:nilerr // the end, or half a record
		}
		kind, id, size := plumbing.ObjectType(head[0]), oid(head[1:21]), binary.BigEndian.Uint32(head[21:])
		if offset+int64(size) > in.size {
			return nil
		}
		if kind == tipRecord && size < 4<<10 {
			data, _ := r.Peek(int(size))
			if repo, t, ok := splitTip(id, data); ok {
				onTip(repo, t)
			}
		} else {
			d.index[id] = place{in, offset, size, kind}
		}
		if _, err := r.Discard(int(size)); err != nil {
			return nil //nolint:nilerr // as above
		}
		offset += int64(size)
	}
}

// modified is when a file was last written, the zero time when it is gone.
func modified(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
