package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestTheQueriesOfTheRepositoryAreRight(t *testing.T) {
	t.Parallel()
	n, err := check(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	if n < 50 {
		t.Fatalf("only %d queries were found", n)
	}
}

func TestAWrongQueryIsFound(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/observability.md")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		`sum(rate(tenon_runs_total[5m])`:                                       "parse error",
		`tenon_run_total`:                                                      "there is no metric tenon_run_total",
		`tenon_runs_total_count`:                                               "there is no metric",
		`rate(tenon_step_duration_seconds[5m])`:                                "is a histogram",
		`tenon_runs_total{verb="fix"}`:                                         "has no label verb",
		`tenon_runs_total{outcome="commited"}`:                                 `names no outcome "commited"`,
		`tenon_runs_total{outcome=~"committed|commited"}`:                      `names no outcome "commited"`,
		`sum by (person) (tenon_runs_total)`:                                   "has the label person",
		`histogram_quantile(0.9, rate(tenon_step_duration_second_bucket[5m]))`: "there is no metric",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for _, file := range []string{"deploy/prometheus/alerts.yaml", "deploy/grafana/tenon.json"} {
				repository := fstest.MapFS{
					"docs/observability.md":         {Data: page},
					"deploy/prometheus/alerts.yaml": {Data: []byte(`{groups: [{rules: [{alert: A, expr: up == 0}]}]}`)},
					"deploy/grafana/tenon.json":     {Data: []byte(`{"panels": [{"title": "A", "targets": [{"expr": "up"}]}]}`)},
				}
				quoted := strings.ReplaceAll(text, `"`, `\"`)
				old := string(repository[file].Data)
				repository[file].Data = []byte(strings.NewReplacer(`"expr": "up"`, `"expr": "`+quoted+`"`,
					"expr: up == 0", `expr: "`+quoted+`"`).Replace(old))
				if _, err := check(repository); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", file, err, want)
				}
			}
		})
	}
}
