package config

import (
	"fmt"
	"net/url"
	"strings"
)

// Traces says where traces go, by OpenTelemetry's standard variables. All others of these variables, such as endpoints,
// headers and samplers, are read by its SDK.
// https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
type Traces struct {
	// Exporter is "http/protobuf", "grpc" or "console"; empty means that there are no traces.
	Exporter string
}

// LoadTraces reads where traces go. Unlike the specification, it has none go to an endpoint on this machine if no
// variable asks for traces. The error is as in Load.
func LoadTraces(src Source) (Traces, error) {
	src = src.withDefaults()
	names := []string{"OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"}
	var asked bool
	for _, name := range names {
		asked = asked || src.Getenv(name) != ""
	}
	if !asked || strings.EqualFold(src.Getenv("OTEL_SDK_DISABLED"), "true") {
		return Traces{}, nil
	}
	wrong := func(name, value, want string) error {
		return &Error{[]Problem{{Name: name, Text: fmt.Sprintf("%q is not supported; use %s", clip(value), want)}}}
	}
	switch exporter := src.Getenv("OTEL_TRACES_EXPORTER"); exporter {
	case "none":
		return Traces{}, nil
	case "console":
		return Traces{Exporter: "console"}, nil
	case "", "otlp":
	default:
		return Traces{}, wrong(names[0], exporter, "otlp, console or none")
	}
	for _, name := range names[1:] { // the SDK would send to this machine instead
		u, err := url.Parse(src.Getenv(name))
		if err != nil || src.Getenv(name) != "" && (u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
			return Traces{}, &Error{[]Problem{{Name: name, Text: "it is not a URL like http://otel-collector:4318"}}}
		}
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		switch protocol := src.Getenv(name); protocol {
		case "":
		case "http/protobuf", "grpc":
			return Traces{Exporter: protocol}, nil
		default:
			return Traces{}, wrong(name, protocol, "http/protobuf or grpc")
		}
	}
	return Traces{Exporter: "http/protobuf"}, nil
}
