// Package metrics counts what the server does, for Prometheus. It decorates what the server is made of: the webhook,
// the model, the budget, the transports of requests, the log. No label has the name of a repository, a person or a
// branch, and each label has few values whatever others send.
package metrics

import (
	"log/slog"
	"net/http"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/tenon-bot/tenon/bot/port"
)

// Metrics are the metrics of one server. Safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	table    []Row
	rates    rates
	commands []string

	deliveries       *prometheus.CounterVec
	deliverySeconds  prometheus.Histogram
	attempts         *prometheus.CounterVec
	runs             *prometheus.CounterVec
	runSeconds       *prometheus.HistogramVec
	edits            *prometheus.CounterVec
	commits          prometheus.Counter
	steps            *prometheus.HistogramVec
	modelCalls       *prometheus.CounterVec
	modelSeconds     *prometheus.HistogramVec
	modelAttempts    *prometheus.CounterVec
	modelTokens      *prometheus.CounterVec
	modelCost        *prometheus.CounterVec
	reservations     *prometheus.CounterVec
	githubRequests   *prometheus.CounterVec
	githubSeconds    *prometheus.HistogramVec
	githubLimited    prometheus.Counter
	clockAhead       prometheus.Gauge
	gitRequests      *prometheus.CounterVec
	gitSeconds       *prometheus.HistogramVec
	databaseErrors   prometheus.Counter
	logLines         *prometheus.CounterVec
	scrapesDiscarded prometheus.Counter
}

// Row describes a metric.
type Row struct {
	// Name is the metric's, Type "counter", "gauge" or "histogram".
	Name, Type string
	Labels     []string
	// Help is a sentence in Markdown.
	Help string
}

// Upper bounds of histograms, in seconds: of a request to the webhook, of one to GitHub, of what takes a model.
var (
	quick = []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
	slow  = []float64{.05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60}
	long  = []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1200}
)

// New returns metrics in which nothing has happened. version is the program's, and commands are the verbs that there
// are.
func New(version string, commands []string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), commands: commands}
	m.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.build(version)
	m.deliveries = m.counter("tenon_deliveries_total", "Requests to the webhook, by GitHub's event, by the `result` "+
		"(`accepted`: a command was queued; `answered`: a ping, a report of CI and the like; `not_needed`; `refused`: 4xx; "+
		"`failed`: 5xx) and by the HTTP status.", "event", "result", "status")
	for _, status := range []int{http.StatusUnauthorized, http.StatusServiceUnavailable} {
		m.deliveries.WithLabelValues("issue_comment", deliveryResult(status), statusText(status))
	}
	m.deliverySeconds = m.histogram("tenon_delivery_duration_seconds",
		"How long the webhook took to answer. GitHub gives up after 10 seconds.", quick)
	m.attempts = m.counter("tenon_event_attempts_total", "Attempts at handling an event of the queue, by `result`: "+
		"`done`; "+
		"`waits`: for what is not possible now; `cancelled`; `failed`: it is tried again, or becomes a dead letter; "+
		"`stopped`: with the program or the lease.", "result")
	m.ends()
	m.steps = m.histogramVec("tenon_step_duration_seconds", "How long the steps of runs took, by `step` and "+
		"`result`: `ok`, "+
		"`refused`: a person can do something about it, `waits`, `cancelled`, `failed`.", long, "step", "result")
	m.models()
	m.reservations = m.counter("tenon_budget_reservations_total", "Reservations of tokens for calls of models, by "+
		"`result`: "+
		"`granted`, or the budget that was used up: `user-commands`, `repository-commands`, `repository-tokens`, "+
		"`owner-tokens`, `server-tokens`, `command` (the limit of one command), or `error`.", "result")
	m.requests()
	m.databaseErrors = m.plain("tenon_database_errors_total",
		"Errors of the database: it did not answer, was busy, is full or damaged.")
	m.logLines = m.counter("tenon_log_lines_total", "Lines of the log, by level.", "level")
	for _, l := range levels {
		m.logLines.WithLabelValues(l)
	}
	m.scrapesDiscarded = m.plain("tenon_scrape_errors_total",
		"Scrapes for which the queue or the disk could not be read; their figures are missing then.")
	return m
}

func (m *Metrics) build(version string) {
	m.table = append(m.table, Row{"tenon_build_info", "gauge", []string{"version", "go"},
		"Always 1; the labels say which version runs, and which Go built it."})
	info := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "tenon_build_info", Help: "1"}, []string{"version", "go"})
	info.WithLabelValues(version, runtime.Version()).Set(1)
	m.registry.MustRegister(info)
}

func (m *Metrics) models() {
	m.modelCalls = m.counter("tenon_model_calls_total", "Calls of a model, retries included in the call, by the "+
		"`model`'s name in the settings and by `result`: `ok`; `cut`: the answer ended early; or why there was none. "+
		"The provider does not answer: `rate_limited`, `unavailable`, `unreachable`, `stalled`, `timed_out`, `cut_off`, "+
		"`empty_answer`, `no_text`. The settings or the account are wrong: `unauthorized`, `forbidden`, `not_found`, "+
		"`bad_request`, `redirected`, `not_a_model_s_answer`, `out_of_quota`. The request is: `context_length`, "+
		"`content_filter`, `declined`, `out_of_tokens`, `too_large`. Else: `cancelled`, `over_budget`, `other`.",
		"model", "result")
	m.modelSeconds = m.histogramVec("tenon_model_call_duration_seconds", "How long calls of a model took, with retries.",
		long, "model")
	m.modelAttempts = m.counter("tenon_model_attempts_total", "Requests to the providers of models; a call has "+
		"several if "+
		"it is retried.", "model")
	m.modelTokens = m.counter("tenon_model_tokens_total", "Tokens by `kind`: `input` (new), `cached` (input from the "+
		"provider's cache), `output`. Those of attempts that failed are among them, estimated if the provider did not say.",
		"model", "kind")
	m.modelCost = m.counter("tenon_model_cost_dollars_total", "What the tokens cost, in US dollars, by the `price` "+
		"in the "+
		"settings. Models without a price have no such metric.", "model")
}

func (m *Metrics) requests() {
	m.githubRequests = m.counter("tenon_github_requests_total", "Requests to GitHub's API, by `api` (`rest`, `graphql`, "+
		"`storage`: the logs of jobs), method and HTTP status; `error` if there was no response.", "api", "method", "status")
	m.githubSeconds = m.histogramVec("tenon_github_request_duration_seconds",
		"How long GitHub's API took to begin its responses.", slow, "api")
	m.githubLimited = m.plain("tenon_github_limited_total", "Responses by which GitHub asked to wait: rate limits.")
	m.clockAhead = m.settable("tenon_github_clock_ahead_seconds", "How far this machine's clock is ahead of GitHub's, to "+
		"about a second, negative if it is behind; by the last response.")
	m.rates.describe(m)
	m.gitRequests = m.counter("tenon_git_requests_total", "Requests to GitHub's git server, by `service` "+
		"(`upload-pack`: "+
		"reading, `receive-pack`: pushing) and HTTP status; `error` if there was no response.", "service", "status")
	m.gitSeconds = m.histogramVec("tenon_git_request_duration_seconds",
		"How long GitHub's git server took to begin its responses.", slow, "service")
}

// Table returns all metrics that have the prefix tenon_, in the order of their definition. Those of Watch are among
// them only after it was called.
func (m *Metrics) Table() []Row { return m.table }

// Handler serves the metrics in the formats of Prometheus. A metric that cannot be read does not keep the others back.
func (m *Metrics) Handler(log *slog.Logger) http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn), ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: 3, EnableOpenMetrics: true,
	})
}

// Failed counts an error of the database.
func (m *Metrics) Failed(error) { m.databaseErrors.Inc() }

// Handled counts an attempt at handling an event, which ended with err.
func (m *Metrics) Handled(err error) { m.attempts.WithLabelValues(attemptResult(err)).Inc() }

var _ port.Observer = (*Metrics)(nil)

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	m.table = append(m.table, Row{name, "counter", labels, help})
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *Metrics) plain(name, help string) prometheus.Counter {
	return m.counter(name, help).WithLabelValues()
}

func (m *Metrics) histogram(name, help string, buckets []float64) prometheus.Histogram {
	return m.histogramVec(name, help, buckets).WithLabelValues().(prometheus.Histogram)
}

func (m *Metrics) histogramVec(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	m.table = append(m.table, Row{name, "histogram", labels, help})
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.registry.MustRegister(h)
	return h
}

func (m *Metrics) settable(name, help string) prometheus.Gauge {
	m.table = append(m.table, Row{name, "gauge", nil, help})
	g := prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	m.registry.MustRegister(g)
	return g
}

// gauge describes a gauge that is read at each scrape.
func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.Desc {
	m.table = append(m.table, Row{name, "gauge", labels, help})
	return prometheus.NewDesc(name, help, labels, nil)
}
