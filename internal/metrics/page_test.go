package metrics

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of metrics")

const page = "../../docs/observability.md"

func TestThePageOfMetricsHasEveryMetric(t *testing.T) {
	t.Parallel()
	m := newMetrics()
	watchFigures(Figures{}, nil)(t, m)
	var table strings.Builder
	table.WriteString("\n| metric | type | labels | meaning |\n|---|---|---|---|\n")
	for _, row := range m.Table() {
		labels := ""
		if len(row.Labels) > 0 {
			labels = "`" + strings.Join(row.Labels, "`, `") + "`"
		}
		fmt.Fprintf(&table, "| `%s` | %s | %s | %s |\n", row.Name, row.Type, labels, row.Help)
	}
	table.WriteString("\n")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), "<!-- begin generated metrics -->\n")
	require.True(t, ok)
	_, after, ok := strings.Cut(rest, "<!-- end generated metrics -->")
	require.True(t, ok)
	want := before + "<!-- begin generated metrics -->\n" + table.String() + "<!-- end generated metrics -->" + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.True(t, want == string(text), "go test ./internal/metrics -run ThePage -update writes the page")
}
