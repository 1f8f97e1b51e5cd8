package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsAreTakenOut(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("a1B2", n)[:n] }
	for _, token := range []string{
		"AKIA" + "Q3EGRIPLKJHGFDSA", "aws_secret_access_key = " + long(40), "AWS_SECRET_ACCESS_KEY=" + long(40), "ghp_" + long(36), "gho_" + long(36), "github_pat_" + long(60), "glpat-" + long(20),
		"sk-" + long(48), "sk-ant-api03-" + long(40), "sk_live_" + long(24), "xoxb-" + long(24), "hooks.slack.com/services/T00/B00/" + long(24), "AIza" + long(35), "npm_" + long(36),
		"pypi-AgE" + long(60), "SG." + long(22) + "." + long(43), "AccountKey=" + long(80) + "==", "eyJ" + long(20) + ".eyJ" + long(30) + "." + long(40), "postgres://app:" + long(12) + "@db7.acme.internal/x",
		"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + long(64) + "\n" + long(30) + "\n-----END RSA PRIVATE KEY-----", "-----BEGIN OPENSSH PRIVATE KEY-----\n" + long(70) + "\n",
	} {
		whole := "before " + token + "\nafter"
		text, kinds := Redact(whole)
		require.Len(t, kinds, 1, token)
		require.NotContains(t, text, long(12), token)
		require.True(t, strings.HasPrefix(text, "before "), text)
		require.Equal(t, strings.Count(whole, "\n"), strings.Count(text, "\n"), "lines keep their numbers")
	}
	for _, plain := range []string{
		"AKIAIOSFODNN7EXAMPLE", "postgres://postgres:postgres@localhost/x", "https://user:password@example.com", "sk-learn", "npm_config", "ghp_short", "strings.HasPrefix(s, \"-----BEGIN RSA PRIVATE KEY-----\")",
		"https://github.com/acme/lathe", "eyJhbGciOi", "http://h:8080/a@b", "SG.x.y",
	} {
		text, kinds := Redact(plain)
		require.Empty(t, kinds, plain)
		require.Equal(t, plain, text)
	}
}
