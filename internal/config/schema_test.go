package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/schema"
	"github.com/tenon-bot/tenon/bot/schema/schematest"
)

// The published schemas are those of the tables. With -update, they are written.
func TestThePublishedSchemasAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]schema.Schema{"tenon": Schema(), "repository": policy.Schema()} {
		data, err := json.MarshalIndent(s, "", "  ")
		require.NoError(t, err)
		path := "../../docs/schemas/" + name + ".schema.json"
		require.True(t, strings.HasSuffix(s["$id"].(string), strings.TrimPrefix(path, "../..")))
		if *update {
			require.NoError(t, os.WriteFile(path, append(data, '\n'), 0o600))
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, string(data)+"\n" == string(text), "go test ./internal/config -run Schemas -update writes %s", path)
	}
}

// accepted reports whether the program finds nothing wrong with a server file; what is not in it may be set elsewhere.
func accepted(text string) (bool, error) {
	_, err := Load(Source{
		Getenv: func(name string) string {
			if name == "TENON_CONFIG" || name == "OPENAI_KEY" {
				return "tenon.yaml"
			}
			return ""
		},
		ReadFile: func(string) ([]byte, error) { return []byte(text), nil },
	})
	var e *Error
	if errors.As(err, &e) {
		for _, p := range e.Problems {
			if p.Kind != Missing {
				return false, err
			}
		}
	}
	return true, nil
}

func TestTheSchemaAcceptsTheServerFilesThatTheProgramAccepts(t *testing.T) {
	t.Parallel()
	validate := schematest.Compile(t, Schema())
	for _, text := range []string{
		"", "# nothing\n", "---\n", "listen:\n", "listen: ''\n",
		SchemaLine + "\napp_id: 17\nlisten: :9\nallowed_owners: [acme, 5, 'a, b']\nlog_level: WARN\nconnections: 2_000\n",
		"app_id: '17'\nwebhook_secret: |\n  sixteen letters!\nprivate_key: ''\nretention: 90d\nretention_sources: 7\n",
		"webhook_secret: x\nallow_weak_webhook_secret: true\npatience: 1h30m\nbudget_server_tokens: off\n",
		"github_api_url: https://ghe.example/api/v3\ngithub_git_url: http://127.0.0.1:3000/git/\n",
		"models:\n  fast: {id: gpt-5, api_key_env: OPENAI_KEY, max_tokens: 16_000, format: diff, code_tokens: '2000',\n" +
			"    price: {input: 0.25, output: '2'}, headers: {X-Team: 5}, repositories: [acme/lathe, 'acme-labs/*']}\n" +
			"  house/qwen: {provider: vllm, base_url: 'http://10.0.0.7/v1', query: {a: b}}\n" +
			"policy: {who: write, limits: {files: 3}}\ncommits: push\n",
		"public_url: https://tenon.example.com\nclient_id: Iv1.8a61f9b3a7aba766\noperators: [Maria, jo]\n",
		"public_url: HTTPS://[2001:db8::1]:8443/\n", "public_url: http://localhost:8080\n",
		"public_url: http://127.0.0.1:80/\nclient_secret: 0123456789abcdef0123456789abcdef01234567\n",
	} {
		ok, err := accepted(text)
		require.True(t, ok, "%s: %v", text, err)
		require.NoError(t, validate(text), text)
	}
}

func TestTheSchemaRefusesTheServerFilesThatTheProgramRefuses(t *testing.T) {
	t.Parallel()
	validate := schematest.Compile(t, Schema())
	for _, text := range []string{
		"- a\n", "listne: :1\n", "listen: 8080\n", "listen: localhost\n", "listen: ':65536'\n", "app_id: Iv1.8a61\n",
		"app_id: 0\n", "connections: 3\n", "connections: 100_001\n", "allowed_owners: []\n", "allowed_owners:\n",
		"allowed_owners: ','\n", "allowed_owners: [~]\n", "allowed_owners: [a b]\n", "log_level: loud\n", "log_format: xml\n",
		"patience: 5\n", "patience: 0s\n", "retention: 30d\n", "retention: 4w\n", "github_api_url: ghe.example\n",
		"github_api_url: 'https://u:p@h/'\n", "github_git_url: 'https://h/?x'\n", "database_url: mysql://h/d\n",
		"webhook_secret: short\n", "private_key: /etc/key.pem\n", "model_api_key: a b\n", "model: [a]\n", "data_dir: {}\n",
		"webhook_secret: sixteen letters!\nwebhook_secret_file: x\n", "allow_weak_webhook_secret: maybe\n",
		"commits: push\npolicy: {commits: push}\n", "budget_user_commands: 5\npolicy: {budget: {user: {commands: 5}}}\n",
		"policy:\n", "policy: {whom: write}\n", "models:\n", "models: [a]\n", "models: {'a b': {api_key_env: OPENAI_KEY}}\n",
		"models: {a: }\n", "models: {a: {provider: openai}}\n", "models: {a: {api_key_env: OPENAI_KEY, top_k: 1}}\n",
		"models: {a: {api_key_env: OPENAI_KEY, api_key_file: x}}\n", "models: {a: {base_url: x}}\n",
		"models: {a: {api_key_env: OPENAI_KEY, price: {input: 1}}}\n",
		"models: {a: {api_key_env: OPENAI_KEY, headers: {}}}\n",
		"models: {a: {api_key_env: OPENAI_KEY, repositories: acme}}\n", "models: {a: {api_key_env: OPENAI_KEY, format: x}}\n",
		"models: {a: {api_key_env: OPENAI_KEY, code_tokens: 5}}\n", "models: {a: {api_key_env: OPENAI_KEY, id: }}\n",
		"public_url: tenon.example\n", "public_url: https://h/x\n", "public_url: http://h\n",
		"public_url: 'https://h:0'\n", "public_url: 'https://u@h'\n", "public_url: https://h?x\n",
		"client_id: '17'\n", "client_id: 17\n", "client_id: a b\n", "client_secret: short\n", "operators: ','\n",
		"operators: [a b]\n",
	} {
		ok, _ := accepted(text)
		require.False(t, ok, text)
		require.Error(t, validate(text), text)
	}
}

// scraps are values of settings, right and wrong.
var scraps = []string{"true", "false", "off", "write", "push", "1", "5", "15", "16", "31", "-1", "0", "100_000",
	"100001",
	"2_000", "2000", "24_001", "1.5", "acme", "'a, B'", "[a, b]", "[]", "{}", "{a: b}", "~", "''", "' '", "x y",
	"Iv1.8a61",
	":8080", "127.0.0.1:0", "'[::1]:80'", "8080", "':99999'", "90m", "1h30m", "168h", "30d", "90d", "90 d",
	"/var/lib/tenon",
	"https://h/api/v3", "https://h", "https://h/x/", "http://h:1",
	"http://localhost:8080", "http://127.0.0.1", "https://h:443", "0123456789abcdef0123",
	"https://u@h/", "https://h/?x", "ftp://h/", "postgres://u:p@h/d", "mysql://h/d",
	"sixteen letters!", "short", "sk-123", "text", "json", "INFO", "debug", "verified", "gpt-5", "acme/lathe", "'acme/*'",
	"[acme/lathe, a/b]", "diff", "max_new_tokens", "{input: 1, output: 2}", "{input: 1}", "{X-Team: docs}", "OPENAI_KEY"}

// With random values, the program finds nothing wrong in a file if and only if the schema does not either.
func TestTheSchemaAgreesWithTheProgramAboutRandomServerFiles(t *testing.T) {
	t.Parallel()
	validate := schematest.Compile(t, Schema())
	random := rand.New(rand.NewPCG(18, 3))
	rows, good := settings(), 0
	for i := range 1500 {
		value := scraps[random.IntN(len(scraps))]
		key := rows[random.IntN(len(rows))].key
		text := fmt.Sprintf("%s: %s\n", key, value)
		if strings.HasPrefix(key, "model_") {
			text = "model: gpt-5\n" + text
		}
		if i%3 == 0 {
			row := modelSettings[random.IntN(len(modelSettings))]
			text = fmt.Sprintf("models:\n  fast:\n    provider: vllm\n    %s: %s\n", row.key, value)
			if row.key == "provider" {
				text = fmt.Sprintf("models:\n  fast:\n    provider: %s\n", value)
			}
			if row.key == "fallback" || row.key == "api_key_file" || row.key == "api_key_env" {
				continue // other models, files and variables, which the schema does not see
			}
		}
		ok, problem := accepted(text)
		err := validate(text)
		require.Equal(t, ok, err == nil, "%s\nthe program: %v\nthe schema: %v", text, problem, err)
		if ok {
			good++
		}
	}
	require.Greater(t, good, 150)
	require.Less(t, good, 1000)
}
