// Package secret finds credentials in texts and replaces them, so that they reach no model, no answer and no record.
//
// What a credential looks like is mostly data of gitleaks (gitleaks.go); the rules that gitleaks lacks, or whose
// patterns there match less, are in own_rules.go, and credentials that span lines in blocks.go.
package secret

// Redact returns the text with its secrets replaced, and what kinds of secrets they were. See Mask.
func Redact(text string) (redacted string, kinds []string) {
	m := Mask(text)
	return m.Text(), m.Kinds()
}

// Redacted returns the text with its secrets replaced. It has to be whole, as for Mask.
func Redacted(text string) string { return Mask(text).Text() }
