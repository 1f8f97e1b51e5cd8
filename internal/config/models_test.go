package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

const twoModels = `
models:
  fast:
    id: gpt-5-mini
    api_key_env: OPENAI_KEY
    max_tokens: 16_000
    context_tokens: 200000
    code_tokens: 12_000
    format: diff-fenced
    price: {input: 0.25, cached: 0.025, output: 2}
    fallback: house/qwen
  house/qwen:
    provider: vllm
    base_url: http://10.0.0.7:8000/v1
    api_key_file: /run/secrets/qwen
    headers: {X-Team: docs}
    query:
      api-version: 2025-01-01
    token_field: max_new_tokens
    price: {input: 1, output: 1}
`

// load reads a server file with models, with an environment of the App and what pairs add.
func load(file string, pairs ...string) (config.Server, error) {
	env := app(append(pairs, "TENON_CONFIG", "tenon.yml", "OPENAI_KEY", "sk-1")...)
	return config.Load(source(env, map[string]string{"tenon.yml": file, "/run/secrets/qwen": "sk-2\n", "empty": " \n"}))
}

func TestSeveralModelsStandInTheServerFile(t *testing.T) {
	t.Parallel()
	s, err := load(twoModels)
	require.NoError(t, err)
	require.Len(t, s.Models, 2)
	require.Equal(t, s.Models[0], s.Model, "the first is the default")

	fast, qwen := s.Models[0], s.Models[1]
	require.Equal(t, "sk-1", fast.APIKey.Reveal())
	fast.APIKey = config.Secret{}
	require.Equal(t, config.Model{
		Name: "fast", ID: "gpt-5-mini", Format: "diff-fenced", ContextTokens: 200000, MaxTokens: 16000,
		CodeTokens: 12000,
		Price:      config.Price{Input: 0.25, Cached: 0.025, Output: 2}, Fallback: "house/qwen",
	}, fast)
	require.Equal(t, "sk-2", qwen.APIKey.Reveal())
	require.Equal(t, "docs", qwen.Headers["X-Team"].Reveal())
	require.Equal(t, "2025-01-01", qwen.Query["api-version"].Reveal())
	require.Equal(t, config.Price{Input: 1, Cached: 1, Output: 1}, qwen.Price, "no price for the cache is the full price")
	require.Equal(t, []string{"house/qwen", "house/qwen", "vllm", "http://10.0.0.7:8000/v1/", "max_new_tokens"},
		[]string{qwen.Name, qwen.ID, qwen.Provider, qwen.BaseURL, qwen.TokenField})
	require.NotContains(t, fmt.Sprintf("%+v %#v", s, s.Models), "sk-")
	require.NotContains(t, fmt.Sprintf("%+v", s), "docs")
}

func TestEachModelHasItsOwnConcurrencyOrThatOfAll(t *testing.T) {
	t.Parallel()
	file := strings.Replace(twoModels, "format: diff-fenced", "concurrency: 7", 1)
	s, err := load(file, "TENON_MODEL_CONCURRENCY", "3")
	require.NoError(t, err)
	require.Equal(t, []int{7, 3, 7}, []int{s.Models[0].Concurrency, s.Models[1].Concurrency, s.Model.Concurrency})
	s, err = load(file)
	require.NoError(t, err)
	require.Zero(t, s.Models[1].Concurrency)
}

func TestACommandWithoutGitHubGetsTheDefaultModelAlone(t *testing.T) {
	t.Parallel()
	m, err := config.LoadModel(source(map[string]string{"TENON_CONFIG": "tenon.yml", "OPENAI_KEY": "sk-1"},
		map[string]string{"tenon.yml": twoModels, "/run/secrets/qwen": "sk-2"}))
	require.NoError(t, err)
	require.Equal(t, "gpt-5-mini", m.ID)
	require.Empty(t, m.Fallback)
}

func TestTheDefaultModelIsTheOneThatIsNamed(t *testing.T) {
	t.Parallel()
	names := func(s config.Server) (list []string) {
		for _, m := range s.Models {
			list = append(list, m.Name)
		}
		return list
	}
	s, err := load(twoModels, "TENON_MODEL", "house/qwen")
	require.NoError(t, err)
	require.Equal(t, []string{"house/qwen", "fast"}, names(s))
	require.Equal(t, "house/qwen", s.Model.Name)

	s, err = load(twoModels, "TENON_MODEL", "gpt-6", "TENON_MODEL_API_KEY", "sk-3")
	require.NoError(t, err)
	require.Equal(t, []string{"gpt-6", "fast", "house/qwen"}, names(s))
	require.Equal(t, "gpt-6", s.Model.ID)

	s, err = load("model: fast" + twoModels)
	require.NoError(t, err)
	require.Equal(t, []string{"fast", "house/qwen"}, names(s))

	_, err = load(twoModels, "TENON_MODEL", "fast", "TENON_MODEL_API_KEY", "sk-3")
	require.Equal(t, []config.Problem{{Name: "TENON_MODEL_API_KEY", Text: "is set, but fast is one of the models of " +
		"the server file; its address and key are set there"}}, problems(t, err))

	_, err = load(twoModels, "TENON_MODEL_BASE_URL", "http://x/")
	require.Equal(t, []config.Problem{{Name: "TENON_MODEL_BASE_URL",
		Text: "is set, but TENON_MODEL is not; name the model as its provider does"}}, problems(t, err))
}

func TestAModelOfTheServerFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ line, want string }{
		{"idd: x", `a model has no setting "idd"; the settings are id, provider, `},
		{"id: [x]", "id must be a text or a number"},
		{"id:", "id must be a text or a number"},
		{"id: x\n    id: y", "id is set twice"},
		{"base_url: https://x:s3cret@h/", "base_url has a user name or password"},
		{"base_url: https://h/v1/chat/completions/", "base_url ends with chat/completions, which tenon adds itself"},
		{"api_key_env: s3cret", "api_key_env names a variable that is not set"},
		{"api_key_file: gone", "api_key_file names a file that cannot be used: there is no such file"},
		{"api_key_file: empty", "api_key_file names a file that is empty"},
		{"api_key_file: /run/secrets/qwen\n    api_key_env: OPENAI_KEY", "api_key_env is a second key"},
		{"format: xml", `format "xml" is not a format; use one of v3, anchored, diff, `},
		{"max_tokens: many", "max_tokens must be a number of tokens"},
		{"max_tokens: 0", "max_tokens must be a number of tokens"},
		{"code_tokens: 1999", "code_tokens must be a number of tokens from 2000 to 24000"},
		{"code_tokens: 24001", "code_tokens must be a number of tokens from 2000 to 24000"},
		{"concurrency: 0", "concurrency must be a whole number from 1 to 10000"},
		{"concurrency: 10001", "concurrency must be a whole number from 1 to 10000"},
		{"code_tokens: half", "code_tokens must be a number of tokens from 2000 to 24000"},
		{"token_field: a b", "token_field must be a field of the request"},
		{"headers: [x]", "headers must have names and texts"},
		{"headers: {'a b': s3cret}", "headers must have names and texts"},
		{"headers: {a: \"s3cret\\r\\nX: y\"}", "headers must have names and texts"},
		{"query: {a: {b: c}}", "query must have names and texts"},
		{"price: 5", "price needs at least input and output"},
		{"price: {input: 1}", "price needs at least input and output"},
		{"price: {input: 1, output: -1}", "price must have the prices"},
		{"price: {input: NaN, output: 1}", "price must have the prices"},
		{"price: {inputs: 1, output: 1}", "price must have the prices"},
		{"fallback: nobody", "the model m falls back to nobody, and there is no model of this name"},
	} {
		_, err := load("models:\n  m:\n    provider: ollama\n    " + c.line + "\n")
		ps := problems(t, err)
		require.Len(t, ps, 1, c.line)
		require.Contains(t, ps[0].Text, c.want)
		if !strings.HasPrefix(c.line, "fallback") {
			require.Regexp(t, `^tenon\.yml:[45]$`, ps[0].Name)
		}
		require.NotContains(t, err.Error(), "s3cret")
	}
	for file, want := range map[string]string{
		"models: [a]\n":                            "models must have a name",
		"models: {'a b': {}}\n":                    "letters, digits and",
		"models: {a: x}\n":                         "must have settings below it",
		"models:\n  a:\n":                          "the model a has no key",
		"models: {a: {provider: x}}\nmodels: {}\n": "is set twice",
		"models: {a: {provider: x}, a: {}}\n":      "there is a model a already",
	} {
		_, err := load(file)
		var texts []string
		for _, p := range problems(t, err) {
			texts = append(texts, p.Text)
		}
		require.Contains(t, strings.Join(texts, "\n"), want, file)
	}
	for _, fine := range []string{"models: {a: {base_url: http://h/}}\n", "models: {a: {headers: {api-key: x}}}\n",
		"models: {a: {provider: ollama}}\n"} {
		_, err := load(fine)
		require.NoError(t, err, fine)
	}
}

func TestAModelURLWithPlainHTTPAndAKeyWarns(t *testing.T) {
	t.Parallel()
	key := config.NewSecret("sk-1")
	for name, c := range map[string]struct {
		model config.Model
		sends bool
	}{
		"a key":            {config.Model{BaseURL: "http://10.0.0.7/v1/", APIKey: key}, true},
		"a header":         {config.Model{BaseURL: "http://10.0.0.7/", Headers: map[string]config.Secret{"X": key}}, true},
		"a query":          {config.Model{BaseURL: "http://10.0.0.7/", Query: map[string]config.Secret{"k": key}}, true},
		"no key":           {config.Model{BaseURL: "http://10.0.0.7/v1/"}, false},
		"https":            {config.Model{BaseURL: "https://10.0.0.7/v1/", APIKey: key}, false},
		"a provider's own": {config.Model{APIKey: key}, false},
	} {
		require.Equal(t, c.sends, c.model.SendsKeyInClear(), name)
	}
}
