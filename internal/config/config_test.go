package config_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/internal/config"
)

var pemKey = sync.OnceValue(func() string {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
})

// source is an environment and a disk.
func source(env, files map[string]string) config.Source {
	return config.Source{
		Getenv: func(name string) string { return env[name] },
		Environ: func() (all []string) {
			for name, text := range env {
				all = append(all, name+"="+text)
			}
			return all
		},
		Mode: func(name string) (fs.FileMode, error) {
			if _, ok := files[name]; !ok {
				return 0, fs.ErrNotExist
			}
			return 0o600, nil
		},
		ReadFile: func(name string) ([]byte, error) {
			text, ok := files[name]
			if !ok {
				return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
			}
			return []byte(text), nil
		},
	}
}

// app is the least that a server needs, and what the pairs of name and value add.
func app(pairs ...string) map[string]string {
	env := map[string]string{"TENON_APP_ID": "17", "TENON_PRIVATE_KEY": pemKey(),
		"TENON_WEBHOOK_SECRET": "hush-hush-hush-hush"}
	for i := 0; i < len(pairs); i += 2 {
		env[pairs[i]] = pairs[i+1]
	}
	return env
}

func problems(t *testing.T, err error) []config.Problem {
	t.Helper()
	var e *config.Error
	require.ErrorAs(t, err, &e)
	return e.Problems
}

func TestTheAppAloneIsEnough(t *testing.T) {
	t.Parallel()
	s, err := config.Load(source(app(), nil))
	require.NoError(t, err)
	require.Equal(t, ":8080", s.Listen)
	require.Equal(t, 24*time.Hour, s.Patience)
	require.Equal(t, int64(17), s.AppID)
	require.Equal(t, pemKey(), s.PrivateKey.Reveal())
	require.Equal(t, "hush-hush-hush-hush", s.WebhookSecret.Reveal())
	require.Equal(t, "https://api.github.com/", s.GitHubAPI)
	require.Equal(t, "https://github.com/", s.GitHubGit)
	require.Equal(t, "./data", s.DataDir)
	require.Equal(t, slog.LevelInfo, s.LogLevel)
	require.Equal(t, "text", s.LogFormat)
	require.Equal(t, 90*24*time.Hour, s.Retention)
	require.Equal(t, 30*24*time.Hour, s.SourceRetention)
	require.Equal(t, 365*24*time.Hour, s.AuditRetention)
	require.Empty(t, s.AllowedOwners)
	require.Empty(t, s.Model.Name)
}

func TestEverythingFromTheEnvironment(t *testing.T) {
	t.Parallel()
	s, err := config.Load(source(app(
		"TENON_LISTEN", "127.0.0.1:0",
		"TENON_ALLOWED_OWNERS", "Octo-Org, alice ,",
		"TENON_APP_SLUG", "@tenon-app[bot]",
		"TENON_GITHUB_API_URL", "https://ghe.example/api/v3",
		"TENON_GITHUB_GIT_URL", "http://127.0.0.1:3000/git//",
		"TENON_DATABASE_URL", "postgres://tenon:s3cret@db/tenon?sslmode=verify-full",
		"TENON_DATA_DIR", "/var/lib/tenon", "TENON_PATIENCE", "90m",
		"TENON_MODEL", "gpt-5", "TENON_MODEL_API_KEY", "sk-123\n",
		"TENON_COMMITS", "push",
		"TENON_RETENTION", "400d", "TENON_RETENTION_SOURCES", "7", "TENON_RETENTION_AUDIT", "31d",
		"TENON_LOG_LEVEL", "DEBUG", "TENON_LOG_FORMAT", "json",
	), nil))
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:0", s.Listen)
	require.Equal(t, []string{"octo-org", "alice"}, s.AllowedOwners)
	require.Equal(t, "tenon-app", s.AppSlug)
	require.Equal(t, "https://ghe.example/api/v3/", s.GitHubAPI)
	require.Equal(t, "http://127.0.0.1:3000/git/", s.GitHubGit)
	require.Equal(t, "/var/lib/tenon", s.DataDir)
	require.Equal(t, "postgres://tenon:s3cret@db/tenon?sslmode=verify-full", s.DatabaseURL.Reveal())
	require.NotContains(t, fmt.Sprintf("%+v", s), "s3cret")
	require.Equal(t, 90*time.Minute, s.Patience)
	require.Equal(t, "gpt-5", s.Model.Name)
	require.Equal(t, "sk-123", s.Model.APIKey.Reveal())
	require.Equal(t, 400*24*time.Hour, s.Retention)
	require.Equal(t, 7*24*time.Hour, s.SourceRetention)
	require.Equal(t, 31*24*time.Hour, s.AuditRetention)
	require.Equal(t, slog.LevelDebug, s.LogLevel)
	require.Equal(t, "json", s.LogFormat)
}

func TestNothingSetNamesAllThreeOfTheApp(t *testing.T) {
	t.Parallel()
	_, err := config.Load(source(nil, nil))
	ps := problems(t, err)
	require.Len(t, ps, 3)
	for i, name := range []string{"TENON_APP_ID", "TENON_PRIVATE_KEY", "TENON_WEBHOOK_SECRET"} {
		require.Equal(t, name, ps[i].Name)
		require.Contains(t, ps[i].Text, "is not set; ")
		require.Contains(t, err.Error(), "\n  "+name+": ")
	}
}

func TestEveryProblemAtOnceAndNoSecretInAny(t *testing.T) {
	t.Parallel()
	_, err := config.Load(source(map[string]string{
		"TENON_APP_ID":         "s3cret",
		"TENON_PRIVATE_KEY":    "s3cret",
		"TENON_APP_SLUG":       "s3cret here",
		"TENON_GITHUB_API_URL": "https://x:s3cret@ghe.example/",
		"TENON_GITHUB_GIT_URL": "ftp://s3cret/",
		"TENON_MODEL_BASE_URL": "https://h/?key=s3cret",
		"TENON_MODEL_API_KEY":  "s3cret s3cret",
		"TENON_DATABASE_URL":   "mysql://u:s3cret@db/x",
		"TENON_LISTEN":         "8080",
		"TENON_PATIENCE":       "for ever",
		"TENON_ALLOWED_OWNERS": ",",
		"TENON_COMMITS":        "maybe",
		"TENON_MODEL":          " ",
		"TENON_LOG_LEVEL":      "loud",
		"TENON_LOG_FORMAT":     "xml",
	}, nil))
	names := []string{}
	for _, p := range problems(t, err) {
		names = append(names, p.Name)
	}
	require.ElementsMatch(t, []string{
		"TENON_APP_ID", "TENON_PRIVATE_KEY", "TENON_WEBHOOK_SECRET", "TENON_APP_SLUG", "TENON_GITHUB_API_URL",
		"TENON_GITHUB_GIT_URL", "TENON_MODEL_BASE_URL", "TENON_MODEL_API_KEY", "TENON_DATABASE_URL", "TENON_PATIENCE",
		"TENON_MODEL",
		"TENON_LISTEN", "TENON_ALLOWED_OWNERS", "TENON_COMMITS", "TENON_LOG_LEVEL", "TENON_LOG_FORMAT",
	}, names)
	require.NotContains(t, err.Error(), "s3cret")
}

func TestThePrivateKeyInItsForms(t *testing.T) {
	t.Parallel()
	block, _ := pem.Decode([]byte(pemKey()))
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	pkcs8 := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))

	for name, env := range map[string]map[string]string{
		"with escaped line breaks": app("TENON_PRIVATE_KEY", strings.ReplaceAll(pemKey(), "\n", `\n`)),
		"PKCS 8":                   app("TENON_PRIVATE_KEY", pkcs8),
		"in a file":                app("TENON_PRIVATE_KEY", "", "TENON_PRIVATE_KEY_FILE", "key.pem"),
	} {
		s, err := config.Load(source(env, map[string]string{"key.pem": pemKey()}))
		require.NoError(t, err, name)
		require.Contains(t, s.PrivateKey.Reveal(), "PRIVATE KEY-----\n", name)
	}

	for want, env := range map[string]map[string]string{
		"there is no such file": app("TENON_PRIVATE_KEY", "", "TENON_PRIVATE_KEY_FILE", "gone.pem"),
		"set one of them":       app("TENON_PRIVATE_KEY_FILE", "key.pem"),
		"without an RSA private key": app("TENON_PRIVATE_KEY",
			"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n"),
		"is not a PEM file; it must be": app("TENON_PRIVATE_KEY", "key.pem"),
		"is incomplete or damaged":      app("TENON_PRIVATE_KEY", pemKey()[:500]),
	} {
		_, err := config.Load(source(env, map[string]string{"key.pem": pemKey()}))
		require.Contains(t, problems(t, err)[0].Text, want)
	}
}

func TestTheServerFileHoldsTheSameSettings(t *testing.T) {
	t.Parallel()
	file := "# tenon\napp_id: 99\nlisten: :9\nallowed_owners: [a, B]\nwebhook_secret: |\n  from-the-server-file\n" +
		"private_key: |\n  " +
		strings.ReplaceAll(strings.TrimSpace(pemKey()), "\n", "\n  ") + "\n"
	src := source(map[string]string{"TENON_CONFIG": "tenon.yml", "TENON_LISTEN": ":10"},
		map[string]string{"tenon.yml": file, "other.yml": "app_id: 5\n"})
	s, err := config.Load(src)
	require.NoError(t, err)
	require.Equal(t, int64(99), s.AppID)
	require.Equal(t, ":10", s.Listen, "the environment goes before the file")
	require.Equal(t, []string{"a", "b"}, s.AllowedOwners)
	require.Equal(t, "from-the-server-file", s.WebhookSecret.Reveal())

	src.File = "other.yml"
	s, err = config.Load(src)
	require.Error(t, err)
	require.Equal(t, int64(5), s.AppID, "the flag goes before TENON_CONFIG")
}

func TestTheEnvironmentsKeyFileGoesBeforeTheFilesKey(t *testing.T) {
	t.Parallel()
	env := app("TENON_PRIVATE_KEY", "", "TENON_PRIVATE_KEY_FILE", "key.pem", "TENON_CONFIG", "tenon.yml")
	s, err := config.Load(source(env, map[string]string{"key.pem": pemKey(), "tenon.yml": "private_key: broken\n"}))
	require.NoError(t, err)
	require.Equal(t, pemKey(), s.PrivateKey.Reveal())
}

func TestAServerFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, name, text string }{
		{"listen: :1\nlistne: :2\n", "tenon.yml:2", "there is no setting `listne`; did you mean `listen`?"},
		{"listen: :1\nlisten: :2\n", "listen (tenon.yml:2)", "is set twice"},
		{"\nlisten: [a]\n", "listen (tenon.yml:2)", "must be a text"},
		{"model: {a: b}\n", "model (tenon.yml:1)", "must be a text"},
		{"allowed_owners: [[a]]\n", "allowed_owners (tenon.yml:1)", "must be a text"},
		{"app_slug: x\nlisten: 'x\n", "tenon.yml:2", "found unexpected end of stream (a quotation mark is not closed)"},
		{"- a\n", "tenon.yml", "is not a list of settings"},
		{"a: 1\n---\nb: 1\n", "tenon.yml", "more than one document"},
		{"#" + strings.Repeat("x", 1<<20), "tenon.yml", "larger than 1 MiB"},
		{"listen: nope\n", "listen (tenon.yml:1)", "is not an address"},
		{"database_url: localhost\n", "database_url (tenon.yml:1)", "is not the URL of a PostgreSQL database"},
	} {
		_, err := config.Load(source(app("TENON_CONFIG", "tenon.yml"), map[string]string{"tenon.yml": c.file}))
		p := problems(t, err)
		require.Len(t, p, 1, c.file)
		require.Equal(t, c.name, p[0].Name)
		require.Contains(t, p[0].Text, c.text)
	}
	for _, empty := range []string{"", "# nothing\n", "---\n", "~\n", "listen:\n"} {
		_, err := config.Load(source(app("TENON_CONFIG", "tenon.yml"), map[string]string{"tenon.yml": empty}))
		require.NoError(t, err, empty)
	}
	_, err := config.Load(source(app("TENON_CONFIG", "gone.yml"), nil))
	require.Equal(t, []config.Problem{{Name: "gone.yml", Text: "there is no such file; check the path",
		Kind: config.Unreadable}}, problems(t, err))
}

func TestAModelOfOnesOwnNeedsNoKeyAndNoApp(t *testing.T) {
	t.Parallel()
	m, err := config.LoadModel(
		source(map[string]string{"TENON_MODEL": "qwen", "TENON_MODEL_BASE_URL": "http://127.0.0.1:11434/v1",
			"TENON_LISTEN": "bad"}, nil))
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:11434/v1/", m.BaseURL)

	_, err = config.LoadModel(source(map[string]string{"TENON_MODEL": "gpt-5"}, nil))
	require.Equal(t, "TENON_MODEL_API_KEY", problems(t, err)[0].Name)

	m, err = config.LoadModel(source(nil, nil))
	require.NoError(t, err)
	require.Empty(t, m)
}

func TestASecretNeverPrints(t *testing.T) {
	t.Parallel()
	s := config.Server{WebhookSecret: config.NewSecret("hush-hush-hush-hush"),
		Model: config.Model{APIKey: config.NewSecret("hush-hush-hush-hush")}}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		fmt.Fprintf(&out, verb+verb+verb+"\n", s, &s, s.WebhookSecret)
		fmt.Fprintf(&out, verb, struct{ inner config.Secret }{s.WebhookSecret})
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("settings", "server", s, "secret", s.WebhookSecret)
	}
	data, err := json.Marshal(s)
	require.NoError(t, err)
	out.Write(data)
	data, err = yaml.Marshal(s)
	require.NoError(t, err)
	out.Write(data)
	require.NotContains(t, out.String(), "hush")
	require.NotContains(t, out.String(), fmt.Sprintf("%x", "hush-hush-hush-hush"))
	require.Contains(t, out.String(), "[secret]")

	require.Empty(t, config.NewSecret("").String())
	require.False(t, config.Secret{}.IsSet())
	require.Empty(t, config.Secret{}.Reveal())
}

func TestARetentionIsANumberOfDays(t *testing.T) {
	t.Parallel()
	for name, least := range map[string]string{"TENON_RETENTION": "31d", "TENON_RETENTION_SOURCES": "1d"} {
		for _, text := range []string{"0", "-1d", "30h", "d", "1.5d", "10001d", "forever"} {
			_, err := config.Load(source(app(name, text), nil))
			ps := problems(t, err)
			require.Len(t, ps, 1, text)
			require.Equal(t, name, ps[0].Name)
			require.Contains(t, ps[0].Text, "is not a time from "+least+" on; write a number of days, like 90d")
		}
		_, err := config.Load(source(app(name, least), nil))
		require.NoError(t, err)
	}
	_, err := config.Load(source(app("TENON_RETENTION", "30d"), nil))
	require.Error(t, err, "a delivery of 30 days ago may come again")
}

func TestTheLimitsOfTheServerCanBeSetAndSwitchedOff(t *testing.T) {
	t.Parallel()
	s, err := config.Load(source(app(), nil))
	require.NoError(t, err)
	require.Equal(t, []int64{512, 240, 2400, 100_000_000},
		[]int64{int64(s.Connections), s.SenderCommands, s.InstallationCommands, s.ServerTokens})
	s, err = config.Load(source(app("TENON_CONNECTIONS", "2_000", "TENON_LIMIT_SENDER_COMMANDS", "off",
		"TENON_LIMIT_INSTALLATION_COMMANDS", "60", "TENON_BUDGET_SERVER_TOKENS", "5_000_000"), nil))
	require.NoError(t, err)
	require.Equal(t, []int64{2000, 0, 60, 5_000_000},
		[]int64{int64(s.Connections), s.SenderCommands, s.InstallationCommands, s.ServerTokens})
	_, err = config.Load(source(app("TENON_CONNECTIONS", "4", "TENON_LIMIT_SENDER_COMMANDS", "0",
		"TENON_LIMIT_INSTALLATION_COMMANDS", "many", "TENON_BUDGET_SERVER_TOKENS", "-1"), nil))
	for _, says := range []string{`TENON_CONNECTIONS: "4"`, `TENON_LIMIT_SENDER_COMMANDS: "0"`,
		`TENON_LIMIT_INSTALLATION_COMMANDS: "many"`, `TENON_BUDGET_SERVER_TOKENS: "-1"`} {
		require.ErrorContains(t, err, says)
	}
}
