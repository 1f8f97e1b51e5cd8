package gitrepo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/stretchr/testify/require"
)

func FuzzDisk(f *testing.F) {
	hello := object{plumbing.BlobObject, []byte("hello")}
	id := hello.id()
	whole := appendRecord(appendRecord(nil, hello.kind, id, hello.data), tipRecord, id, []byte("repo\x00ref"))
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(appendRecord(nil, hello.kind, oid{}, hello.data))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "objects-1.cache"), data, 0o600))
		d, err := openDiskCache(dir, 1<<20, func(string, tip) {})
		require.NoError(t, err)
		for id := range d.index {
			if o, ok := d.get(id); ok {
				require.Equal(t, id, o.id())
			}
		}
		require.NoError(t, d.put(map[oid]object{id: hello}))
		if o, ok := d.get(id); ok {
			require.Equal(t, hello, o)
		}
	})
}
