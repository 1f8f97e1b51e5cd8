package metrics

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whether the queries are right is checked by Prometheus' own parser (.ci/promql), whether alerts fire by its promtool.
const (
	alerts     = "../../deploy/prometheus/alerts.yaml"
	alertTests = "../../deploy/prometheus/alerts_test.yaml"
	dashboard  = "../../deploy/grafana/tenon.json"
)

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(text)
}

func TestEveryMetricThatIsNamedExists(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	watchFigures(Figures{}, nil)(t, m)
	names := map[string]bool{}
	for _, row := range m.Table() {
		names[row.Name] = true
		if row.Type == "histogram" {
			names[row.Name+"_bucket"], names[row.Name+"_sum"], names[row.Name+"_count"] = true, true, true
		}
	}
	for _, file := range []string{alerts, alertTests, dashboard, page} {
		named := regexp.MustCompile(`\btenon_[a-z_]+[a-z]\b`).FindAllString(read(t, file), -1)
		require.NotEmpty(t, named, file)
		for _, name := range named {
			require.Contains(t, names, name, file)
		}
	}
}

func TestEveryAlertIsExplainedAndHasAStory(t *testing.T) {
	t.Parallel()
	names := regexp.MustCompile(`(?m)^ +- alert: (\w+)$`).FindAllStringSubmatch(read(t, alerts), -1)
	require.NotEmpty(t, names)
	explained, stories := read(t, page), read(t, alertTests)
	for _, name := range names {
		require.Contains(t, explained, "| `"+name[1]+"` |", "the page says what to do about it")
		require.Contains(t, stories, `alertname="`+name[1]+`"`, "a story shows it fire")
	}
}
