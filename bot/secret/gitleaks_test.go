package secret

import (
	"flag"
	"math/rand/v2"
	"os"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/stretchr/testify/require"
	"github.com/zricethezav/gitleaks/v8/config"
)

// Each rule of gitleaks finds what its pattern matches, when it is random enough, in the middle of a long text: nothing
// is lost for being looked for around keywords alone.
func TestEveryRuleOfGitleaksFindsItsSecrets(t *testing.T) {
	t.Parallel()
	rules, generic, err := gitleaksRules()
	require.NoError(t, err)
	rules = append(rules, generic...)
	require.Greater(t, len(rules), 200)
	filler := strings.Repeat("nothing to see here\n", 300)
	for number, r := range rules {
		t.Run(r.kind, func(t *testing.T) {
			t.Parallel()
			tree, err := syntax.Parse(r.pattern, syntax.Perl)
			require.NoError(t, err)
			m := r.compile()
			random := rand.New(rand.NewPCG(1, uint64(number)))
			found := 0
			for range 2000 {
				text := "\nx = " + example(random, tree) + " \n"
				if lower := strings.ToLower(text); !slices.ContainsFunc(r.keywords, func(word string) bool {
					return strings.Contains(lower, word)
				}) {
					if !isName(r.keywords[0]) {
						continue // a character that should have been a dot
					}
					text = strings.Replace(text, "x = ", r.keywords[0]+" = ", 1)
				}
				at := m.pattern.FindStringSubmatchIndex(text)
				if at == nil {
					continue // what is beside it does not fit
				}
				from, to := m.secret(at)
				if m.allows(text, [2]int{at[0], at[1]}, text[from:to]) {
					continue // not random enough
				}
				redacted, kinds := Redact(filler + text + filler)
				require.NotEmpty(t, kinds, text)
				require.NotContains(t, redacted, text[from:to])
				if found++; found == 3 {
					return
				}
			}
			t.Fatalf("no example of %s in 2,000 is a secret", r.pattern)
		})
	}
}

// Secrets of well-known services as they appear in files. They are made here, so that none is in this one.
func TestSecretsOfWellKnownServices(t *testing.T) {
	t.Parallel()
	word := func(n int) string { return alphanumeric.random(n) }
	for kind, text := range map[string]string{
		"age secret key":                  "AGE-SECRET-" + "KEY-1" + alphabet("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L").random(58),
		"Anthropic API key":               "ANTHROPIC_API_KEY=sk-" + "ant-api03-" + word(93) + "AA",
		"Atlassian API token":             "jira:\n  token: ATATT3" + word(186),
		"Azure AD client secret":          "clientSecret: '" + word(3) + "7Q~" + word(34) + "'",
		"Cloudflare API key":              "cloudflare_api_key = \"" + (hexadecimal + "_-").random(40) + "\"",
		"Databricks API token":            "token = dapi" + hexadecimal.random(32),
		"Datadog access token":            "DATADOG_APP_KEY=" + hexadecimal.random(40),
		"DigitalOcean access token":       "doo_" + "v1_" + hexadecimal.random(64),
		"Discord API token":               "discord_key: " + hexadecimal.random(64),
		"Doppler API token":               "DOPPLER_TOKEN=dp." + "pt." + word(43),
		"Dynatrace API token":             "dt0c01." + word(24) + "." + word(64),
		"Fly.io access token":             "FLY_API_TOKEN=fo1_" + word(43),
		"GitLab deploy token":             "gldt-" + word(20),
		"Grafana service account token":   "glsa_" + word(32) + "_" + hexadecimal.random(8),
		"Heroku API key":                  "HRKU-AA" + word(58),
		"Hugging Face access token":       "hf_" + lowercase.random(34),
		"Linear API key":                  "lin_" + "api_" + word(40),
		"Mailgun private API token":       "mailgun_key = key-" + hexadecimal.random(32),
		"New Relic user API key":          "NEW_RELIC_KEY=NRAK-" + (lowercase + digits).random(27),
		"Notion API token":                "ntn_" + digits.random(11) + word(35),
		"npm token":                       "//registry.npmjs.org/:_authToken=npm_" + word(36),
		"OpenAI API key":                  "sk-" + "proj-" + word(74) + "T3Blbk" + "FJ" + word(74),
		"Perplexity API key":              "pplx-" + word(48),
		"PlanetScale password":            "DATABASE_PASSWORD=pscale_" + "pw_" + word(43),
		"Postman API token":               "PMAK-" + hexadecimal.random(24) + "-" + hexadecimal.random(34),
		"Pulumi API token":                "pul-" + hexadecimal.random(40),
		"RubyGems API token":              "rubygems_" + hexadecimal.random(48),
		"Sentry user token":               "SENTRY_AUTH_TOKEN=sntryu_" + hexadecimal.random(64),
		"Shopify access token":            "shpat_" + hexadecimal.random(32),
		"Square access token":             "sq0" + "atp-" + word(22),
		"Stripe access token":             "sk_" + "test_" + word(24),
		"Telegram bot API token":          "telegram_token = " + digits.random(9) + ":A" + word(34),
		"Terraform API token":             "credentials: " + (lowercase + digits).random(14) + ".atlas" + "v1." + word(64),
		"Twilio API key":                  "TWILIO=SK" + hexadecimal.random(32),
		"Vault service token":             "VAULT_TOKEN=hvs." + word(96),
		"credential":                      "internal_api_key = \"" + word(32) + "\"",
		"Kubernetes secret":               "apiVersion: v1\nkind: Secret\ndata:\n  password: " + word(16) + "\n",
		"1Password service account token": "ops_" + "eyJ" + word(300),
	} {
		whole := "# settings\n" + text + "\n# the end\n"
		redacted, kinds := Redact(whole)
		require.Equal(t, []string{kind}, kinds, text)
		require.Contains(t, redacted, "[redacted: "+kind+"]")
		require.True(t, strings.HasPrefix(redacted, "# settings\n") && strings.HasSuffix(redacted, "\n# the end\n"), redacted)
	}
}

var update = flag.Bool("update", false, "write the golden file of kinds")

// A new version of gitleaks may bring rules whose names nobody would say, and conditions that are not known here.
func TestKindsAreNamedForPeople(t *testing.T) {
	t.Parallel()
	var defaults struct {
		Rules []struct {
			ID         string
			Allowlists []allowlist
		}
	}
	require.NoError(t, toml.Unmarshal([]byte(config.DefaultConfig), &defaults))
	var b strings.Builder
	ids := map[string]bool{}
	for _, r := range defaults.Rules {
		ids[r.ID] = true
		for _, a := range r.Allowlists {
			require.True(t, a.Condition == "" || a.Condition == "AND" && len(a.Paths) > 0,
				"%s has a condition that is new", r.ID)
		}
		if leftOut[r.ID] == "" {
			b.WriteString(r.ID + ": " + kindOf(r.ID) + "\n")
		}
	}
	const golden = "testdata/kinds.txt"
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(golden, []byte(b.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), b.String())
	for _, table := range []map[string]string{leftOut, exceptions, kinds} {
		for id := range table {
			require.True(t, ids[id], "gitleaks has no rule %s", id)
		}
	}
}
