package llm

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// provider is how a provider differs from OpenAI, whose protocol it speaks.
type provider struct {
	// Name is its name in the settings.
	Name string
	// BaseURL is the provider's address; empty if each user has one of their own.
	BaseURL string
	// TokenField is the request's field that bounds the answer.
	TokenField string
	// KeyHeader is the header with the key; empty means "Authorization: Bearer".
	KeyHeader string
	// NoStreamOptions omits the request for usage figures, which the provider refuses.
	NoStreamOptions bool
}

// The defaults of the settings: with a base URL, and without.
const (
	compatible = "openai-compatible"
	openAI     = "openai"
)

// providers lists every provider that needs a row. A server that is not here is openai-compatible.
var providers = []provider{
	{Name: compatible, TokenField: "max_tokens"},
	{Name: openAI, BaseURL: "https://api.openai.com/v1/", TokenField: "max_completion_tokens"},
	{Name: "azure", TokenField: "max_completion_tokens", KeyHeader: "api-key"},
	{Name: "anthropic", BaseURL: "https://api.anthropic.com/v1/", TokenField: "max_tokens"},
	{Name: "gemini", BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai/", TokenField: "max_tokens"},
	// Mistral answers 422 to stream_options and reports usage without being asked.
	{Name: "mistral", BaseURL: "https://api.mistral.ai/v1/", TokenField: "max_tokens", NoStreamOptions: true},
	{Name: "openrouter", BaseURL: "https://openrouter.ai/api/v1/", TokenField: "max_tokens"},
	{Name: "ollama", BaseURL: "http://127.0.0.1:11434/v1/", TokenField: "max_tokens"},
	{Name: "vllm", TokenField: "max_tokens"},
	{Name: "llama.cpp", BaseURL: "http://127.0.0.1:8080/v1/", TokenField: "max_tokens"},
}

// Providers returns the names that Options.Provider may have, in the order of the table.
func Providers() []string {
	var names []string
	for _, row := range providers {
		names = append(names, row.Name)
	}
	return names
}

// localCalls is how many requests a local model is asked at a time: it mostly answers few.
const localCalls = 2

// localDomains are valid in a private network only: by RFC 6761, 6762 and 8375, by ICANN's reservation of "internal",
// and by the resolvers of Kubernetes.
var localDomains = []string{".localhost", ".local", ".home.arpa", ".internal", ".svc"}

// Concurrency returns how many calls of a model should be under way at most if nobody says so, 0 for any number.
func Concurrency(provider, baseURL string) int {
	if isLocal(provider, baseURL) {
		return localCalls
	}
	return 0
}

// isLocal reports whether a model is on this machine or in a private network, as far as its address tells: that is the
// base URL, or the provider's own if it is empty.
func isLocal(provider, baseURL string) bool {
	row, _ := providerFor(provider, baseURL)
	u, err := url.Parse(orElse(baseURL, row.BaseURL))
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	_, domain, _ := strings.Cut(host, ".")
	return host != "" && domain == "" || slices.ContainsFunc(localDomains, func(end string) bool {
		return strings.HasSuffix(host, end)
	})
}

// providerFor returns the row of a name. Without a name, it is the compatible one, or OpenAI if there is no base URL.
func providerFor(name, baseURL string) (provider, bool) {
	if name == "" {
		name = compatible
		if baseURL == "" {
			name = openAI
		}
	}
	i := slices.IndexFunc(providers, func(row provider) bool { return row.Name == name })
	if i < 0 {
		return provider{}, false
	}
	return providers[i], true
}

func orElse(text, otherwise string) string {
	if text != "" {
		return text
	}
	return otherwise
}
