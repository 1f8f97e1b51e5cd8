package config

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/policy"
)

// Model is a language model and how it is reached.
type Model struct {
	// Name is what people here call the model, and ID what its provider calls it.
	Name, ID string
	// Provider is the name of a provider; empty means OpenAI itself, or with a BaseURL any server that speaks its
	// protocol.
	Provider string
	// BaseURL ends in a slash; empty means the provider's own.
	BaseURL string
	// APIKey may be unset for a server of one's own.
	APIKey Secret
	// Headers and Query go with every request. Some providers want keys there.
	Headers, Query map[string]Secret
	// Format is the edit format that the model is asked for, or "auto"; empty means the default for models of its name.
	Format string
	// ContextTokens bounds what goes in and comes out of one call, MaxTokens what comes out, and CodeTokens how much of
	// what goes in is code; 0 means no bound of its own.
	ContextTokens, MaxTokens, CodeTokens int
	// TokenField is the request's field for MaxTokens; empty means the provider's usual one.
	TokenField string
	// Price is what the tokens cost; zero when it is not known.
	Price Price
	// Repositories are where people may use it: "owner/name" or "owner/*", in lower case; empty means everywhere.
	Repositories []string
	// Concurrency is how many calls of it are under way at most; 0 means that nothing was said about it.
	Concurrency int
	// Fallback names the model that is asked when this one's provider fails; empty means none.
	Fallback string
}

// SendsKeyInClear reports whether a key is sent to the model over connections that are not encrypted. Headers and a
// query of its own count as keys.
func (m Model) SendsKeyInClear() bool {
	return strings.HasPrefix(m.BaseURL, "http://") && (m.APIKey.IsSet() || len(m.Headers)+len(m.Query) > 0)
}

// Price is the price of a million tokens, in US dollars: of new input, of input from the provider's cache, and of
// output.
type Price struct{ Input, Cached, Output float64 }

// formats are the edit formats that a model can be asked for, and what chooses among them.
var formats = []string{"v3", "anchored", "diff", "diff-fenced", "editor-diff", "editor-diff-fenced", "section", "udiff",
	"patch", "whole", "auto"}

// text makes a row of a function that wants a text.
func text(set func(r *reader, m *Model, v string) error) func(*reader, *Model, *yaml.Node) error {
	return func(r *reader, m *Model, node *yaml.Node) error {
		v, ok := scalar(node, false)
		if v = strings.TrimSpace(v); !ok || v == "" {
			return errors.New("must be a text or a number")
		}
		return set(r, m, v)
	}
}

// setKey takes a model's API key from wherever it was found.
func setKey(m *Model, key string) error {
	if m.APIKey.IsSet() {
		return errors.New("is a second key; keep one of api_key_env and api_key_file")
	}
	key = strings.TrimSpace(key)
	if key == "" {
		return errors.New("is blank; set the key of the model's provider, or leave it out")
	}
	if strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("has a space, a line break or another character that no key has; copy it again")
	}
	if quoted(key) {
		return errors.New(whyQuoted)
	}
	m.APIKey = NewSecret(key)
	return nil
}

func keyFromEnvironment(r *reader, m *Model, name string) error {
	key := r.src.Getenv(name)
	if key == "" {
		// Not the name: whoever writes the key itself here must not find it in the log.
		return errors.New("names a variable that is not set; set it, or leave the line out for a server that needs no key")
	}
	return setKey(m, key)
}

func keyFromFile(r *reader, m *Model, path string) error {
	data, err := r.src.ReadFile(path)
	if err != nil {
		return errors.New("names a file that cannot be used: " + unreadable(err))
	}
	r.warnOfReaders("the model "+m.Name, path)
	if strings.TrimSpace(string(data)) == "" {
		return errors.New("names a file that is empty; put the key into it")
	}
	return setKey(m, string(data))
}

func setFormat(_ *reader, m *Model, v string) error {
	if !slices.Contains(formats, v) {
		return fmt.Errorf("%q is not a format; use one of %s", v, strings.Join(formats, ", "))
	}
	m.Format = v
	return nil
}

// maxTokens is far beyond what any model reads.
const maxTokens = 1_000_000_000

func setTokens(to *int, v string) error {
	n, err := parseNumber(v, 1, maxTokens)
	if err != nil {
		return errors.New("must be a number of tokens, like 200000")
	}
	*to = int(n)
	return nil
}

func setCodeTokens(_ *reader, m *Model, v string) error {
	err := setTokens(&m.CodeTokens, v)
	if err != nil || m.CodeTokens < policy.MinCodeTokens || m.CodeTokens > policy.MaxCodeTokens {
		return fmt.Errorf("must be a number of tokens from %d to %d", policy.MinCodeTokens, policy.MaxCodeTokens)
	}
	return nil
}

func setConcurrency(_ *reader, m *Model, v string) error {
	n, err := parseNumber(v, 1, maxRuns)
	if err != nil {
		return fmt.Errorf("must be a whole number from 1 to %d", maxRuns)
	}
	m.Concurrency = int(n)
	return nil
}

var field = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

func setTokenField(_ *reader, m *Model, v string) error {
	if !field.MatchString(v) {
		return errors.New("must be a field of the request, like max_completion_tokens")
	}
	m.TokenField = v
	return nil
}

func setPrice(_ *reader, m *Model, node *yaml.Node) error {
	to := map[string]*float64{"input": &m.Price.Input, "cached": &m.Price.Cached, "output": &m.Price.Output}
	seen := map[string]bool{}
	for key, value := range policy.Pairs(node) {
		v, _ := scalar(value, false)
		n, err := strconv.ParseFloat(v, 64)
		if to[key.Value] == nil || err != nil || !(n >= 0) || math.IsInf(n, 0) {
			return errors.New("must have the prices of a million tokens in US dollars, like {input: 2.5, cached: 0.25, " +
				"output: 10}")
		}
		*to[key.Value], seen[key.Value] = n, true
	}
	if !seen["input"] || !seen["output"] {
		return errors.New("needs at least input and output, in US dollars for a million tokens")
	}
	if !seen["cached"] {
		m.Price.Cached = m.Price.Input
	}
	return nil
}

// repository is GitHub's rule for the full name of a repository, or of all of an owner.
var repository = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}/([A-Za-z0-9._-]{1,100}|\*)$`)

func setRepositories(_ *reader, m *Model, node *yaml.Node) error {
	v, ok := scalar(node, true)
	for name := range strings.SplitSeq(v, ",") {
		name = strings.TrimSpace(name)
		if !ok || !repository.MatchString(name) {
			return errors.New("must be a list of repositories, like [acme/lathe, acme-labs/*]; leave it out to allow all")
		}
		m.Repositories = append(m.Repositories, strings.ToLower(name))
	}
	return nil
}

// name is what headers and queries of providers are called.
var name = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$`)

// secrets reads a mapping of texts. What a header or a query contains may be a key.
func secrets(node *yaml.Node) (map[string]Secret, error) {
	found := map[string]Secret{}
	for key, value := range policy.Pairs(node) {
		v, ok := scalar(value, false)
		if !ok || v == "" || !name.MatchString(key.Value) || strings.ContainsFunc(v, unicode.IsControl) {
			return nil, errors.New("must have names and texts, like {X-Team: docs}")
		}
		found[key.Value] = NewSecret(v)
	}
	if len(found) == 0 {
		return nil, errors.New("must have names and texts, like {X-Team: docs}")
	}
	return found, nil
}
