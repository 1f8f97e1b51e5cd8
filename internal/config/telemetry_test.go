package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTracesGoWhereTheStandardVariablesSay(t *testing.T) {
	t.Parallel()
	const overHTTP = "http/protobuf"
	for name, c := range map[string]struct {
		env      map[string]string
		exporter string
		problem  string
	}{
		"nothing asks for them":      {nil, "", ""},
		"a name of the service only": {map[string]string{"OTEL_SERVICE_NAME": "tenon"}, "", ""},
		"an endpoint":                {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4318"}, overHTTP, ""},
		"an endpoint for traces": {map[string]string{
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel/v1"}, overHTTP, ""},
		"the default endpoint": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp"}, overHTTP, ""},
		"the console":          {map[string]string{"OTEL_TRACES_EXPORTER": "console"}, "console", ""},
		"none": {map[string]string{"OTEL_TRACES_EXPORTER": "none",
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4318"}, "", ""},
		"the SDK is off": {map[string]string{"OTEL_SDK_DISABLED": "TRUE",
			"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4318"}, "", ""},
		"gRPC": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4317",
			"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "grpc", ""},
		"the protocol of traces goes first": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp",
			"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}, overHTTP, ""},
		"an endpoint without a scheme": {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "otel:4318"}, "",
			"OTEL_EXPORTER_OTLP_ENDPOINT: it is not a URL like http://otel-collector:4318"},
		"an endpoint that is no URL": {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a b:x"}, "",
			"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: it is not a URL"},
		"another exporter": {map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, "",
			`OTEL_TRACES_EXPORTER: "zipkin" is not supported; use otlp, console or none`},
		"another protocol": {map[string]string{"OTEL_TRACES_EXPORTER": "otlp",
			"OTEL_EXPORTER_OTLP_PROTOCOL": "http/json"}, "",
			`OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" is not supported; use http/protobuf or grpc`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := LoadTraces(Source{Getenv: func(key string) string { return c.env[key] }})
			require.Equal(t, c.exporter, got.Exporter)
			if c.problem == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.problem)
		})
	}
}
