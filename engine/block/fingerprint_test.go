package block

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAFingerprintIsThatOfTheChangedLinesAndTheirPlace(t *testing.T) {
	t.Parallel()
	e := Edit{Line: 3, Removed: []string{"x", "b", "y"}, Added: []string{"x", "B", "y"}, ContextBefore: []string{"1", "2"},
		ContextAfter: []string{"3"}}
	same := e.Fingerprint("a.go")
	narrow := Edit{Line: 90, Removed: []string{"b"}, Added: []string{"B"}, ContextBefore: []string{"1", "2", "x"},
		ContextAfter: []string{"y", "3"}}
	require.Equal(t, same, narrow.Fingerprint("a.go"), "elsewhere in the file, and without the lines that stay")
	for _, other := range []Edit{
		{Removed: []string{"b"}, Added: []string{"B", ""}}, {Removed: []string{"b"}, Added: []string{"B\r"}},
		{Removed: []string{"b", "B"}}, {Removed: []string{"b"}}, {Added: []string{"b", "B"}},
		{Removed: []string{"b "}, Added: []string{"B"}},
	} {
		require.NotEqual(t, same.Change, other.Fingerprint("a.go").Change)
	}
	require.NotEqual(t, same.Change, e.Fingerprint("b.go").Change)
	e.ContextAfter = []string{"4"}
	require.NotEqual(t, same.Place, e.Fingerprint("a.go").Place)
	require.Equal(t, same.Change, e.Fingerprint("a.go").Change)
}
