package secret

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge"
)

func TestSecretsAreTakenOut(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("a1B2", n)[:n] }
	for _, token := range []string{
		"AKIA" + "Q3EGRIPLKJHGFDSA", "aws_secret_access_key = " + long(40), "AWS_SECRET_ACCESS_KEY=" + long(40),
		"ghp_" + long(36), "gho_" + long(36), "github_pat_" + long(60), "glpat-" + long(20),
		"sk-" + long(48), "sk-ant-api03-" + long(40), "sk_live_" + long(24), "xoxb-" + long(24),
		"hooks.slack.com/services/T00/B00/" + long(24), "AIza" + long(35), "npm_" + long(36),
		"pypi-AgE" + long(60), "SG." + long(22) + "." + long(43), "AccountKey=" + long(80) + "==",
		"eyJ" + long(20) + ".eyJ" + long(30) + "." + long(40), "postgres://app:" + long(12) + "@db7.acme.internal/x",
		"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n" + long(64) + "\n" + long(30) +
			"\n-----END RSA PRIVATE KEY-----",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n" + long(70) + "\n",
	} {
		whole := "before " + token + "\nafter"
		text, kinds := Redact(whole)
		require.Len(t, kinds, 1, token)
		require.NotContains(t, text, long(12), token)
		require.True(t, strings.HasPrefix(text, "before "), text)
		require.Equal(t, strings.Count(whole, "\n"), strings.Count(text, "\n"), "lines keep their numbers")
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	t.Parallel()
	for _, plain := range []string{
		"AKIAIOSFODNN7EXAMPLE", "postgres://postgres:postgres@localhost/x", "https://user:password@example.com", "sk-learn",
		"npm_config", "ghp_short", "strings.HasPrefix(s, \"-----BEGIN RSA PRIVATE KEY-----\")",
		"https://github.com/acme/lathe", "eyJhbGciOi", "http://h:8080/a@b", "SG.x.y",
		"token = response.tokens2.accessToken1;", "apiKey: process.env.API_KEY_2,", "API_KEY=${API_KEY}",
		"password: changeme", "key := \"float32-slice\"", "privateKey = jwtTestEC256PrivateKey",
		"const key = await crypto.subtle.importKey2(raw);", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
		"-----BEGIN CERTIFICATE-----\n" + strings.Repeat("MIIB", 16) + "\n-----END CERTIFICATE-----",
		"the key ends with -----END PRIVATE KEY-----, says the documentation", "kind: Secret",
		"kind: SecretStore\ndata:\n  a: b\n",
		"sk-ssh-ed25519-cert-v01@openssh.com", "import \"github.com/sourcegraph/x\" // " + hexadecimal.random(40),
		"secretKey := strings.Repeat(\"x\", 32)", "tokens: [\"sha256\", \"sha512\"]",
		"password: \"" + strings.Repeat("*", 20) + "\"",
	} {
		text, kinds := Redact(plain)
		require.Empty(t, kinds, plain)
		require.Equal(t, plain, text)
	}
}

// What a name is assigned to is replaced, the name stays.
func TestTheNameOfASecretStays(t *testing.T) {
	t.Parallel()
	text, kinds := Redact("DATADOG_API_KEY: \"" + hexadecimal.random(40) + "\" # of the staging account\n")
	require.Equal(t, "DATADOG_API_KEY: \"[redacted: Datadog access token]\" # of the staging account\n", text)
	require.Equal(t, []string{"Datadog access token"}, kinds)
	for _, name := range []string{"DD_API_KEY", "TWILIO_AUTH_TOKEN", "CF_API_TOKEN", "app.clientSecret"} {
		require.Equal(t, name+"=[redacted: credential]\n", Redacted(name+"="+alphanumeric.random(32)+"\n"))
	}
}

func TestEachKindIsNamedOnce(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	text, kinds := Redact("a=" + key + "\nb=ghp_" + alphanumeric.random(36) + "\nc=" + key + "\n")
	require.Equal(t, []string{"AWS access key", "GitHub personal access token"}, kinds)
	require.Equal(t, "a=[redacted: AWS access key]\nb=[redacted: GitHub personal access token]\n"+
		"c=[redacted: AWS access key]\n", text)
}

func TestWhatResultsQuoteIsRedacted(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	results := []engine.Result{
		{Detail: "not " + key},
		{
			ClosestMatch: &engine.Excerpt{Line: 7, Lines: []string{"a", key, "b"}},
			Difference:   &engine.Difference{Line: 8, Want: key, Have: "x" + key},
		},
		{Conflict: &merge.Conflict{
			Base: merge.Region{Line: 1}, Ours: merge.Region{Line: 1, Lines: []string{"a", key}},
			Theirs: merge.Region{Line: 1, Lines: []string{key}},
		}},
	}
	excerpt := results[1].ClosestMatch
	new(Quotes).Results(results)
	require.Equal(t, "not [redacted: AWS access key]", results[0].Detail)
	const redacted = "[redacted: AWS access key]"
	require.Equal(t, &engine.Excerpt{Line: 7, Lines: []string{"a", redacted, "b"}}, results[1].ClosestMatch)
	require.Equal(t, &engine.Difference{Line: 8, Want: redacted, Have: "x" + key}, results[1].Difference,
		"what begins in the middle of a word is no access key")
	require.Equal(t, &merge.Conflict{
		Base: merge.Region{Line: 1}, Ours: merge.Region{Line: 1, Lines: []string{"a", redacted}},
		Theirs: merge.Region{Line: 1, Lines: []string{redacted}},
	}, results[2].Conflict)
	require.Equal(t, key, excerpt.Lines[1], "the results of the engine are not changed")
}

func TestWhatResultsSayOfABrokenFileIsRedacted(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	problems := []engine.FileProblem{{Line: 3, Message: "expected }, found " + key, Syntax: true}}
	results := []engine.Result{{
		Problems: problems, Around: &engine.Excerpt{Line: 2, Lines: []string{"a", key}},
	}}
	new(Quotes).Results(results)
	const redacted = "[redacted: AWS access key]"
	require.Equal(t, []engine.FileProblem{{Line: 3, Message: "expected }, found " + redacted, Syntax: true}},
		results[0].Problems)
	require.Equal(t, &engine.Excerpt{Line: 2, Lines: []string{"a", redacted}}, results[0].Around)
	require.Contains(t, problems[0].Message, key, "the blocks of a file share them")
}

// Operators compare the fingerprint of the App's key with those that GitHub lists. It is that of the public key.
func TestTheFingerprintOfAKeyStays(t *testing.T) {
	t.Parallel()
	base64 := (alphanumeric + "+/").random(48)
	says := "the key with the fingerprint SHA256:" + base64[:43] + "= must be listed"
	require.Equal(t, says, Fragment(says))
	for _, key := range []string{base64[:43] + "=", "SHA256:" + base64[:42] + "=", "SHA256:" + base64,
		"SHA1:" + base64[:43] + "="} {
		require.NotContains(t, Fragment("the key "+key+" is one"), base64[:20], key)
	}
}
