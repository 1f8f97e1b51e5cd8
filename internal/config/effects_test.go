package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
)

// effects has a value for each setting that is not its default, and what becomes of it. What the program then does is
// tested where it does it.
var effects = map[string]struct {
	value string
	of    func(Server) any
	want  any
}{
	"app_id": {"18", func(s Server) any { return s.AppID }, int64(18)},
	"webhook_secret": {"sixteen letters!", func(s Server) any { return s.WebhookSecret.Reveal() },
		"sixteen letters!"},
	"allow_weak_webhook_secret": {"true", func(s Server) any { return s.AllowWeakWebhookSecret }, true},
	"app_slug":                  {"tenon-acme", func(s Server) any { return s.AppSlug }, "tenon-acme"},
	"allowed_owners": {"acme, Maria", func(s Server) any { return s.AllowedOwners },
		[]string{"acme", "maria"}},
	"github_url": {"https://h", func(s Server) any { return [2]string{s.GitHubAPI, s.GitHubGit} },
		[2]string{"https://h/api/v3/", "https://h/"}},
	"github_api_url": {"https://h/api/v3", func(s Server) any { return s.GitHubAPI }, "https://h/api/v3/"},
	"github_git_url": {"https://h", func(s Server) any { return s.GitHubGit }, "https://h/"},
	"listen":         {":9", func(s Server) any { return s.Listen }, ":9"},
	"admin_listen":   {":7", func(s Server) any { return s.AdminListen }, ":7"},
	"public_url": {"https://Tenon.example:443/", func(s Server) any { return s.PublicURL },
		"https://tenon.example"},
	"client_id": {"Iv23liABC", func(s Server) any { return s.ClientID }, "Iv23liABC"},
	"client_secret": {"0123456789abcdef0123", func(s Server) any { return s.ClientSecret.Reveal() },
		"0123456789abcdef0123"},
	"operators":   {"Maria, jo", func(s Server) any { return s.Operators }, []string{"maria", "jo"}},
	"connections": {"600", func(s Server) any { return s.Connections }, 600},
	"runs":        {"17", func(s Server) any { return s.Runs }, 17},
	"cache_mb":    {"600", func(s Server) any { return s.CacheMB }, 600},
	"cache_dir":   {"/c", func(s Server) any { return s.CacheDir }, "/c"},
	"patience":    {"90m", func(s Server) any { return s.Patience }, 90 * time.Minute},
	"log_level":   {"warn", func(s Server) any { return s.LogLevel.String() }, "WARN"},
	"log_format":  {"json", func(s Server) any { return s.LogFormat }, "json"},
	"data_dir":    {"/d", func(s Server) any { return s.DataDir }, "/d"},
	"database_url": {"postgres://h/d", func(s Server) any { return s.DatabaseURL.Reveal() },
		"postgres://h/d"},
	"retention":                   {"31d", func(s Server) any { return s.Retention }, 31 * 24 * time.Hour},
	"retention_sources":           {"1", func(s Server) any { return s.SourceRetention }, 24 * time.Hour},
	"retention_audit":             {"31", func(s Server) any { return s.AuditRetention }, 31 * 24 * time.Hour},
	"model":                       {"gpt-5", func(s Server) any { return s.Model.ID }, "gpt-5"},
	"model_base_url":              {"https://h/v1", func(s Server) any { return s.Model.BaseURL }, "https://h/v1/"},
	"model_api_key":               {"sk-1", func(s Server) any { return s.Model.APIKey.Reveal() }, "sk-1"},
	"model_concurrency":           {"3", func(s Server) any { return s.Model.Concurrency }, 3},
	"commits":                     {"push", func(s Server) any { return policy.ServerPolicy(s.Policy).Push }, true},
	"budget_server_tokens":        {"5", func(s Server) any { return s.ServerTokens }, int64(5)},
	"limit_sender_commands":       {"5", func(s Server) any { return s.SenderCommands }, int64(5)},
	"limit_installation_commands": {"off", func(s Server) any { return s.InstallationCommands }, int64(0)},
	"budget_user_commands": {"5", func(s Server) any { return policy.ServerPolicy(s.Policy).Budget.UserCommands },
		int64(5)},
	"budget_repository_commands": {"5",
		func(s Server) any { return policy.ServerPolicy(s.Policy).Budget.RepositoryCommands }, int64(5)},
	"budget_repository_tokens": {"5",
		func(s Server) any { return policy.ServerPolicy(s.Policy).Budget.RepositoryTokens }, int64(5)},
	"budget_owner_tokens": {"5", func(s Server) any { return policy.ServerPolicy(s.Policy).Budget.OwnerTokens },
		int64(5)},
}

// Each setting, alone, arrives where it belongs, whether a variable or the server file sets it.
func TestEverySettingHasAnEffect(t *testing.T) {
	t.Parallel()
	for _, row := range settings() {
		if row.key == "private_key" {
			continue // TestThePrivateKeyInItsForms
		}
		effect, ok := effects[row.key]
		require.True(t, ok, "%s needs a row in effects", row.key)
		env := map[string]string{variable(row.key): effect.value, "TENON_MODEL": "gpt-5"}
		set, _ := Load(Source{Getenv: func(name string) string { return env[name] }})
		require.Equal(t, effect.want, effect.of(set), row.key)

		delete(env, variable(row.key))
		if row.key != "model" {
			unset, _ := Load(Source{Getenv: func(name string) string { return env[name] }})
			require.NotEqual(t, effect.want, effect.of(unset), row.key)
		}
		env["TENON_CONFIG"] = "tenon.yaml"
		set, _ = Load(Source{
			Getenv:   func(name string) string { return env[name] },
			ReadFile: func(string) ([]byte, error) { return []byte(row.key + ": " + effect.value + "\n"), nil },
		})
		require.Equal(t, effect.want, effect.of(set), row.key)
	}
}
