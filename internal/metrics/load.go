package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/tenon-bot/tenon/bot/port"
)

// watchLoad reads at each scrape how busy this process is.
func (m *Metrics) watchLoad(read func() port.Load) {
	m.registry.MustRegister(&load{read: read,
		runs: m.gauge("tenon_runs_in_progress", "Runs in progress in this process, by `state`: `working`: with a processor; "+
			"`ready`: they wait for one; `waiting`: for a model or their turn to ask it, for GitHub, the database or room in "+
			"memory.", "state"),
		limit: m.gauge("tenon_runs_limit", "The setting `runs`: how many may be in progress."),
		calls: m.gauge("tenon_model_calls_in_progress", "Calls of a model that are under way in this process.", "model"),
		waiting: m.gauge("tenon_model_calls_waiting", "Calls of a model that wait for their turn in this process, as the "+
			"model has as many as it may have.", "model"),
		callsLimit: m.gauge("tenon_model_calls_limit", "How many calls of a model may be under way; absent if any number "+
			"may.", "model"),
	})
}

// load is the collector of how busy the process is.
type load struct {
	read                                    func() port.Load
	runs, limit, calls, waiting, callsLimit *prometheus.Desc
}

// Describe implements prometheus.Collector.
func (l *load) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{l.runs, l.limit, l.calls, l.waiting, l.callsLimit} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (l *load) Collect(ch chan<- prometheus.Metric) {
	set := func(d *prometheus.Desc, v int, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	now := l.read()
	set(l.runs, now.Working, "working")
	set(l.runs, now.Ready, "ready")
	set(l.runs, max(0, now.Runs-now.Working-now.Ready), "waiting")
	set(l.limit, now.MostRuns)
	for _, m := range now.Models {
		set(l.calls, m.Calls, m.Name)
		set(l.waiting, m.Waiting, m.Name)
		if m.MostCalls > 0 {
			set(l.callsLimit, m.MostCalls, m.Name)
		}
	}
}
