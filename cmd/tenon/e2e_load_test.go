package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The settings bound what is in progress; metrics and the answer to status show it. Of so few, none is kept for another
// installation.
func TestNoMoreCommandsAndCallsAreInProgressThanTheSettingsSay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env                    []string
		runs, limit            int
		calls, waiting, atOnce int
	}{
		"a local model":    {[]string{"TENON_RUNS=3"}, 3, 2, 2, 1, 2},
		"one at a time":    {[]string{"TENON_RUNS=2", "TENON_MODEL_CONCURRENCY=1"}, 2, 1, 1, 1, 1},
		"more than enough": {[]string{"TENON_RUNS=3", "TENON_MODEL_CONCURRENCY=9"}, 3, 9, 3, 0, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "It was meant to.\n")
			s.env = append(c.env, "TENON_ADMIN_LISTEN=127.0.0.1:0")
			release := s.hold()
			s.start()
			admin := s.adminURL()
			for range 5 {
				s.issue("Greet later.", "/tenon ask why is that?")
			}
			metric := func(sample string) {
				s.until(sample, func() bool {
					_, text := read(t, admin+"/metrics")
					return strings.Contains(text, "\n"+sample+"\n")
				})
			}
			for _, sample := range []string{
				fmt.Sprintf(`tenon_runs_limit %d`, c.runs),
				fmt.Sprintf(`tenon_runs_in_progress{state="waiting"} %d`, c.runs),
				`tenon_runs_in_progress{state="working"} 0`,
				fmt.Sprintf(`tenon_model_calls_limit{model="model-1"} %d`, c.limit),
				fmt.Sprintf(`tenon_model_calls_in_progress{model="model-1"} %d`, c.calls),
				fmt.Sprintf(`tenon_model_calls_waiting{model="model-1"} %d`, c.waiting),
				fmt.Sprintf(`tenon_queue_events{state="ready"} %d`, 5-c.runs),
			} {
				metric(sample)
			}
			s.questioned(c.atOnce)
			require.Len(t, s.model.questions(), c.atOnce)
			s.comment("maria", "/tenon status")
			busy := s.said(fmt.Sprintf("Server: %d of %d commands in progress", c.runs, c.runs))
			line := fmt.Sprintf("- %d waiting for `model-1`, which answers %d at a time", c.waiting, c.limit)
			require.Equal(t, c.waiting > 0, strings.Contains(busy, line), busy)
			release()
			s.questioned(5)
		})
	}
}
