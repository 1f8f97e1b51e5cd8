package secret

import (
	"regexp"
	"strings"
)

// aroundKey matches what is between the lines of a key in a program, a diff or a comment.
const aroundKey = "[\\s\\\\rn\"'`+,>|#*;-]"

var (
	// keyBegin matches where a private key begins, with its headers and the first bytes of the key: a program that
	// only names the marker has no secret in it.
	keyBegin = regexp.MustCompile(`-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:` + aroundKey +
		`|[A-Z][A-Za-z-]+: [^\n]*\n)*[A-Za-z0-9+/=]{20}`)
	keyEnd = regexp.MustCompile(`-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----`)
	// keyRest matches the end of a key whose beginning is not in the text.
	keyRest = regexp.MustCompile(`(?:(?:[A-Za-z0-9+/]{40,}` + aroundKey + `+)+[A-Za-z0-9+/=]*|[A-Za-z0-9+/=]{24,})` +
		aroundKey + `*$`)
)

// privateKeys returns the private keys of a text in the forms of PEM and OpenPGP: from their beginning to their end, to
// the end of the text where they have none, and what is left of one whose beginning was cut off.
func privateKeys(text string) (out []match) {
	if !strings.Contains(text, "PRIVATE KEY") {
		return nil
	}
	begins, ends := keyBegin.FindAllStringIndex(text, -1), keyEnd.FindAllStringIndex(text, -1)
	at := 0 // what is before it is handled
	add := func(from, to int) {
		out = append(out, match{from: from, to: to, kind: "private key", rank: -1})
		at = to
	}
	for _, end := range ends {
		for len(begins) > 0 && begins[0][0] < at { // a beginning within a key
			begins = begins[1:]
		}
		switch {
		case len(begins) > 0 && begins[0][0] < end[0]:
			add(begins[0][0], end[1])
		default:
			if rest := keyRest.FindStringIndex(text[at:end[0]]); rest != nil {
				add(at+rest[0], end[1])
			}
		}
		at = end[1]
	}
	for _, begin := range begins {
		if begin[0] >= at {
			add(begin[0], len(text))
		}
	}
	return out
}

var (
	// secretKind matches the line of a Kubernetes manifest that makes it one of a secret.
	secretKind = regexp.MustCompile(`^([ \t]*(?:-[ \t]+)?)["']?kind["']?:[ \t]+["']?Secret["']?[ \t]*(?:#.*)?$`)
	// secretValues matches the head of a map of values, and secretValue a value or a line of one.
	secretValues = regexp.MustCompile(`^(?:data|stringData):[ \t]*(?:#.*)?$`)
	secretValue  = regexp.MustCompile(`^["']?[\w.-]+["']?:[ \t]*(.*)$`)
	// noValue matches what is empty, is filled in later, or begins a value on the next lines.
	noValue = regexp.MustCompile(`^(?:["']{2}|["']?(?:\{\{.*\}\}|\$\{.*\}|<.*>)["']?|[|>][-+0-9]*)?[ \t]*(?:#.*)?$`)
)

// kubernetesSecrets returns the values in the manifests of Kubernetes secrets in a text, line by line.
func kubernetesSecrets(text string) (out []match) {
	done := 0 // what is before it is handled
	for at := 0; at < len(text); {
		i := strings.Index(text[at:], "Secret")
		if i < 0 {
			return out
		}
		from := at + strings.LastIndexByte(text[at:at+i], '\n') + 1
		line, _, _ := strings.Cut(text[from:], "\n")
		at = from + len(line)
		m := secretKind.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			continue
		}
		begin := max(done, strings.LastIndex(text[:from], "\n---")+1)
		if end := strings.Index(text[at:], "\n---"); end >= 0 {
			done = at + end
		} else {
			done = len(text)
		}
		out = append(out, manifestValues(text, begin, done, len(m[1]))...)
		at = done
	}
	return out
}

// manifestValues returns the values below data and stringData in a manifest, which is text[at:end] and indented by that
// many bytes.
func manifestValues(text string, at, end, indent int) (out []match) {
	inside := false
	for line := range strings.Lines(text[at:end]) {
		from := at
		at += len(line)
		value := strings.TrimLeft(strings.TrimRight(line, " \t\r\n"), " \t")
		switch depth := len(line) - len(strings.TrimLeft(line, " \t")); {
		case value == "":
			continue
		case depth <= indent:
			inside = depth == indent && secretValues.MatchString(value)
			continue
		case !inside:
			continue
		}
		if m, ok := manifestValue(value, from+len(line)-len(strings.TrimLeft(line, " \t"))); ok {
			out = append(out, m)
		}
	}
	return out
}

// manifestValue returns the value in a line below data in a manifest. The line is at a place of a text, without the
// white space around it. ok is false if it has none.
func manifestValue(line string, at int) (m match, ok bool) {
	value := line
	if found := secretValue.FindStringSubmatch(line); found != nil {
		value = found[1]
	}
	to := at + len(line)
	m = match{from: to - len(value), to: to, kind: "Kubernetes secret", rank: -1}
	return m, !noValue.MatchString(value)
}
