package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyLines is what a private key of n lines holds.
func keyLines(n int) (lines []string) {
	for range n {
		lines = append(lines, (alphanumeric + "+/").random(64))
	}
	return append(lines, alphanumeric.random(22)+"==")
}

func key(n int) string {
	return "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Join(keyLines(n), "\n") + "\n-----END RSA PRIVATE KEY-----"
}

func TestPrivateKeysAreTakenOutWhole(t *testing.T) {
	t.Parallel()
	lines := keyLines(24)
	prefixed := func(prefix, text string) string { return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix) }
	for story, c := range map[string]struct{ text, want string }{
		"in a file of its own":     {key(24) + "\n", "[redacted: private key]" + strings.Repeat("\n[redacted]", 26) + "\n"},
		"two of them":              {key(0) + "\nx\n" + key(0), "[redacted: private key]\n[redacted]\n[redacted]\nx\n[redacted: private key]\n[redacted]\n[redacted]"},
		"without its end":          {"a\n" + strings.Join(strings.Split(key(24), "\n")[:9], "\n"), "a\n[redacted: private key]" + strings.Repeat("\n[redacted]", 8)},
		"without its beginning":    {strings.Join(strings.Split(key(24), "\n")[20:], "\n") + "\nb", "[redacted: private key]" + strings.Repeat("\n[redacted]", 6) + "\nb"},
		"its last line alone":      {lines[24] + "\n-----END PRIVATE KEY-----\nb", "[redacted: private key]\n[redacted]\nb"},
		"in a string on one line":  {`k = "` + strings.ReplaceAll(key(3), "\n", `\n`) + `"`, `k = "[redacted: private key]"`},
		"in strings on lines":      {"k = \"" + strings.ReplaceAll(key(1), "\n", "\\n\" +\n  \"") + "\"", "k = \"[redacted: private key]\n[redacted]\n[redacted]\n[redacted]\""},
		"in YAML":                  {"key: |\n" + prefixed("    ", key(1)) + "\nport: 1", "key: |\n    [redacted: private key]\n[redacted]\n[redacted]\n[redacted]\nport: 1"},
		"removed by a diff":        {prefixed("-", key(1)) + "\n+x", "-[redacted: private key]\n[redacted]\n[redacted]\n[redacted]\n+x"},
		"in a comment":             {prefixed(" * ", key(1)) + "\n */", " * [redacted: private key]\n[redacted]\n[redacted]\n[redacted]\n */"},
		"the end of one in a diff": {prefixed("+", strings.Join(strings.Split(key(2), "\n")[1:], "\n")), "[redacted: private key]\n[redacted]\n[redacted]\n[redacted]"},
		"of OpenPGP, with headers": {strings.ReplaceAll(strings.ReplaceAll(key(1), "RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"), "BLOCK-----\n", "BLOCK-----\nVersion: 1\n\n"), "[redacted: private key]\n[redacted]\n[redacted]\n[redacted]\n[redacted]\n[redacted]"},
	} {
		text, kinds := Redact(c.text)
		require.Equal(t, c.want, text, story)
		require.Equal(t, []string{"private key"}, kinds, story)
	}
}

func TestValuesOfKubernetesSecretsAreTakenOut(t *testing.T) {
	t.Parallel()
	text, kinds := Redact(strings.ReplaceAll(`apiVersion: v1
kind: ConfigMap
data:
  color: blue
---
apiVersion: v1
kind: KIND # of the database
metadata:
  name: db
type: Opaque
data:
  user: bWFyaWE=
  "password": 'aHVudGVyMg==' # old
stringData:
  note: >-
    in two

    lines
  url: {{ .Values.url }}
  empty: ""
immutable: true
---
items:
  - kind: KIND
    stringData:
      pin: "1234"
    type: Opaque
  - kind: ConfigMap
`, "KIND", "Secret"))
	require.Equal(t, []string{"Kubernetes secret"}, kinds)
	require.Equal(t, strings.ReplaceAll(`apiVersion: v1
kind: ConfigMap
data:
  color: blue
---
apiVersion: v1
kind: KIND # of the database
metadata:
  name: db
type: Opaque
data:
  user: [redacted: Kubernetes secret]
  "password": [redacted: Kubernetes secret]
stringData:
  note: >-
    [redacted: Kubernetes secret]

    [redacted: Kubernetes secret]
  url: {{ .Values.url }}
  empty: ""
immutable: true
---
items:
  - kind: KIND
    stringData:
      pin: [redacted: Kubernetes secret]
    type: Opaque
  - kind: ConfigMap
`, "KIND", "Secret"), text)

	for _, text := range []string{
		"kind: HelmRelease\nspec:\n  valuesFrom:\n    - kind: Secret\n      name: x\ndata:\n  a: b\n", // it refers to one
		"kind: Secret\nmetadata:\n  labels:\n    data:\n      a: b\n",
	} {
		require.Equal(t, text, Redacted(text))
	}
}
