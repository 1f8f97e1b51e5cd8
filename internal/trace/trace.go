// Package trace tells OpenTelemetry what the server does: a trace begins with GitHub's delivery, and has the attempts
// at handling it, the steps of its run, and the requests that these send. No span has a text that people, models or
// programs wrote.
package trace

import (
	"context"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// The exporters, as config.Telemetry names them. Their own settings are the standard variables OTEL_EXPORTER_OTLP_*,
// which they read themselves.
const (
	HTTP    = "http/protobuf"
	GRPC    = "grpc"
	Console = "console"
)

// Options configure a Tracer.
type Options struct {
	// Exporter is where spans go; empty means that there are none.
	Exporter string
	// Version is the program's.
	Version string
	// Log gets the errors of the exporter.
	Log *slog.Logger
}

// Tracer makes spans. A nil *Tracer makes none: what it decorates is returned as it is. Safe for concurrent use.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// New returns a tracer, nil without an exporter. It sends nothing. The sampler, the limits and the batches of spans are
// those of the standard variables OTEL_TRACES_SAMPLER, OTEL_SPAN_* and OTEL_BSP_*.
func New(ctx context.Context, opts Options) (*Tracer, error) {
	if opts.Exporter == "" {
		return nil, nil
	}
	exporter, err := newExporter(ctx, opts.Exporter)
	if err != nil {
		return nil, fmt.Errorf("preparing traces: %w", err)
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "tenon"), attribute.String("service.version", opts.Version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("preparing traces: %w", err)
	}
	// The exporter has no other way to tell: nothing else in this program uses it.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		opts.Log.WarnContext(ctx, "traces could not be sent", "error", err)
	}))
	return newTracer(sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about),
		sdk.WithIDGenerator(ids{}))), nil
}

func newTracer(p *sdk.TracerProvider) *Tracer {
	return &Tracer{provider: p, tracer: p.Tracer("github.com/tenon-bot/tenon")}
}

func newExporter(ctx context.Context, name string) (sdk.SpanExporter, error) {
	switch name {
	case HTTP:
		return otlptracehttp.New(ctx)
	case GRPC:
		return otlptracegrpc.New(ctx)
	case Console:
		return stdouttrace.New()
	}
	return nil, fmt.Errorf("there is no exporter %q", name)
}

// Close sends what is left, until ctx ends.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}
