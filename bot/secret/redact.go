// Package secret finds credentials in texts and replaces them, so that they reach no model, no answer and no record.
//
// What a credential looks like is mostly data of gitleaks (gitleaks.go); the rules that gitleaks lacks, or whose
// patterns there match less, are in own_rules.go, and credentials that span lines in blocks.go.
package secret

import (
	"cmp"
	"slices"
)

// Redact returns the text with its secrets replaced, and what kinds of secrets they were. See Mask.
func Redact(text string) (redacted string, kinds []string) {
	m := Mask(text)
	return m.Text(), m.Kinds()
}

// Redacted returns the text with its secrets replaced. It has to be whole, as for Mask.
func Redacted(text string) string { return Mask(text).Text() }

// match is a secret in a text.
type match struct {
	from, to int
	kind     string
	// rank orders the matches of the same bytes: the lowest names the kind.
	rank int
}

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
