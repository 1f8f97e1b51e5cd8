package trace

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/tenon-bot/tenon/bot/port"
)

// traced returns a tracer of a process whose spans are kept.
func traced(options ...sdk.TracerProviderOption) (*Tracer, *tracetest.InMemoryExporter) {
	spans := tracetest.NewInMemoryExporter()
	options = append(options, sdk.WithSyncer(spans), sdk.WithIDGenerator(ids{}))
	return newTracer(sdk.NewTracerProvider(options...)), spans
}

const guid = "72d3162e-cc78-11e3-81ab-4c9367dc0958"

func deliver(t *Tracer, id string, header ...string) {
	r := httptest.NewRequest(http.MethodPost, "/webhook?token=hush", strings.NewReader(`{"comment": "hush"}`))
	r.Header.Set("X-GitHub-Delivery", id)
	r.Header.Set("X-GitHub-Event", "issue_comment")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	webhook := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) })
	t.Deliveries(webhook).ServeHTTP(httptest.NewRecorder(), r)
}

func event(delivery string) port.Event {
	return port.Event{Delivery: delivery, Kind: port.IssueComment, Attempt: 1, Thread: port.Thread{Number: 7},
		Repo: port.RepoRef{Owner: "acme", Name: "lathe"}, Comment: port.Comment{Body: "hush"}}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// named returns the spans of a name.
func named(spans *tracetest.InMemoryExporter, name string) (out []tracetest.SpanStub) {
	for _, s := range spans.GetSpans() {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

func TestARunIsInTheTraceOfItsDeliveryWhicheverProcessHandlesIt(t *testing.T) {
	t.Parallel()
	webhook, accepted := traced()
	worker, handled := traced()
	deliver(webhook, guid)
	for range 2 {
		ctx, end := worker.Handle(t.Context(), "handle", event(guid))
		inStep, done := worker.Step(ctx, "ask")
		model := worker.Model("strong", modelFunc(func(ctx context.Context) (port.Answer, error) {
			rt := worker.Client("model", nil, roundTripper(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
			}))
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://models.example/v1/chat", nil)
			require.NoError(t, err)
			resp, err := rt.RoundTrip(req)
			require.NoError(t, err)
			return port.Answer{Usage: port.Usage{In: 3, Out: 4}}, resp.Body.Close()
		}))
		_, err := model.Complete(inStep, port.Request{}, nil)
		require.NoError(t, err)
		done(nil)
		end(nil)
	}
	delivery := named(accepted, "delivery")
	require.Len(t, delivery, 1)
	for _, name := range []string{"handle", "step ask", "model strong", "model POST"} {
		require.Len(t, named(handled, name), 2, "one for each attempt")
		for _, s := range named(handled, name) {
			require.Equal(t, delivery[0].SpanContext.TraceID(), s.SpanContext.TraceID(), name)
		}
	}
	require.Len(t, handled.GetSpans(), 8, "no other is sent")
	attempt := named(handled, "handle")[0]
	require.Equal(t, delivery[0].SpanContext.SpanID(), attempt.Parent.SpanID())
	require.Equal(t, attempt.SpanContext.SpanID(), named(handled, "step ask")[0].Parent.SpanID())
	require.Equal(t, named(handled, "step ask")[0].SpanContext.SpanID(), named(handled, "model strong")[0].Parent.SpanID())
	require.NotEqual(t, attempt.SpanContext.SpanID(), named(handled, "handle")[1].SpanContext.SpanID())
	require.Contains(t, fmt.Sprint(attempt.Attributes), port.RunID(guid))
}

type modelFunc func(context.Context) (port.Answer, error)

func (f modelFunc) Complete(ctx context.Context, _ port.Request, _ func(string)) (port.Answer, error) {
	return f(ctx)
}

func TestWhatGitHubDidNotDeliverHasATraceOfItsOwn(t *testing.T) {
	t.Parallel()
	worker, handled := traced()
	ev := event("follow-jriuhdvv5mxf")
	ev.Kind, ev.Followed = port.Following, &port.Followed{First: "jriuhdvv5mxf"}
	for range 2 {
		_, end := worker.Handle(t.Context(), "handle", ev)
		end(nil)
	}
	all := named(handled, "handle")
	require.False(t, all[0].Parent.IsValid())
	require.NotEqual(t, all[0].SpanContext.TraceID(), all[1].SpanContext.TraceID())
	require.Contains(t, fmt.Sprint(all[0].Attributes), `{"tenon.first_run":"jriuhdvv5mxf"}`)
}

func TestTheSamplerDecidesOnceForADelivery(t *testing.T) {
	t.Parallel()
	for _, sampler := range []sdk.Sampler{sdk.TraceIDRatioBased(.5), sdk.ParentBased(sdk.TraceIDRatioBased(.5))} {
		webhook, accepted := traced(sdk.WithSampler(sampler))
		worker, handled := traced(sdk.WithSampler(sampler))
		for i := range 100 {
			accepted.Reset()
			handled.Reset()
			id := fmt.Sprint(guid, i)
			deliver(webhook, id)
			_, end := worker.Handle(t.Context(), "handle", event(id))
			end(nil)
			require.Len(t, handled.GetSpans(), len(accepted.GetSpans()), id)
		}
	}
}

func TestATraceThatAProxyHasBegunIsLinkedAndNotJoined(t *testing.T) {
	t.Parallel()
	webhook, accepted := traced()
	const theirs = "4bf92f3577b34da6a3ce929d0e0e4736"
	deliver(webhook, guid, "traceparent", "00-"+theirs+"-00f067aa0ba902b7-01")
	deliver(webhook, guid)
	all := named(accepted, "delivery")
	require.Len(t, all, 2)
	require.Equal(t, all[1].SpanContext.TraceID(), all[0].SpanContext.TraceID(), "whoever sends it decides nothing")
	require.Len(t, all[0].Links, 1)
	require.Equal(t, theirs, all[0].Links[0].SpanContext.TraceID().String())
}

func TestWhatAnybodyCanSendIsNoAttribute(t *testing.T) {
	t.Parallel()
	webhook, accepted := traced()
	for _, id := range []string{"hush\n", "<b>hush", strings.Repeat("hush", 100)} {
		deliver(webhook, id, "X-GitHub-Event", id)
	}
	all := accepted.GetSpans()
	require.Len(t, all, 3)
	require.NotEqual(t, all[0].SpanContext.TraceID(), all[1].SpanContext.TraceID())
	require.NotContains(t, fmt.Sprint(all), "hush")
}

func TestSpansTellNoSecretAndNoText(t *testing.T) {
	t.Parallel()
	tracer, spans := traced()
	deliver(tracer, guid, "X-Hub-Signature-256", "sha256=hush", "Cookie", "hush")
	ctx, end := tracer.Handle(t.Context(), "handle", event(guid))
	end(&port.UserError{Text: "hush"})
	_, done := tracer.Step(ctx, "ask")
	done(fmt.Errorf("reading: %w", &port.WaitError{For: port.GitHubLimit, Err: errors.New("hush")}))
	model := tracer.Model("strong", modelFunc(func(context.Context) (port.Answer, error) {
		return port.Answer{Text: "hush", Model: "hush"}, errors.New("the provider says hush")
	}))
	_, err := model.Complete(ctx, port.Request{System: "hush", Messages: []port.Message{{Text: "hush"}}}, nil)
	require.Error(t, err)

	var sent *http.Request
	answer := func(r *http.Request) (*http.Response, error) {
		sent = r
		return nil, errors.New("malformed response: hush")
	}
	whole := func(path string) string { return path }
	for service, shown := range map[string]func(string) string{"github": whole, "model": nil} {
		path := map[string]string{"github": "/repos/acme/lathe", "model": "/hush/chat"}[service]
		address := "https://maria:hush@example.com" + path + "?key=hush"
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader("hush"))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer hush")
		_, err = tracer.Client(service, shown, roundTripper(answer)).RoundTrip(req) //nolint:bodyclose // there is none
		require.EqualError(t, err, "malformed response: hush", "who sent it gets the error as it is")
		require.Equal(t, address, sent.URL.String(), "it is sent as it was given")
		require.Len(t, sent.Header, 1, "nothing is added")
	}
	all := fmt.Sprint(spans.GetSpans())
	require.NotContains(t, all, "hush")
	for _, told := range []string{"/repos/acme/lathe", "refused", "waits: GitHub's rate limit is reached", "acme/lathe"} {
		require.Contains(t, all, told)
	}
}

// Not parallel: allocations are counted of the whole process.
func TestWithoutATracerNothingIsDecoratedAndNothingIsAllocated(t *testing.T) {
	tracer, err := New(t.Context(), Options{})
	require.NoError(t, err)
	require.Nil(t, tracer)
	next := roundTripper(nil)
	require.IsType(t, next, tracer.Client("github", nil, next))
	require.IsType(t, modelFunc(nil), tracer.Model("strong", modelFunc(nil)))
	require.IsType(t, http.NotFoundHandler(), tracer.Deliveries(http.NotFoundHandler()))
	require.NoError(t, tracer.Close(t.Context()))
	ctx, ev := t.Context(), event(guid)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		ctx, end := tracer.Handle(ctx, "handle", ev)
		_, done := tracer.Step(ctx, "ask")
		done(nil)
		end(nil)
	}))
}

func BenchmarkStep(b *testing.B) {
	on, _ := traced()
	for name, tracer := range map[string]*Tracer{"off": nil, "on": on} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, done := tracer.Step(b.Context(), "ask")
				done(nil)
			}
		})
	}
}

func TestAnObservedWebhookCanStillLimitHowSlowlyItIsSent(t *testing.T) {
	t.Parallel()
	observer, _ := traced()
	limited := make(chan error, 1)
	server := httptest.NewServer(observer.Deliveries(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		limited <- http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Hour))
	})))
	t.Cleanup(server.Close)
	resp, err := http.Get(server.URL)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, <-limited)
}
