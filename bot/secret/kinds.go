package secret

import "strings"

// kindOf returns what people call the secrets of a rule of gitleaks: "openai-api-key" is an "OpenAI API key".
func kindOf(id string) string {
	if kind := kinds[id]; kind != "" {
		return kind
	}
	words := strings.Split(id, "-")
	for i, word := range words {
		if name, ok := spelled[word]; ok {
			words[i] = name
		} else if i == 0 {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, " ")
}

// kinds are those that are not called by the words of their rule.
var kinds = map[string]string{
	"1password-secret-key":                        "1Password secret key",
	"airtable-personnal-access-token":             "Airtable personal access token",
	"aws-access-token":                            "AWS access key",
	"aws-amazon-bedrock-api-key-long-lived":       "Amazon Bedrock API key",
	"aws-amazon-bedrock-api-key-short-lived":      "Amazon Bedrock API key",
	"curl-auth-header":                            "authorization header of curl",
	"curl-auth-user":                              "password of curl",
	"dropbox-long-lived-api-token":                "Dropbox long-lived API token",
	"dropbox-short-lived-api-token":               "Dropbox short-lived API token",
	"gcp-api-key":                                 "Google API key",
	"generic-api-key":                             "credential",
	"github-app-token":                            "GitHub App token",
	"github-fine-grained-pat":                     "GitHub fine-grained personal access token",
	"github-oauth":                                "GitHub OAuth token",
	"gitlab-pat-routable":                         "GitLab personal access token",
	"gitlab-ptt":                                  "GitLab pipeline trigger token",
	"gitlab-rrt":                                  "GitLab runner registration token",
	"gitlab-runner-authentication-token-routable": "GitLab runner authentication token",
	"hashicorp-tf-api-token":                      "Terraform API token",
	"heroku-api-key-v2":                           "Heroku API key",
	"jwt":                                         "JSON web token",
	"jwt-base64":                                  "JSON web token",
	"npm-access-token":                            "npm token",
	"nuget-config-password":                       "NuGet password",
	"octopus-deploy-api-key":                      "Octopus Deploy API key",
	"pypi-upload-token":                           "PyPI token",
	"sentry-org-token":                            "Sentry organization token",
	"sidekiq-sensitive-url":                       "Sidekiq password",
	"slack-webhook-url":                           "Slack webhook",
}

// spelled are the words of the rules that are not spelled as there.
var spelled = map[string]string{
	"1password": "1Password", "ad": "AD", "age": "age", "api": "API", "aws": "AWS", "ca": "CA", "cicd": "CI/CD",
	"clickhouse": "ClickHouse", "cloud": "Cloud", "digitalocean": "DigitalOcean", "droneci": "Drone CI",
	"easypost": "EasyPost", "flyio": "Fly.io", "frameio": "Frame.io", "freshbooks": "FreshBooks", "github": "GitHub",
	"gitlab": "GitLab", "gocardless": "GoCardless", "hubspot": "HubSpot", "huggingface": "Hugging Face", "id": "ID",
	"jfrog": "JFrog", "kubernetes": "Kubernetes", "kucoin": "KuCoin", "launchdarkly": "LaunchDarkly",
	"linkedin": "LinkedIn",
	"maxmind":  "MaxMind", "meraki": "Meraki", "messagebird": "MessageBird", "networking": "Networking",
	"nytimes": "New York Times", "oauth": "OAuth", "openai": "OpenAI", "openshift": "OpenShift",
	"pat": "personal access token", "planetscale": "PlanetScale", "privateai": "Private AI", "pub": "public",
	"rapidapi": "RapidAPI", "readme": "ReadMe", "relic": "Relic", "rubygems": "RubyGems", "scim": "SCIM",
	"sendgrid": "SendGrid", "settlemint": "SettleMint", "sumologic": "Sumo Logic", "teams": "Teams",
	"travisci": "Travis CI",
}
