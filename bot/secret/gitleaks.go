package secret

import (
	"regexp"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// leftOut are the rules of gitleaks that are not used, each with the reason.
var leftOut = map[string]string{
	"private-key":            "privateKeys finds keys without an end and without a beginning, too",
	"kubernetes-secret-yaml": "kubernetesSecrets finds all values of a manifest, not the first alone",
	"hashicorp-tf-password":  "meant for Terraform's files; in others it takes every example of a password",
	"pkcs12-file":            "it is about names of files",
}

// exceptions are what rules of gitleaks take for a secret without reason.
var exceptions = map[string]string{
	// A field of some object: key = first.key1.
	genericRule: `^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$`,
	// A hash of git.
	"sourcegraph-access-token": `^[a-fA-F0-9]{40}$`,
}

// genericRule is the rule for what is assigned to a name like key or token, whoever made it.
const genericRule = "generic-api-key"

// innocentName matches what is before the values that the generic rule takes for secrets without reason: hashes, keys
// that are public, and parts of identifiers.
var innocentName = regexp.MustCompile(`(?i)public[ _-]?key|websocket-key|(?:hash|sha\d*|digest|checksum|` +
	`integrity|commit|` +
	`revision|etag|fingerprint|thumbprint)\W*$`)

// gitleaksRules returns the rules of gitleaks' default configuration, and apart from them the generic one, whose name
// for a secret says least. A rule's conditions on the path of a file are not looked at, since a text that is redacted
// need not be a file.
func gitleaksRules() (rules, generic []rule, err error) {
	var defaults struct {
		Allowlist allowlist
		Rules     []struct {
			ID, Regex   string
			SecretGroup int
			Entropy     float64
			Keywords    []string
			Allowlists  []allowlist
		}
	}
	if err := toml.Unmarshal([]byte(config.DefaultConfig), &defaults); err != nil {
		return nil, nil, err
	}
	for _, d := range defaults.Rules {
		r := rule{
			kind: kindOf(d.ID), keywords: d.Keywords, pattern: d.Regex, group: d.SecretGroup, entropy: d.Entropy,
			except: exceptions[d.ID], allow: append(d.Allowlists, defaults.Allowlist),
		}
		switch {
		case leftOut[d.ID] != "":
		case d.ID == genericRule:
			r.innocent = func(name, value string) bool {
				return innocentName.MatchString(name) || !randomAs(value, true,
					likely)
			}
			generic = append(generic, r)
		default:
			rules = append(rules, r)
		}
	}
	return rules, generic, nil
}
