package block

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// EditContext is the number of lines around a change that an Edit shows, on each side.
const EditContext = 3

// Fingerprint tells whether two edits are the same to somebody who looks at their diffs. Both sums are SHA-256 in
// hexadecimal.
type Fingerprint struct {
	// Change is that of the path and of the removed and the added lines.
	Change string
	// Place is that of the lines around the change, at most three on each side; the numbers of lines do not count.
	Place string
}

// Fingerprint returns the fingerprint of an edit of the file at a path. Edits that change the same lines have the
// same, whatever lines that stay are among their removed and added ones.
func (e *Edit) Fingerprint(path string) Fingerprint {
	before, removed, added, after := e.ContextBefore, e.Removed, e.Added, e.ContextAfter
	n := text.CommonPrefix(removed, added)
	before, removed, added = slices.Concat(before, removed[:n]), removed[n:], added[n:]
	n = text.CommonSuffix(removed, added)
	after = slices.Concat(removed[len(removed)-n:], after)
	removed, added = removed[:len(removed)-n], added[:len(added)-n]
	before, after = before[max(len(before)-EditContext, 0):], after[:min(len(after), EditContext)]
	return Fingerprint{
		Change: sumOf([]string{path}, removed, added),
		Place:  sumOf(before, after),
	}
}

// sumOf returns a sum that differs for different lists.
func sumOf(lists ...[]string) string {
	h := sha256.New()
	number := func(n int) { _, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(n))) }
	for _, list := range lists {
		number(len(list))
		for _, s := range list {
			number(len(s))
			_, _ = h.Write([]byte(s))
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}
