// Package secret finds credentials in texts and replaces them, so that they reach no model, no answer and no record.
//
// What a credential looks like is mostly data of gitleaks (gitleaks.go); the rules that gitleaks lacks, or whose
// patterns there match less, are in own_rules.go, and credentials that span lines in blocks.go.
package secret

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// Redact returns the text with its secrets replaced, and what kinds of secrets they were, each once, in the order of
// the text; none when there was no secret. Line breaks are kept, so that every line keeps its number.
//
// A text should be whole: what is cut from a file first may have lost the part by which a secret is recognized.
func Redact(text string) (redacted string, kinds []string) {
	redacted, kinds, _ = RedactCounted(text)
	return redacted, kinds
}

// RedactCounted is Redact that also returns what the work was, in bytes: those of the text or those that patterns were
// tried on, whichever are more. The latter take most of the time. The work is bounded for each text; who redacts many
// texts bounds the sum.
func RedactCounted(text string) (redacted string, kinds []string, work int) {
	found, tried := find(text)
	work = max(len(text), tried)
	if len(found) == 0 {
		return text, nil, work
	}
	var b strings.Builder
	at := 0
	for _, m := range found {
		b.WriteString(text[at:m.from])
		b.WriteString("[redacted: " + m.kind + "]")
		b.WriteString(strings.Repeat("\n[redacted]", strings.Count(text[m.from:m.to], "\n")))
		at = m.to
		if !slices.Contains(kinds, m.kind) {
			kinds = append(kinds, m.kind)
		}
	}
	b.WriteString(text[at:])
	return b.String(), kinds, work
}

// Redacted returns the text with its secrets replaced.
func Redacted(text string) string {
	text, _ = Redact(text)
	return text
}

// RedactResults redacts what the results quote of files: it goes into the answer, and back to the model.
func RedactResults(results []engine.Result) {
	for i, r := range results {
		results[i].Detail = Redacted(r.Detail)
		results[i].ClosestMatch, results[i].Around = redactedExcerpt(r.ClosestMatch), redactedExcerpt(r.Around)
		results[i].Problems = slices.Clone(r.Problems) // the blocks of a file share them
		for n, p := range r.Problems {
			results[i].Problems[n].Message = Redacted(p.Message)
		}
		if r.Conflict != nil {
			c := *r.Conflict
			for _, side := range []*[]string{&c.Base.Lines, &c.Ours.Lines, &c.Theirs.Lines} {
				if len(*side) > 0 {
					*side = strings.Split(Redacted(strings.Join(*side, "\n")), "\n")
				}
			}
			results[i].Conflict = &c
		}
		if r.Difference != nil {
			d := *r.Difference
			d.Want, d.Have = Redacted(d.Want), Redacted(d.Have)
			results[i].Difference = &d
		}
	}
}

// redactedExcerpt returns lines of a file without the secrets in them; nil for nil.
func redactedExcerpt(e *engine.Excerpt) *engine.Excerpt {
	if e == nil {
		return nil
	}
	return &engine.Excerpt{Line: e.Line, Lines: strings.Split(Redacted(strings.Join(e.Lines, "\n")), "\n")}
}

// match is a secret in a text.
type match struct {
	from, to int
	kind     string
	// rank orders the matches of the same bytes: the lowest names the kind.
	rank int
}

// find returns the secrets of a text in order, none overlapping another, and how many bytes patterns were tried on.
func find(text string) (out []match, tried int) {
	scanned, tried := defaultScanner().scan(text)
	all := slices.Concat(privateKeys(text), kubernetesSecrets(text), scanned)
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
