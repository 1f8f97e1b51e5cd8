package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestAWeakWebhookSecretIsRefusedUnlessItIsAllowed(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"s3cret", "fifteen letters", "žluťoučký kůň!!"} {
		_, err := config.Load(source(app("TENON_WEBHOOK_SECRET", secret), nil))
		p := problems(t, err)
		require.Len(t, p, 1)
		require.Equal(t, "TENON_WEBHOOK_SECRET", p[0].Name)
		require.Contains(t, p[0].Text, "is shorter than 16 characters")
		require.NotContains(t, err.Error(), secret)
		s, err := config.Load(source(app("TENON_WEBHOOK_SECRET", secret, "TENON_ALLOW_WEAK_WEBHOOK_SECRET", "true"), nil))
		require.NoError(t, err)
		require.Equal(t, secret, s.WebhookSecret.Reveal())
	}
	_, err := config.Load(source(app("TENON_WEBHOOK_SECRET", "sixteen letters!"), nil))
	require.NoError(t, err)
	_, err = config.Load(source(app("TENON_WEBHOOK_SECRET", "", "TENON_WEBHOOK_SECRET_FILE", "secret"),
		map[string]string{"secret": "short\n"}))
	require.Equal(t, "TENON_WEBHOOK_SECRET_FILE", problems(t, err)[0].Name)
	_, err = config.Load(source(app("TENON_ALLOW_WEAK_WEBHOOK_SECRET", "yes"), nil))
	require.Contains(t, problems(t, err)[0].Text, `"yes" is not one of its values; write true or false`)
}

func TestEverySecretCanBeInAFileOfItsOwn(t *testing.T) {
	t.Parallel()
	files := map[string]string{"key": pemKey(), "hook": "hush-hush-hush-hush\r\n", "model": "sk-123\n",
		"database": "postgres://tenon:s3cret@db/tenon\n", "empty": "\n",
		"tenon.yml": "private_key_file: key\nwebhook_secret_file: hook\nmodel: gpt-5\nmodel_api_key_file: model\n" +
			"database_url_file: database\napp_id: 17\n"}
	for name, env := range map[string]map[string]string{
		"named by variables": {"TENON_APP_ID": "17", "TENON_PRIVATE_KEY_FILE": "key", "TENON_WEBHOOK_SECRET_FILE": "hook",
			"TENON_MODEL": "gpt-5", "TENON_MODEL_API_KEY_FILE": "model", "TENON_DATABASE_URL_FILE": "database"},
		"named by the server file": {"TENON_CONFIG": "tenon.yml"},
	} {
		s, err := config.Load(source(env, files))
		require.NoError(t, err, name)
		require.Equal(t, []string{pemKey(), "hush-hush-hush-hush", "sk-123", "postgres://tenon:s3cret@db/tenon"},
			[]string{s.PrivateKey.Reveal(), s.WebhookSecret.Reveal(), s.Model.APIKey.Reveal(), s.DatabaseURL.Reveal()}, name)
	}

	load := func(pairs ...string) error {
		_, err := config.Load(source(app(append([]string{"TENON_MODEL", "gpt-5", "TENON_MODEL_API_KEY", "x"}, pairs...)...),
			files))
		return err
	}
	for _, name := range []string{"PRIVATE_KEY", "WEBHOOK_SECRET", "MODEL_API_KEY", "DATABASE_URL"} {
		key := "TENON_" + name
		for file, text := range map[string]string{"gone": "there is no such file; check the path",
			"empty": "names a file that is empty; put the secret into it"} {
			require.Equal(t, []config.Problem{{Name: key + "_FILE", Text: text}},
				problems(t, load(key, "", key+"_FILE", file)))
		}
		require.Equal(t, []config.Problem{{Name: key, Text: "is set, and " + key + "_FILE too; set one of them"}},
			problems(t, load(key, "set", key+"_FILE", "hook")))
	}
}

func TestASecretThatIsSomethingElseIsRefused(t *testing.T) {
	t.Parallel()
	model := func(key string) map[string]string { return app("TENON_MODEL", "gpt-5", "TENON_MODEL_API_KEY", key) }
	for _, c := range []struct {
		name, secret, want string
	}{
		{"TENON_WEBHOOK_SECRET", pemKey(), "a private key goes into TENON_PRIVATE_KEY"},
		{"TENON_WEBHOOK_SECRET", "one line and\nanother one", "which is one line"},
		{"TENON_WEBHOOK_SECRET", "https://tenon.example.com/webhook", "is a URL"},
		{"TENON_WEBHOOK_SECRET", `"hush-hush-hush-hush"`, "is in quotation marks"},
		{"TENON_WEBHOOK_SECRET", `'hush-hush-hush-hush'`, "is in quotation marks"},
		{"TENON_MODEL_API_KEY", `"sk-s3cret"`, "is in quotation marks"},
	} {
		env := model("sk-1")
		env[c.name] = c.secret
		_, err := config.Load(source(env, nil))
		p := problems(t, err)
		require.Len(t, p, 1, c.secret)
		require.Equal(t, c.name, p[0].Name)
		require.Contains(t, p[0].Text, c.want)
		require.NotContains(t, err.Error(), c.secret)
	}
	_, err := config.Load(source(app("TENON_WEBHOOK_SECRET", `"hush-hush-hush-hush'`), nil))
	require.NoError(t, err)
}
