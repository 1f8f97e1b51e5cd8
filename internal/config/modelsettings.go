package config

import (
	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/schema"
)

// modelSetting is one row of the table of a model's keys in the server file.
type modelSetting struct {
	key string
	// about documents it and unset says what applies without it, both as Markdown for a cell of a table.
	about, unset string
	// form is what set accepts, as far as a schema can say it.
	form schema.Schema
	// set reads the value. The error is what is wrong with it, to be read behind the key.
	set func(r *reader, m *Model, node *yaml.Node) error
}

var modelSettings = []modelSetting{
	{
		key: "id", unset: "the model's name here", about: "the provider's name for the model", form: filled(),
		set: text(func(_ *reader, m *Model, v string) error { m.ID = v; return nil }),
	},
	{
		key: "provider", unset: "`openai` without a base URL, else `openai-compatible`", form: filled(),
		about: "`openai`, `azure`, `anthropic`, `gemini`, `mistral`, `openrouter`, `ollama`, `vllm`, `llama.cpp`, " +
			"`openai-compatible`",
		set: text(func(_ *reader, m *Model, v string) error { m.Provider = v; return nil }),
	},
	{
		key: "base_url", unset: "the provider's", form: urlForm(),
		about: "the part of the URL before `chat/completions`. Required for `azure`, `vllm` and `openai-compatible`",
		set:   text(func(_ *reader, m *Model, v string) error { return setURL(&m.BaseURL, v) }),
	},
	{
		key: "api_key_env", unset: "none", about: "the *name* of the variable that contains the key", form: filled(),
		set: text(keyFromEnvironment),
	},
	{
		key: "api_key_file", unset: "none", about: "the path of a file that contains the key, instead", form: filled(),
		set: text(keyFromFile),
	},
	{
		key: "headers", unset: "none", form: secretsForm(),
		about: "headers to send with every request, such as `{X-Team: docs}`",
		set:   func(_ *reader, m *Model, node *yaml.Node) (err error) { m.Headers, err = secrets(node); return err },
	},
	{
		key: "query", unset: "none", form: secretsForm(),
		about: "query parameters to send with every request, such as `{api-version: 2024-10-21}`",
		set:   func(_ *reader, m *Model, node *yaml.Node) (err error) { m.Query, err = secrets(node); return err },
	},
	{
		key: "max_tokens", unset: "the provider's", about: "the longest reply, in tokens",
		form: schema.Number(1, maxTokens, ""),
		set:  text(func(_ *reader, m *Model, v string) error { return setTokens(&m.MaxTokens, v) }),
	},
	{
		key: "token_field", unset: "the provider's", form: trimmed(field),
		about: "the request field for that limit, such as `max_completion_tokens`",
		set:   text(setTokenField),
	},
	{
		key: "fallback", unset: "none", form: filled(),
		about: "the model to ask if this one's provider fails before it has sent anything. A fallback is skipped if the " +
			"prompt does not fit its `context_tokens`",
		set: text(func(_ *reader, m *Model, v string) error { m.Fallback = v; return nil }),
	},
	{
		key: "repositories", unset: "all", form: repositoriesForm(),
		about: "where the model may be used, such as `[acme/lathe, acme-labs/*]`. Elsewhere, the first model that is " +
			"allowed is the default",
		set: setRepositories,
	},
	{
		key: "price", unset: "unknown", form: priceForm(),
		about: "the price of a million tokens in US dollars: `{input: 2.5, cached: 0.25, output: 10}`. With it, answers " +
			"show the cost; without it, the tokens",
		set: setPrice,
	},
	{
		key: "context_tokens", unset: "unknown", form: schema.Number(1, maxTokens, ""),
		about: "how many tokens the model can read and write in one call. Every prompt is made to " +
			"[fit](operating.md#small-and-local-models)",
		set: text(func(_ *reader, m *Model, v string) error { return setTokens(&m.ContextTokens, v) }),
	},
	{
		key: "code_tokens", unset: "none", form: schema.Number(policy.MinCodeTokens, policy.MaxCodeTokens, ""),
		about: "how many tokens of code a prompt for this model shows, from 2,000 to 24,000. `limits.code_tokens` in the " +
			"[policy](configuration.md#settings) limits it for all models",
		set: text(setCodeTokens),
	},
	{
		key: "concurrency", unset: "`TENON_MODEL_CONCURRENCY`", form: schema.Number(1, maxRuns, ""),
		about: "how many calls of the model are under way at most; the others wait for their turn. Models " +
			"at one server are counted one by one: if they share a local server, give each its part",
		set: text(setConcurrency),
	},
	{
		key: "format", unset: "`diff`, for Gemini `diff-fenced`", form: schema.Words(formats...),
		about: "the edit format to ask for: `v3`, `anchored`, `diff`, `diff-fenced`, `editor-diff`, `editor-diff-fenced`, " +
			"`section`, `udiff`, `patch`, `whole`; `auto` chooses that in which most of the model's edits [were " +
			"applied](operating.md#formats). tenon understands replies in every format",
		set: text(setFormat),
	},
}
