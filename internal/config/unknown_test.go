package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

// A misspelt TENON_ALLOWED_OWNERS would serve everybody.
func TestAVariableThatIsNoSettingIsRefused(t *testing.T) {
	t.Parallel()
	for name, meant := range map[string]string{
		"TENON_ALLOWED_OWNER":              "did you mean TENON_ALLOWED_OWNERS?",
		"TENON_ALOWED_OWNERS":              "did you mean TENON_ALLOWED_OWNERS?",
		"TENON_OWNERS":                     "did you mean TENON_ALLOWED_OWNERS?",
		"TENON_ORGS":                       "did you mean TENON_ALLOWED_OWNERS?",
		"TENON_WEBHOOKSECRET":              "did you mean TENON_WEBHOOK_SECRET?",
		"TENON_GITHUB_WEBHOOK_SECRET":      "did you mean TENON_WEBHOOK_SECRET?",
		"TENON_PRIVATE_KEY_PATH":           "did you mean TENON_PRIVATE_KEY?",
		"TENON_PRIVATE_KEYFILE":            "did you mean TENON_PRIVATE_KEY_FILE?",
		"TENON_API_KEY":                    "did you mean TENON_MODEL_API_KEY?",
		"TENON_MODEL_URL":                  "did you mean TENON_MODEL or TENON_MODEL_BASE_URL?",
		"TENON_DB_URL":                     "did you mean TENON_DATABASE_URL?",
		"TENON_PORT":                       "did you mean TENON_LISTEN?",
		"TENON_LOG":                        "did you mean TENON_LOG_LEVEL or TENON_LOG_FORMAT?",
		"TENON_APPID":                      "did you mean TENON_APP_ID?",
		"TENON_LISTEN_FILE":                "did you mean TENON_LISTEN?",
		"TENON_CONFIG_FILE":                "did you mean TENON_CONFIG?",
		"TENON_LIMIT_INSTALATION_COMMANDS": "did you mean TENON_LIMIT_INSTALLATION_COMMANDS?",
		"TENON_PROTECTED":                  "can be set in the server file only, as policy.protected",
		"TENON_LIMITS_FILES":               "can be set in the server file only, as policy.limits.files",
		"TENON_MODELS":                     "can be set in the server file only, as models",
		"TENON_XYZZY":                      "remove it (docs/settings.md has all settings)",
		"TENON_":                           "remove it (docs/settings.md has all settings)",
	} {
		_, err := config.Load(source(app(name, "s3cret"), nil))
		p := problems(t, err)
		require.Len(t, p, 1, name)
		require.Equal(t, config.Problem{Name: name, Text: p[0].Text, Kind: config.Unknown}, p[0])
		require.Contains(t, p[0].Text, meant, name)
		require.NotContains(t, err.Error(), "s3cret")
		_, err = config.Load(source(app(name, ""), nil))
		require.NoError(t, err, "a variable that is set to nothing counts as not set")
	}
	for _, load := range []func(config.Source) error{
		func(src config.Source) error { _, err := config.LoadModel(src); return err },
		func(src config.Source) error { _, err := config.LoadDatabase(src); return err },
	} {
		require.ErrorContains(t, load(source(map[string]string{"TENON_DATABASE_URI": "x"}, nil)), "TENON_DATABASE_URL?")
	}
}

// Kubernetes tells every container of the services of its namespace, and these can be called tenon or tenon-postgres.
func TestVariablesThatAreNotMeantForTheProgramAreNoMistakes(t *testing.T) {
	t.Parallel()
	file := "models:\n  fast: {api_key_env: TENON_OPENAI_KEY}\n"
	_, err := config.Load(source(app(
		"TENON_CONFIG", "tenon.yml", "TENON_OPENAI_KEY", "sk-1",
		"TENON_SERVICE_HOST", "10.0.0.7", "TENON_SERVICE_PORT", "80", "TENON_SERVICE_PORT_HTTP", "80",
		"TENON_PORT", "tcp://10.0.0.7:80", "TENON_PORT_80_TCP", "tcp://10.0.0.7:80", "TENON_PORT_80_TCP_PROTO", "tcp",
		"TENON_PORT_80_TCP_PORT", "80", "TENON_PORT_80_TCP_ADDR", "10.0.0.7",
		"TENON_POSTGRES_SERVICE_HOST", "fd00::7", "TENON_POSTGRES_SERVICE_PORT", "5432",
		"TENON_POSTGRES_PORT", "tcp://[fd00::7]:5432", "TENON_POSTGRES_PORT_5432_TCP_ADDR", "fd00::7",
		"TENON_BENCH", "/bench", "TENON_MIRROR", "/mirror", "TENON_GITHUB_OPENAPI", "api.json",
		"TENON_TEST_DATABASE_URL", "postgres://h/d", "TENONITIS", "x", "MY_TENON_X", "x",
	), map[string]string{"tenon.yml": file}))
	require.NoError(t, err)
	for name, text := range map[string]string{"TENON_PORT": "8080", "TENON_SERVICE_HOST": "tenon.example",
		"TENON_PORT_8080_TCP": "yes", "TENON_OPENAI_KEY": "sk-1"} {
		_, err := config.Load(source(app(name, text), nil))
		require.Equal(t, config.Unknown, problems(t, err)[0].Kind, name)
	}
}

func TestAKeyThatIsNoSettingIsRefusedWithTheOneThatWasMeant(t *testing.T) {
	t.Parallel()
	for key, meant := range map[string]string{
		"allowed_owner": "there is no setting `allowed_owner`; did you mean `allowed_owners`?",
		"TENON_LISTEN":  "in the server file it is called `listen`",
		"who":           "it belongs below policy",
		"limits.files":  "it belongs below policy",
		"model_s":       "did you mean `models`?",
		"xyzzy":         "there is no setting `xyzzy`; docs/settings.md has all settings",
	} {
		_, err := loadWith(key + ": x\n")
		p := problems(t, err)
		require.Len(t, p, 1)
		require.Equal(t, config.Problem{Name: "tenon.yml:1", Text: p[0].Text, Kind: config.Unknown}, p[0])
		require.Contains(t, p[0].Text, meant)
	}
}
