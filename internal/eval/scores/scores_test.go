package scores

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIntervalsAreThoseOfTheTables(t *testing.T) {
	t.Parallel()
	singles := func(yes, no int) (out []group) {
		for i := range yes + no {
			out = append(out, group{float64(min(1, max(0, yes-i))), 1})
		}
		return out
	}
	for _, c := range []struct {
		yes, no   int
		low, high float64
	}{{0, 10, 0, 0.2775}, {8, 2, 0.4902, 0.9433}, {10, 0, 0.7225, 1}, {50, 50, 0.4038, 0.5962}} {
		i, ok := share(singles(c.yes, c.no))
		require.True(t, ok)
		require.InDelta(t, c.low, i.Low, 1e-4)
		require.InDelta(t, c.high, i.High, 1e-4)
	}
	for freedom, want := range map[int]float64{1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 11: 2.201, 30: 2.042} {
		require.InDelta(t, want, quantile95(freedom), 1e-3, freedom)
	}
	i, ok := mean([]float64{1, 2, 3, 4})
	require.True(t, ok)
	require.InDelta(t, 2.5, i.Value, 1e-9)
	require.InDelta(t, 2.5-3.182*1.2910/2, i.Low, 1e-3)
	_, ok = mean(nil)
	require.False(t, ok)
	_, ok = share(nil)
	require.False(t, ok)
}

func TestRunsOfOneTaskAreNoIndependentObservations(t *testing.T) {
	t.Parallel()
	// Each of four tasks is solved always or never: ten runs tell no more than one.
	i, _ := share([]group{{10, 10}, {0, 10}, {10, 10}, {0, 10}})
	once, _ := share([]group{{1, 1}, {0, 1}, {1, 1}, {0, 1}})
	require.GreaterOrEqual(t, i.High-i.Low, once.High-once.Low)
	// One that is solved always was still tried in four tasks only.
	all, _ := share([]group{{10, 10}, {10, 10}, {10, 10}, {10, 10}})
	require.InDelta(t, 0.5101, all.Low, 1e-4)
}

func TestADifferenceOfYesAndNoIsTestedExactly(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1.0, chance([]float64{0, 0, 0}), 1e-9)
	require.InDelta(t, 2.0/32, chance([]float64{1, 1, 1, 1, 1, 0, 0}), 1e-9)
	require.InDelta(t, 2.0/64, chance([]float64{1, 1, 1, 1, 1, 1}), 1e-9)
	require.InDelta(t, 1.0, chance([]float64{1, -1}), 1e-9)
	many := make([]float64, 30)
	for i := range many {
		many[i] = float64(1 - 2*(i%2))
	}
	require.InDelta(t, 1.0, chance(many), 1e-3)
	for i := range many {
		many[i] = 1
	}
	require.Less(t, chance(many), 0.001)
}

// results returns results of tasks, of which the first are solved.
func results(model string, solved, tasks int) (out []Result) {
	for i := range tasks {
		price := 0.01
		out = append(out, Result{Task: fmt.Sprintf("task %02d", i), Model: model, Run: 1, Digest: "d", Judged: true,
			Solved: i < solved, Why: "the file | differs\n<script>", Blocks: 2, WellFormed: 2, First: 1, Applied: 2,
			Failed: true, Repaired: i < solved, Gold: 1, Shown: 1, In: 900, Out: 100 + i, Cost: &price, Calls: 2, Seconds: 1})
	}
	return out
}

func TestAReportHasItsFiguresForEachModelAndInAll(t *testing.T) {
	t.Parallel()
	r := New([]string{"small", "large"}, append(results("large", 9, 10), results("small", 3, 10)...))
	r.Complete = true
	require.InDelta(t, 0.3, r.Models[0].Solved.Value, 1e-9)
	require.InDelta(t, 0.9, r.Models[1].Solved.Value, 1e-9)
	require.InDelta(t, 0.6, r.All.Solved.Value, 1e-9)
	require.InDelta(t, 0.5, r.All.First.Value, 1e-9)
	require.InDelta(t, 0.2, *r.All.TotalCost, 1e-9)
	require.Equal(t, 10, r.All.Tasks)
	require.Equal(t, 20, r.All.Runs)
	var b bytes.Buffer
	require.NoError(t, r.WriteMarkdown(&b))
	require.Contains(t, b.String(), "|  | small | large | all |")
	require.Contains(t, b.String(), "| solved | 30.0 % (10.8 % to 60.3 %) | 90.0 % (59.6 % to 98.2 %) |")
	require.Contains(t, b.String(), `the file \| differs \<script\>`)
	b.Reset()
	require.NoError(t, r.WriteJSON(&b))
	again, err := Read(&b)
	require.NoError(t, err)
	require.Equal(t, r, again)
}

func TestWhatIsNoMeasurementIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{}", "[]", `{"version": 9}`, `{"version":1,"results":[{"task":"a","model":"b"}]}`} {
		_, err := Read(strings.NewReader(text))
		require.Error(t, err, text)
	}
}

func TestAComparisonSaysWhatIsMoreThanChance(t *testing.T) {
	t.Parallel()
	a := New([]string{"small"}, append(results("small", 2, 12), Result{Task: "old", Model: "small", Digest: "1"}))
	b := New([]string{"large"}, append(results("large", 11, 12), Result{Task: "old", Model: "large", Digest: "2"}))
	all, err := Compare(a, b)
	require.NoError(t, err)
	require.Len(t, all, 1)
	c := all[0]
	require.Equal(t, []string{"old"}, c.Changed)
	require.Equal(t, 12, c.Tasks)
	require.Len(t, c.Gained, 9)
	var out bytes.Buffer
	require.NoError(t, c.WriteMarkdown(&out))
	require.Contains(t, out.String(), "| solved | 16.7 % | 91.7 % | 75.0 % (46.3 % to 100.0 %) | 0.004 | **higher in B**")
	require.Contains(t, out.String(), "| tokens | 1006 | 1006 | 0 (0 to 0) | 1.000 | no clear difference |")
	_, err = Compare(a, New([]string{"x", "y"}, nil))
	require.ErrorContains(t, err, "no model in common")
}
