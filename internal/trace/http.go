package trace

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// deliverySpan is the name of the span of a delivery.
const deliverySpan = "delivery"

// maxName bounds what anybody can send as the id or the event of a delivery, in bytes. GitHub's are shorter.
const maxName = 64

// Deliveries makes a span of each request to the webhook. Its ids are made from the delivery's; a trace that a proxy
// has begun is linked.
func (t *Tracer) Deliveries(webhook http.Handler) http.Handler {
	if t == nil {
		return webhook
	}
	traced := otelhttp.NewHandler(about(webhook), deliverySpan,
		otelhttp.WithTracerProvider(t.provider), otelhttp.WithMeterProvider(noop.NewMeterProvider()),
		otelhttp.WithPropagators(propagation.TraceContext{}),
		otelhttp.WithPublicEndpointFn(func(*http.Request) bool { return true }),
		otelhttp.WithSpanNameFormatter(func(string, *http.Request) string { return deliverySpan }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if id := header(r, "X-GitHub-Delivery"); id != "" {
			r = r.WithContext(withDelivery(r.Context(), id))
		}
		traced.ServeHTTP(w, r)
	})
}

// about adds to the span of a delivery what GitHub says of it.
func about(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trace.SpanFromContext(r.Context()).SetAttributes(
			attribute.String("tenon.delivery", header(r, "X-GitHub-Delivery")),
			attribute.String("github.event", header(r, "X-GitHub-Event")))
		next.ServeHTTP(w, r)
	})
}

// header returns a header of a delivery, empty if GitHub sends no such one.
func header(r *http.Request, name string) string {
	v := r.Header.Get(name)
	strange := strings.IndexFunc(v, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-'
	})
	if len(v) > maxName || strange >= 0 {
		return ""
	}
	return v
}

type urlKey struct{}

// Client returns a transport that makes a span of each request that another sends; service names it. What a URL has
// besides its host may be secret, such as a query with a key: of the path, the span has as much as shown returns; nil
// shows none. Nothing is added to the request.
func (t *Tracer) Client(service string, shown func(path string) string, next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	traced := otelhttp.NewTransport(asGiven{next},
		otelhttp.WithTracerProvider(t.provider), otelhttp.WithMeterProvider(noop.NewMeterProvider()),
		otelhttp.WithPropagators(propagation.NewCompositeTextMapPropagator()),
		otelhttp.WithSpanNameFormatter(func(_ string, r *http.Request) string { return service + " " + r.Method }))
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		visible := &url.URL{Scheme: r.URL.Scheme, Host: r.URL.Host}
		if shown != nil {
			visible.Path = shown(r.URL.Path)
		}
		masked := r.WithContext(context.WithValue(r.Context(), urlKey{}, r.URL))
		masked.URL = visible
		resp, err := traced.RoundTrip(masked)
		if failed, ok := errors.AsType[*failure](err); ok {
			err = failed.err
		}
		return resp, err
	})
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// asGiven sends a request to the URL that it was given with.
type asGiven struct{ next http.RoundTripper }

func (a asGiven) RoundTrip(r *http.Request) (*http.Response, error) {
	given, _ := r.Context().Value(urlKey{}).(*url.URL)
	sent := r.WithContext(r.Context())
	sent.URL = given
	resp, err := a.next.RoundTrip(sent)
	if err != nil {
		return resp, &failure{err}
	}
	resp.Request = sent
	return resp, nil
}

// failure is the error of a request, which may quote what the other side sent. A span tells only its kind.
type failure struct{ err error }

func (f *failure) Error() string { return kindOf(f.err) }
