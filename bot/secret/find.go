package secret

import (
	"cmp"
	"slices"
)

// find returns the secrets of a text in order, none overlapping another, and how many bytes patterns were tried on.
// Those in more are secrets too.
func find(text string, more ...match) (out []match, tried int) {
	scanned, tried := defaultScanner().scan(text)
	all := slices.Concat(privateKeys(text), findEncodedKeys(text), kubernetesSecrets(text), scanned, more)
	slices.SortFunc(all, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), cmp.Compare(a.rank, b.rank))
	})
	for _, m := range all {
		if last := len(out) - 1; last >= 0 && m.from < out[last].to {
			if m.rank < out[last].rank {
				out[last].kind, out[last].rank = m.kind, m.rank
			}
			out[last].to = max(out[last].to, m.to)
			continue
		}
		out = append(out, m)
	}
	return out, tried
}
