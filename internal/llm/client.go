package llm

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// Options say which model a Client asks, and at which address.
type Options struct {
	// Model is the provider's name of the model. Name is the one in this server's settings; empty means Model.
	Model, Name string
	// Provider is one of Providers(); empty means OpenAI itself, or with a BaseURL any server that speaks its protocol.
	Provider string
	// BaseURL is the URL without "chat/completions"; empty means the provider's own.
	BaseURL string
	// APIKey may be empty for a server that needs none.
	APIKey string
	// Headers and Query are added to every request; a header named Authorization replaces the key.
	Headers, Query map[string]string
	// MaxTokens bounds the answer; 0 leaves it to the provider. TokenField is the name of the request's field for it;
	// empty means the provider's usual one.
	MaxTokens  int
	TokenField string
	// HTTP sends the requests; nil means a new client, which uses the proxy of the usual environment variables. Redirects
	// are never followed: they would send the key elsewhere.
	HTTP *http.Client
	// Log gets a line for every attempt that is retried; nil discards it.
	Log *slog.Logger
}

// Client is a model that speaks the Chat Completions protocol. Safe for concurrent use.
type Client struct {
	name       string
	model      string
	maxTokens  int
	tokenField string
	usage      bool
	chat       openai.ChatCompletionService
	log        *slog.Logger
}

// New returns a client; it sends nothing. Its error says which option is wrong.
func New(opts Options) (*Client, error) {
	row, ok := providerFor(opts.Provider, opts.BaseURL)
	switch {
	case opts.Model == "":
		return nil, errors.New("making a model client: the model has no name")
	case !ok:
		return nil, fmt.Errorf("making a client for the model %s: there is no provider %q; use one of %s",
			opts.Model, opts.Provider, strings.Join(Providers(), ", "))
	case opts.BaseURL == "" && row.BaseURL == "":
		return nil, fmt.Errorf("making a client for the model %s: provider %s needs a base URL", opts.Model, row.Name)
	case opts.MaxTokens < 0:
		return nil, fmt.Errorf("making a client for the model %s: max tokens is negative", opts.Model)
	}
	base, err := url.Parse(orElse(opts.BaseURL, row.BaseURL))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("making a client for the model %s: its base URL is not a URL", opts.Model)
	}
	return &Client{
		name:       orElse(opts.Name, opts.Model),
		model:      opts.Model,
		maxTokens:  opts.MaxTokens,
		tokenField: orElse(opts.TokenField, row.TokenField),
		usage:      !row.NoStreamOptions,
		// Not openai.NewClient, which reads keys and addresses from the environment.
		chat: openai.NewChatCompletionService(requestOptions(opts, row, base)...),
		log:  orDiscard(opts.Log),
	}, nil
}

// Complete implements port.Model. It makes up to four attempts, as long as no text of the answer was passed to onText.
// The answer's usage is that of all attempts. The error is a *ProviderError, which wraps a *port.UserError, or wraps
// the cause of ctx's end.
func (c *Client) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	var spent port.Usage
	for attempt := 1; ; attempt++ {
		if err := port.Guard(ctx); err != nil {
			return port.Answer{}, fmt.Errorf("asking the model %s: %w", c.name, err)
		}
		answer, failed, err := c.metered(ctx, req, onText)
		if err != nil {
			return port.Answer{}, err
		}
		if failed == nil {
			answer.Usage = sum(spent, answer.Usage)
			return answer, nil
		}
		if ctx.Err() != nil {
			return port.Answer{}, fmt.Errorf("asking the model %s: %w", c.name, context.Cause(ctx))
		}
		spent = sum(spent, failed.usage)
		wait, again := failed.wait(ctx, attempt)
		if !again {
			return port.Answer{}, failed.final(c.name, attempt, spent)
		}
		c.log.WarnContext(ctx, "asking the model again", "model", c.name, "fault", failed.String(),
			"attempt", attempt, "wait", wait.Round(time.Millisecond))
		if err := retry.Sleep(ctx, wait); err != nil {
			return port.Answer{}, fmt.Errorf("waiting to ask the model %s again: %w", c.name, err)
		}
	}
}

// metered is attempt, booked by the call's meter.
func (c *Client) metered(ctx context.Context, req port.Request, onText func(string)) (port.Answer, *fault, error) {
	meter := port.MeterOf(ctx)
	if err := meter.Begin(ctx); err != nil {
		return port.Answer{}, nil, err
	}
	answer, got, failed := c.attempt(ctx, req, onText)
	spent := took(req, got, failed)
	meter.End(ctx, c.name, &spent)
	return answer, failed, nil
}

func sum(a, b port.Usage) port.Usage {
	return port.Usage{In: a.In + b.In, Cached: a.Cached + b.Cached, Out: a.Out + b.Out}
}

// requestOptions returns the options of every request.
func requestOptions(opts Options, row provider, base *url.URL) []option.RequestOption {
	list := []option.RequestOption{
		option.WithHTTPClient(httpClient(opts.HTTP)),
		option.WithBaseURL(base.String()),
		option.WithMaxRetries(0), // Complete retries
	}
	switch {
	case opts.APIKey == "":
	case row.KeyHeader == "":
		list = append(list, option.WithAPIKey(opts.APIKey))
	default:
		list = append(list, option.WithHeader(row.KeyHeader, opts.APIKey))
	}
	for name, value := range opts.Headers {
		list = append(list, option.WithHeader(name, value))
	}
	for name, value := range opts.Query {
		list = append(list, option.WithQuery(name, value))
	}
	return list
}

func httpClient(configured *http.Client) *http.Client {
	client := http.Client{}
	if configured != nil {
		client = *configured
	}
	if client.Transport == nil {
		client.Transport = NewTransport()
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}

// NewTransport returns a transport for Options.HTTP, which uses the proxy of the usual environment variables.
func NewTransport() http.RoundTripper {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// A compressed stream arrives in larger pieces, and a small one may decompress to any size.
	transport.DisableCompression = true
	return transport
}

func orDiscard(log *slog.Logger) *slog.Logger {
	if log != nil {
		return log
	}
	return slog.New(slog.DiscardHandler)
}
