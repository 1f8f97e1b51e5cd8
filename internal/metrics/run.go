package metrics

import (
	"context"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

func (m *Metrics) ends() {
	m.runs = m.counter("tenon_runs_total", "Runs that ended, by `command`, by `outcome` (`committed`; `unchanged`: "+
		"no edit "+
		"was committed; `previewed`; `answered`: the command makes no edits; `refused`; `cancelled`; `failed`: a dead "+
		"letter; "+
		"`dropped`: the App was uninstalled) and, of those that were refused or failed, by `reason` (`permission`, "+
		"`owner`, "+
		"`app`, `replies`, `settings`, `budget`, `model`, `usage`, `state`, `stopped`, `wait`, `error`).",
		"command", "outcome", "reason")
	m.runSeconds = m.histogramVec("tenon_run_duration_seconds", "How long runs took from their start to their end, "+
		"including all that they waited for, by `outcome`: `committed`, `answered` and so on.",
		append(slices.Clone(long), 3600, 4*3600, 24*3600), "outcome")
	for _, outcome := range port.EndOutcomes() {
		m.runSeconds.WithLabelValues(string(outcome))
	}
	for _, command := range m.commands {
		for _, reason := range []port.EndReason{port.ReasonWait, port.ReasonError} {
			m.runs.WithLabelValues(command, string(port.EndFailed), string(reason))
		}
	}
	m.edits = m.counter("tenon_edits_total", "Edits of runs that ended, by `outcome` (`applied`, `failed`, "+
		"`skipped`), by the "+
		"`reason` why they were not applied, and by the `level` at which an applied edit matched, such as `exact`.",
		"outcome", "reason", "level")
	m.commits = m.plain("tenon_commits_total", "Commits that runs made on branches of people, without those for tests.")
}

// Ended counts what a run came to.
func (m *Metrics) Ended(e port.Ended) {
	m.runs.WithLabelValues(oneOf(m.commands, e.Command), string(e.Outcome), string(e.Reason)).Inc()
	if !e.Started.IsZero() {
		m.runSeconds.WithLabelValues(string(e.Outcome)).Observe(e.Took().Seconds())
	}
	for _, n := range e.Edits {
		m.edits.WithLabelValues(n.Outcome, n.Reason, n.Level).Add(float64(n.Count))
	}
	for _, c := range e.Commits {
		if !c.Test {
			m.commits.Inc()
		}
	}
}

// Step implements port.Observer: it measures a step of a run.
func (m *Metrics) Step(ctx context.Context, name string) (context.Context, func(error)) {
	begun := time.Now()
	return ctx, func(err error) {
		m.steps.WithLabelValues(name, stepResult(err)).Observe(time.Since(begun).Seconds())
	}
}
