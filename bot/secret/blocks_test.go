package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// keyLines is what a private key of n lines contains.
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
	gone := func(lines int) string { return "[redacted: private key]" + strings.Repeat("\n[redacted]", lines-1) }
	part := func(n, from, to int) string { return strings.Join(strings.Split(key(n), "\n")[from:to], "\n") }
	token := "ghp_" + alphanumeric.random(36)
	pgp := strings.NewReplacer("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK")
	for story, c := range map[string]struct{ text, want string }{
		"in its own file":       {key(24) + "\n", gone(27) + "\n"},
		"two of them":           {key(0) + "\nx\n" + key(0), gone(3) + "\nx\n" + gone(3)},
		"without its end":       {"a\n" + part(24, 0, 9), "a\n" + gone(9)},
		"without its beginning": {part(24, 20, 27) + "\nb", gone(7) + "\nb"},
		"its last line alone":   {lines[24] + "\n-----END PRIVATE KEY-----\nb", gone(2) + "\nb"},
		"a token within it":     {strings.Replace(key(3), "==\n", "==\n"+token+"\n", 1) + "\nb", gone(7) + "\nb"},
		"in one string":         {`k = "` + strings.ReplaceAll(key(3), "\n", `\n`) + `"`, `k = "` + gone(1) + `"`},
		"in strings":            {`k = "` + strings.ReplaceAll(key(1), "\n", "\\n\" +\n  \"") + `"`, `k = "` + gone(4) + `"`},
		"in YAML":               {"key: |\n" + prefixed("  ", key(1)) + "\nport: 1", "key: |\n  " + gone(4) + "\nport: 1"},
		"removed by a diff":     {prefixed("-", key(1)) + "\n+x", "-" + gone(4) + "\n+x"},
		"in a comment":          {prefixed(" * ", key(1)) + "\n */", " * " + gone(4) + "\n */"},
		"its end in a diff":     {prefixed("+", part(2, 1, 5)), gone(4)},
		"of OpenPGP":            {pgp.Replace(strings.Replace(key(1), "-----\n", "-----\nVersion: 1\n\n", 1)), gone(6)},
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
